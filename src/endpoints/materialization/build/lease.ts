// The lease of a build on its version consists of two columns. One statement takes it, the build renews it, and every write checks it.
import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { within } from '../../../deadline'
import { describeError } from '../../../http/log/request-log'
import type { Database } from '../../../storage/database'
import { toStoredTimestamp } from '../../../timestamps'
import type { Build } from './build-work'

const LEASE_MS = 15_000

/** The interval of renewals. The lease outlives two renewals in a row that fail. */
export const RENEW_MS = 5_000

/** Returns the columns of a lease. Another consumer may take over after `buildUntil`. */
export const leased = (token: string, now: Date) => ({
  buildToken: token,
  buildUntil: toStoredTimestamp(new Date(now.getTime() + LEASE_MS)),
})

/** Takes the lease on a version that is due. Returns false while another build has it. */
export async function claimLease(
  db: Database,
  versionId: string,
  token: string,
  now: Date,
): Promise<boolean> {
  const { versionId: id, nextBuildAt, buildToken, buildUntil } = endpointMaterializations
  const at = toStoredTimestamp(now)
  const claimed = await db
    .update(endpointMaterializations)
    .set(leased(token, now))
    .where(and(eq(id, versionId), lte(nextBuildAt, at), or(isNull(buildToken), lte(buildUntil, at))))
    .returning({ id })
  return claimed.length > 0
}

/** Lets the next consumer in. This has no effect when the build has ended. */
export async function releaseLease(db: Database, versionId: string, token: string): Promise<void> {
  const { versionId: id, buildToken } = endpointMaterializations
  await db
    .update(endpointMaterializations)
    .set({ buildToken: null, buildUntil: null })
    .where(and(eq(id, versionId), eq(buildToken, token)))
}

/** SQL condition: the build has the lease. */
export const holdsLeaseSql = ({ token, materialization: { versionId } }: Build): SQL => sql`EXISTS (
  SELECT 1 FROM endpoint_materializations WHERE version_id = ${versionId} AND build_token = ${token})`

/** Renews the lease during `work`, because a statement on ClickHouse takes minutes. */
export async function whileRenewing<T>(build: Build, work: () => Promise<T>): Promise<T> {
  let renewed = Promise.resolve()
  const timer = setInterval(() => {
    renewed = renewed.then(() => renew(build))
  }, build.deps.renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    // A renewal that ends after this function would block the next build.
    await renewed
  }
}

/** Renews the lease. When it was lost, the next write of the build finds out. */
async function renew({ deps, token, materialization: { versionId } }: Build): Promise<void> {
  try {
    const renewal = deps.db
      .update(endpointMaterializations)
      .set(leased(token, deps.clock.now()))
      .where(
        and(
          eq(endpointMaterializations.versionId, versionId),
          eq(endpointMaterializations.buildToken, token),
        ),
      )
    // The next renewal must not wait for a database that does not respond.
    await within(renewal, RENEW_MS)
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
