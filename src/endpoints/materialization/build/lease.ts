// Lease of a build on its version: granted by the project object, renewed by the build, checked by every write.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { describeError } from '../../../http/log/request-log'
import { toStoredTimestamp } from '../../../timestamps'
import type { Build } from './build-work'

const LEASE_MS = 120_000

/** Two renewals in a row may fail. */
export const RENEW_MS = 40_000

/** When another consumer may take over. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS)

export const leased = (token: string, now: Date) => ({
  buildToken: token,
  buildUntil: toStoredTimestamp(leaseEnd(now)),
})

/**
 * Checked before writes to the shard. No transaction spans both databases: a build that loses the lease right after writes to a table that
 * nothing reads.
 * @throws BuildLost
 */
export async function requireLease(build: Build): Promise<void> {
  if (!(await holdsLease(build))) throw new BuildLost('another build has the version')
}

/** SQL condition for `holdsLease`. */
export const holdsLeaseSql = ({ token, materialization: { versionId } }: Build): SQL => sql`EXISTS (
  SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND build_token = ${token})`

/** Renews the lease during `work`: a statement on ClickHouse takes minutes. */
export async function whileRenewing<T>(build: Build, work: () => Promise<T>): Promise<T> {
  let renewed = Promise.resolve()
  const timer = setInterval(() => {
    renewed = renewed.then(() => renew(build))
  }, build.deps.renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    // A renewal after the end would block the next build.
    await renewed
  }
}

/** A lost lease shows at the next write. */
async function renew({ deps, token, materialization: { versionId, projectId } }: Build): Promise<void> {
  const now = deps.clock.now()
  const until = leaseEnd(now).getTime()
  try {
    await deps.projectObjects.claimBuild({ projectId, versionId, token, now: now.getTime(), until })
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
      message: 'a build could not renew its lease',
      error: describeError(error),
    })
  }
}

export async function holdsLease({ deps: { db }, token, materialization }: Build): Promise<boolean> {
  const [row] = await db
    .select({ token: endpointMaterializations.buildToken })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, materialization.versionId))
  return row?.token === token
}

/** Another build has the version, or it was detached. */
export class BuildLost extends Error {
  override readonly name = 'BuildLost'
}
