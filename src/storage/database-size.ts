// Sizes of databases and warnings about them, for the main database and shards.

/** The default of `DATABASE_MAX_BYTES`, which is the limit of D1 on the Workers Paid plan. */
const DEFAULT_MAX_BYTES = 10_000_000_000

/** Warnings start above these shares of the limit, highest first. */
const WARNING_SHARES = [
  { share: 0.9, code: 'database_nearly_full' },
  { share: 0.7, code: 'database_filling' },
] as const

/**
 * Above this share of a shard nothing is materialized, because the rest is for events. Above this share of the main database, capture changes no
 * persons and groups, because the rest is for flags and accounts: a project's public token suffices to capture.
 */
const MAX_BULK_SHARE = 0.95

export interface SizeWarning {
  /** The binding of the database. */
  database: string
  code: 'database_full' | (typeof WARNING_SHARES)[number]['code']
  detail: string
  bytes: number
  max_bytes: number
}

/** A database grows by pages of 4 KiB, so that it is full before it has every byte. */
const PAGE_MARGIN = 64 * 1024

/** Returns `DATABASE_MAX_BYTES`, or the default where it is not a number. */
export function maxBytesOf({ DATABASE_MAX_BYTES: bytes }: { DATABASE_MAX_BYTES?: string }): number {
  return /^[1-9]\d{0,14}$/.test(bytes ?? '') ? Number(bytes) : DEFAULT_MAX_BYTES
}

export const sizeOf = async (d1: D1Database): Promise<number> =>
  (await d1.prepare('SELECT 1').run()).meta.size_after

/** Returns the warning for a size, or null. @param database its binding */
export function sizeWarning(database: string, bytes: number, maxBytes: number): SizeWarning | null {
  const code =
    bytes > maxBytes - PAGE_MARGIN
      ? 'database_full'
      : WARNING_SHARES.find(({ share }) => bytes > share * maxBytes)?.code
  if (code === undefined) return null
  return {
    database,
    code,
    detail: `${database} holds ${sizeInWords(bytes)} of ${sizeInWords(maxBytes)}. ${adviceFor(database)}`,
    bytes,
    max_bytes: maxBytes,
  }
}

const adviceFor = (database: string): string =>
  database === 'DB'
    ? 'Lower ACTIVITY_RETENTION_DAYS or DELETED_RETENTION_DAYS, or raise DATABASE_MAX_BYTES if the plan allows more.'
    : 'Add a shard, set EVENTS_RETENTION_DAYS, or move projects to ClickHouse.'

/** Whether a shard of this size accepts more materialized rows, or the main database more captured persons and groups. */
export const isOpenToBulk = (bytes: number, maxBytes: number): boolean => bytes <= MAX_BULK_SHARE * maxBytes

const sizeInWords = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
