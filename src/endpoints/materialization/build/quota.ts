// Quotas of materialized rows in a shard, which its organizations share.
import { projectIdsOf } from '../../../storage/organization-projects'
import { maxBytesOf } from '../../../storage/database-size'
import type { Database } from '../../../storage/database'

export interface MaterializationQuota {
  /** Maximum rows and bytes of a version. */
  rows: number
  bytes: number
  /** Maximum share of the shard that all versions of an organization take. */
  share: number
}

export const QUOTA: MaterializationQuota = {
  rows: 10_000_000,
  bytes: 100_000_000,
  share: 0.2,
}

export interface BytesLeft {
  bytes: number
  /** Maximum bytes of all versions of the organization, if this quota is the lower one. */
  ofOrganization: number | null
}

/** @throws NotBuildable */
export function requireRows({ rows: max }: MaterializationQuota, rows: number): void {
  if (rows <= max) return
  throw new NotBuildable(
    `The result has more than ${max.toLocaleString('en')} rows. Aggregate more, or add a LIMIT.`,
  )
}

/** @throws NotBuildable */
export function requireBytes(quota: MaterializationQuota, left: BytesLeft, written: number): void {
  if (written <= left.bytes) return
  throw new NotBuildable(
    left.ofOrganization !== null
      ? `The materialized rows of this organization take more than ${megabytes(left.ofOrganization)}. Disable a materialization, or aggregate more.`
      : `The result takes more than ${megabytes(quota.bytes)}. Select fewer columns, or aggregate more.`,
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toLocaleString('en')} MB`

/** Returns the bytes that a version may take, which the other versions of its organization reduce. */
export async function bytesLeft(
  { db, shard, env }: { db: Database; shard: D1Database; env: Env },
  quota: MaterializationQuota,
  { organizationId, versionId }: { organizationId: string; versionId: string },
): Promise<BytesLeft> {
  const others = await shard
    .prepare(
      'SELECT ifnull(sum(bytes), 0) AS bytes FROM materialized_tables WHERE project_id IN (SELECT value FROM json_each(?1)) AND version_id <> ?2',
    )
    .bind(JSON.stringify(await projectIdsOf(db, organizationId)), versionId)
    .first<number>('bytes')
  const ofOrganization = quota.share * maxBytesOf(env)
  const bytes = Math.max(0, ofOrganization - (others ?? 0))
  return bytes < quota.bytes ? { bytes, ofOrganization } : { bytes: quota.bytes, ofOrganization: null }
}

/** Says why the version cannot be built, for its author. */
export class NotBuildable extends Error {
  override readonly name = 'NotBuildable'
}
