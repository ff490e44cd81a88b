// How a build has a version to itself: the project object gives it for a time, and every write asks whether it still has it.
import { eq, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { stored } from '../../../timestamps'
import type { Build } from './work'

/** How long nobody else takes a build over that says nothing. A statement takes half of that at most. */
const LEASE_MS = 120_000

/** When a build that says nothing from now on may be taken over. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

/** The columns that say whose build it is. */
export const leased = (token: string, now: Date) => ({ buildToken: token, buildUntil: stored(leaseEnd(now)) })

/** SQL for whether a build still has the version, and nobody gave the version up. */
export const isMine = ({ token, materialization: { versionId } }: Build): SQL => sql`EXISTS (
  SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND build_token = ${token})`

/** The statement that says in the database that the build goes on. */
export const renewLease = ({ deps, token, materialization }: Build) =>
  deps.db
    .update(endpointMaterializations)
    .set(leased(token, deps.clock.now()))
    .where(eq(endpointMaterializations.versionId, materialization.versionId))

/** Tells the project object that the build goes on. Whether it lost the version shows when it writes. */
export async function renewClaim({ deps, token, materialization }: Build): Promise<void> {
  const { versionId, projectId } = materialization
  const now = deps.clock.now()
  await deps.projects.claimBuild({
    projectId,
    versionId,
    token,
    now: now.getTime(),
    until: leaseEnd(now).getTime(),
  })
}

/** Whether a build that has begun still has the version. */
export async function isStillMine({ deps: { db }, token, materialization }: Build): Promise<boolean> {
  const [row] = await db
    .select({ token: endpointMaterializations.buildToken })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, materialization.versionId))
  return row?.token === token
}
