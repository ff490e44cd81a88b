// Stored results of runs (docs/reference/endpoints.md#where-a-run-finds-its-rows).
import { Buffer } from 'node:buffer'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpointResults } from '../../../drizzle/events'
import type { Database } from '../../storage/database'
import { maxBytesOf } from '../../storage/database-size'
import { projectIdsOf } from '../../storage/organization-projects'
import { toStoredTimestamp } from '../../timestamps'

/** Maximum bytes of a stored result. D1 accepts rows of 2 MB. */
const MAX_BYTES = 1_000_000
/** Maximum stored results of an organization. */
const MAX_RESULTS = 10_000
/** Maximum share of a shard that the results of an organization take. */
const MAX_RESULTS_SHARE = 0.05
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

/** Statements that store a result, and evict excess ones of its organization. There are none for a result that is too large. */
export async function storeResult(
  { db, shard, env }: { db: Database; shard: Database; env: Env },
  organizationId: string,
  result: NewResult,
): Promise<BatchItem<'sqlite'>[]> {
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
  // The hash digits of the key serve as a random sample.
  const isCounted = parseInt(key.slice(0, 4), 16) % COUNTED_EVERY === 0
  const projectIds = isCounted ? await projectIdsOf(db, organizationId) : []
  return [
    shard
      .insert(endpointResults)
      .values({ projectId, key, ...row })
      .onConflictDoUpdate({ target: [endpointResults.projectId, endpointResults.key], set: row }),
    ...(isCounted
      ? [
          shard
            .delete(endpointResults)
            .where(sql`rowid IN (${excess(projectIds, MAX_RESULTS_SHARE * maxBytesOf(env))})`),
        ]
      : []),
  ]
}

/** Selects the results beyond MAX_RESULTS or so many bytes, of which those that expire first go. Results of one build expire at the same time. */
const excess = (projectIds: number[], maxBytes: number): SQL =>
  sql`SELECT id FROM (SELECT rowid AS id, row_number() OVER newest AS number, sum(octet_length(body)) OVER newest AS bytes
    FROM endpoint_results WHERE project_id IN (SELECT value FROM json_each(${JSON.stringify(projectIds)}))
    WINDOW newest AS (ORDER BY expires_at DESC, rowid DESC ROWS UNBOUNDED PRECEDING))
  WHERE number > ${MAX_RESULTS} OR bytes > ${maxBytes} LIMIT ${MAX_EVICTED}`
