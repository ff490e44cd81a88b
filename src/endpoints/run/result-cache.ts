// Answers that may be given again (reference/endpoints-api.md §3.4).
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointResults } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

/** Bytes of an answer that is kept; D1 takes rows of two million. */
const MAX_BYTES = 1_000_000
/** Answers that a project has at most. */
const KEPT = 1_000
/** Counting them means walking over them: one in so many does it. */
const COUNTED_EVERY = 64

/** The statement that reads the answer under a key, whatever its version and age. */
export const selectResult = (shard: Database, projectId: number, key: string) =>
  shard
    .select({
      versionId: endpointResults.versionId,
      compilation: endpointResults.compilation,
      body: endpointResults.body,
      rowCount: endpointResults.rowCount,
      hasMore: endpointResults.hasMore,
      source: endpointResults.source,
      storedAt: endpointResults.storedAt,
    })
    .from(endpointResults)
    .where(and(eq(endpointResults.projectId, projectId), eq(endpointResults.key, key)))

/** The answer of an earlier run. */
export type StoredResult = Awaited<ReturnType<typeof selectResult>>[number]

/** Whether an answer is one of this version as it is compiled now, and fresh enough for it. */
export const isFresh = (
  { versionId, compilation, storedAt }: StoredResult,
  version: { id: string; compilation: number; dataFreshnessSeconds: number },
  now: Date,
): boolean =>
  versionId === version.id &&
  compilation === version.compilation &&
  expiryOf(new Date(storedAt), version.dataFreshnessSeconds) > now

/** When an answer is too old. */
export const expiryOf = (storedAt: Date, dataFreshnessSeconds: number): Date =>
  new Date(storedAt.getTime() + dataFreshnessSeconds * 1000)

export interface NewResult {
  projectId: number
  key: string
  versionId: string
  compilation: number
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
  const { projectId, key, versionId, compilation, body, rowCount, hasMore, source, expiry, now } = result
  if (!fits(body)) return []
  const row = {
    versionId,
    compilation,
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
    // The hash digits of the key serve as a random sample.
    ...(parseInt(key.slice(0, 4), 16) % COUNTED_EVERY === 0 ? [db.delete(endpointResults).where(past)] : []),
  ]
}

/** No character takes more than three bytes a code unit. */
const fits = (body: string) =>
  body.length * 3 <= MAX_BYTES ||
  (body.length <= MAX_BYTES && new TextEncoder().encode(body).byteLength <= MAX_BYTES)
