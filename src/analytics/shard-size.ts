// How full an analytics shard is, and when that matters. Flags never depend on it.

/** A D1 database of the Workers Paid plan holds no more. */
const MAX_SHARD_BYTES = 10_000_000_000

/** Operators are warned above these shares of the maximum, the highest first. */
const WARNING_SHARES = [0.9, 0.7]

/** Above this share no materialization is built: the rest is for events. */
const FULL_SHARE = 0.95

export interface ShardWarning {
  /** Its binding. */
  shard: string
  code: 'shard_filling' | 'shard_nearly_full'
  detail: string
  bytes: number
  max_bytes: number
}

/** Bytes of a shard. */
export const sizeOf = async (d1: D1Database): Promise<number> =>
  (await d1.prepare('SELECT 1').run()).meta.size_after

/** The warning for a shard of a size; null: none. */
export function sizeWarning(shard: string, bytes: number): ShardWarning | null {
  const passed = WARNING_SHARES.find((share) => bytes > share * MAX_SHARD_BYTES)
  if (passed === undefined) return null
  return {
    shard,
    code: passed === WARNING_SHARES[0] ? 'shard_nearly_full' : 'shard_filling',
    detail:
      `${shard} holds ${gigabytes(bytes)} of ${gigabytes(MAX_SHARD_BYTES)}. Add a shard, set EVENTS_RETENTION_DAYS, or move projects to ` +
      'ClickHouse.',
    bytes,
    max_bytes: MAX_SHARD_BYTES,
  }
}

/** Whether a shard takes no more materialized rows. */
export const isFull = (bytes: number): boolean => bytes > FULL_SHARE * MAX_SHARD_BYTES

const gigabytes = (bytes: number): string => `${(bytes / 1_000_000_000).toFixed(1)} GB`
