// Answers that may be given again (reference/endpoints-api.md §3.4).
import { eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointResults } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'
import type { RunnableVersion, StoredResult } from './find'

/** Bytes of an answer that is kept; D1 takes rows of two million. */
const MAX_BYTES = 1_000_000
/** Answers that a project has at most. */
const KEPT = 1_000
/** Counting them means walking over them: one in so many does it. */
const COUNTED_EVERY = 64

/** Whether an answer is one of this version, and young enough for what the version says now. */
export const isFresh = (
  { versionId, storedAt }: StoredResult,
  { id, dataFreshnessSeconds }: Pick<RunnableVersion, 'id' | 'dataFreshnessSeconds'>,
  now: Date,
): boolean => versionId === id && expiryOf(new Date(storedAt), dataFreshnessSeconds) > now

/** When an answer is too old. */
export const expiryOf = (storedAt: Date, dataFreshnessSeconds: number): Date =>
  new Date(storedAt.getTime() + dataFreshnessSeconds * 1000)

export interface NewResult {
  projectId: number
  key: string
  versionId: string
  body: string
  rowCount: number
  hasMore: boolean
  /** The table that it was read from; null for an answer of the query itself. */
  source: string | null
  /** When it is too old. */
  expiry: Date
  now: Date
}

/** The statements that keep an answer and take away those that are too old, or more than a project may have. None for a large one. */
export function keepResult(db: Database, result: NewResult): BatchItem<'sqlite'>[] {
  const { projectId, key, versionId, body, rowCount, hasMore, source, expiry, now } = result
  if (!fits(body)) return []
  const row = {
    versionId,
    body,
    rowCount,
    hasMore,
    source,
    storedAt: stored(now),
    expiresAt: stored(expiry),
  }
  const outlived = sql`project_id = ${projectId} AND expires_at <= ${stored(now)}`
  const past = sql`project_id = ${projectId} AND expires_at < (SELECT expires_at FROM endpoint_results
    WHERE project_id = ${projectId} ORDER BY expires_at DESC LIMIT 1 OFFSET ${KEPT})`
  return [
    db
      .insert(endpointResults)
      .values({ projectId, key, ...row })
      .onConflictDoUpdate({ target: [endpointResults.projectId, endpointResults.key], set: row }),
    db.delete(endpointResults).where(outlived),
    // Keys are digests: their first digits are as good as a die.
    ...(parseInt(key.slice(0, 4), 16) % COUNTED_EVERY === 0 ? [db.delete(endpointResults).where(past)] : []),
  ]
}

/** The statement that takes away all answers of a version: it means something else now. */
export const dropResults = (db: Database, versionId: string) =>
  db.delete(endpointResults).where(eq(endpointResults.versionId, versionId))

/** No character takes more than three bytes a code unit. */
const fits = (body: string) =>
  body.length * 3 <= MAX_BYTES ||
  (body.length <= MAX_BYTES && new TextEncoder().encode(body).byteLength <= MAX_BYTES)
