// The lease of a build on its version: the project object grants it, the build renews it, and every write checks it.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { describeError } from '../../../http/request-log'
import { stored } from '../../../timestamps'
import type { Build } from './build-work'

/** How long nobody else takes a build over that says nothing. */
const LEASE_MS = 120_000

/** How often a build says that it goes on: twice in a row it may fail to. */
export const RENEW_MS = 40_000

/** When a build that says nothing from now on may be taken over. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

/** The columns that say whose build it is. */
export const leased = (token: string, now: Date) => ({ buildToken: token, buildUntil: stored(leaseEnd(now)) })

/**
 * Whether a build still has its version, before it writes to the shard. No transaction spans both databases: a build that loses the
 * version right after this writes to a table that nobody reads.
 * @throws BuildLost
 */
export async function requireMine(build: Build): Promise<void> {
  if (!(await isStillMine(build))) throw new BuildLost('another build has the version')
}

/** SQL for whether a build still has the version, and nobody gave the version up. */
export const isMine = ({ token, materialization: { versionId } }: Build): SQL => sql`EXISTS (
  SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND build_token = ${token})`

/** Does the work of a build, and says meanwhile that it goes on: a statement on ClickHouse takes minutes. */
export async function whileRenewing<T>(build: Build, work: () => Promise<T>): Promise<T> {
  let renewed = Promise.resolve()
  const timer = setInterval(() => {
    renewed = renewed.then(() => renew(build))
  }, build.deps.renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    // One that came behind the end would keep the version from the next build.
    await renewed
  }
}

/** Says that a build goes on. Whether it lost the version shows when it writes. */
async function renew({ deps, token, materialization: { versionId, projectId } }: Build): Promise<void> {
  const now = deps.clock.now()
  const until = leaseEnd(now).getTime()
  try {
    await deps.projects.claimBuild({ projectId, versionId, token, now: now.getTime(), until })
    await deps.db
      .update(endpointMaterializations)
      .set(leased(token, now))
      .where(
        and(
          eq(endpointMaterializations.versionId, versionId),
          eq(endpointMaterializations.buildToken, token),
        ),
      )
  } catch (error) {
    deps.log({
      level: 'error',
      message: 'a build could not say that it goes on',
      error: describeError(error),
    })
  }
}

/** Whether a build that has begun still has the version. */
export async function isStillMine({ deps: { db }, token, materialization }: Build): Promise<boolean> {
  const [row] = await db
    .select({ token: endpointMaterializations.buildToken })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, materialization.versionId))
  return row?.token === token
}

/** Another build has the version, or nobody wants it any more. */
export class BuildLost extends Error {
  override readonly name = 'BuildLost'
}
