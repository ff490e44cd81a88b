// Quotas of materialized rows in a shard, which its projects share.

export interface MaterializationQuota {
  /** Maximum rows and bytes of a version. */
  rows: number
  bytes: number
  /** Maximum bytes of all versions of a project. */
  projectBytes: number
}

export const QUOTA: MaterializationQuota = {
  rows: 10_000_000,
  bytes: 100_000_000,
  projectBytes: 500_000_000,
}

export interface BytesLeft {
  bytes: number
  /** Whether the project's quota is the lower one. */
  isOfProject: boolean
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
    left.isOfProject
      ? `The materialized rows of this project take more than ${megabytes(quota.projectBytes)}. Disable a materialization, or aggregate more.`
      : `The result takes more than ${megabytes(quota.bytes)}. Select fewer columns, or aggregate more.`,
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toLocaleString('en')} MB`

/** Returns the bytes that a version may take, which the project's other versions reduce. */
export async function bytesLeft(
  shard: D1Database,
  quota: MaterializationQuota,
  { projectId, versionId }: { projectId: number; versionId: string },
): Promise<BytesLeft> {
  const others = await shard
    .prepare(
      'SELECT ifnull(sum(bytes), 0) AS bytes FROM materialized_tables WHERE project_id = ?1 AND version_id <> ?2',
    )
    .bind(projectId, versionId)
    .first<number>('bytes')
  const ofProject = Math.max(0, quota.projectBytes - (others ?? 0))
  return { bytes: Math.min(quota.bytes, ofProject), isOfProject: ofProject < quota.bytes }
}

/** Says why the version cannot be built, for its author. */
export class NotBuildable extends Error {
  override readonly name = 'NotBuildable'
}
