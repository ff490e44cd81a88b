// Stored results of runs (docs/reference/endpoints.md#where-a-run-finds-its-rows).
import { Buffer } from 'node:buffer'
import { and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointResults } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

/** Maximum bytes of a stored result. D1 accepts rows of 2 MB. */
const MAX_BYTES = 1_000_000
/** Maximum stored results of a project. */
const MAX_RESULTS = 1_000
/** One write in so many evicts excess results, because counting them is a scan. The daily trigger deletes expired ones. */
const COUNTED_EVERY = 64
/** Maximum results that a write evicts: more than COUNTED_EVERY, so that evictions keep up with writes. */
const MAX_EVICTED = 100

/** Selects the result of a key, of any version and age. */
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

export type StoredResult = Awaited<ReturnType<typeof selectResult>>[number]

/** Whether the result belongs to the current compilation of this version. */
export const isCurrent = (
  { versionId, compilation }: StoredResult,
  version: { id: string; compilation: number },
): boolean => versionId === version.id && compilation === version.compilation

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
  /** The table that was read, or null for a result of the query itself. */
  source: string | null
  computedAt: Date
  expiresAt: Date
}

/** Statements that store a result, and evict excess ones. There are none for a result that is too large. */
export function storeResult(db: Database, result: NewResult): BatchItem<'sqlite'>[] {
  const { projectId, key, versionId, compilation, body, rowCount, hasMore, source, computedAt, expiresAt } =
    result
  if (Buffer.byteLength(body) > MAX_BYTES) return []
  const row = {
    versionId,
    compilation,
    body,
    rowCount,
    hasMore,
    source,
    storedAt: toStoredTimestamp(computedAt),
    expiresAt: toStoredTimestamp(expiresAt),
  }
  // Results of one build expire at the same time, so that their number decides.
  const excess = sql`SELECT rowid FROM endpoint_results WHERE project_id = ${projectId}
    ORDER BY expires_at DESC, rowid DESC LIMIT ${MAX_EVICTED} OFFSET ${MAX_RESULTS}`
  return [
    db
      .insert(endpointResults)
      .values({ projectId, key, ...row })
      .onConflictDoUpdate({ target: [endpointResults.projectId, endpointResults.key], set: row }),
    // The hash digits of the key serve as a random sample.
    ...(parseInt(key.slice(0, 4), 16) % COUNTED_EVERY === 0
      ? [db.delete(endpointResults).where(sql`rowid IN (${excess})`)]
      : []),
  ]
}
