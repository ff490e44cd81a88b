// Renders the response body of a run (docs/reference/endpoints.md#response-of-a-run). The stored part is JSON already and is not parsed; the
// rest is appended.
import { MAX_RESULT_ROWS } from '../../analytics/engine/limits'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'
import type { MaterializedRead } from './materialized-read'
import type { RunRequest } from './run-request'

export interface RenderedResult {
  /** JSON of a non-empty object. */
  body: string
  rowCount: number
  hasMore: boolean
  computedAt: Date
  expiresAt: Date
  isCached: boolean
  /** The read rows, or null for a result of the query itself. */
  materialized: Pick<MaterializedRead, 'materializedAt'> | null
}

interface ResultDetails {
  text: string | null
  /** The page is null without `limit`, and for insights. */
  page: { limit: number; offset: number } | null
  timezone: string
  /** Warnings about the query. */
  warnings: readonly string[]
}

export interface RunDetails extends ResultDetails {
  name: string
  executionId: string
  version: { version: number; createdAt: string }
  request: RunRequest
  resultKey: string
  durationMs: number
}

export const renderRun = (result: RenderedResult, details: RunDetails): string =>
  appended(result.body, { ...resultFields(result, details), ...runFields(result, details) })

/** Appends members to the JSON of a non-empty object. */
export const appended = (body: string, members: Readonly<Record<string, unknown>>): string =>
  `${body.slice(0, -1)},${JSON.stringify(members).slice(1)}`

/** Fields of the response that all kinds share. */
export const resultFields = (result: RenderedResult, details: ResultDetails) => ({
  ...pageFields(result, details),
  ...freshnessFields(result, details),
  error: null,
  query: details.text,
  clickhouse: null,
  metadata: metadataOf(result, details),
  query_status: null,
})

/** The fields of a page. Without `limit` there is no page, but rows may follow: those beyond the default of 100. */
const pageFields = ({ hasMore }: RenderedResult, { page }: ResultDetails) =>
  page ? { hasMore, limit: Math.min(page.limit, MAX_RESULT_ROWS), offset: page.offset } : { hasMore }

function freshnessFields({ isCached, computedAt, expiresAt }: RenderedResult, { timezone }: ResultDetails) {
  const expiry = toApiTimestamp(toStoredTimestamp(expiresAt))
  return {
    is_cached: isCached,
    last_refresh: toApiTimestamp(toStoredTimestamp(computedAt)),
    next_allowed_client_refresh: expiry,
    cache_target_age: expiry,
    timezone,
  }
}

const runFields = (result: RenderedResult, details: RunDetails) => ({
  ...(details.request.debug ? debugOf(details) : {}),
  name: details.name,
  execution_id: details.executionId,
  endpoint_version: details.version.version,
  endpoint_version_created_at: toApiTimestamp(details.version.createdAt),
  ...(result.materialized
    ? {
        endpoint_materialized: true,
        endpoint_materialized_at: toApiTimestamp(toStoredTimestamp(result.materialized.materializedAt)),
      }
    : {}),
})

/** The query's warnings, and one more when the row limit removed rows. */
function metadataOf({ rowCount, hasMore }: RenderedResult, { warnings: ofQuery }: ResultDetails) {
  const warnings = ofQuery.map((message) => ({ message }))
  if (rowCount >= MAX_RESULT_ROWS && hasMore) {
    warnings.push({
      message: `The result was cut off at ${MAX_RESULT_ROWS} rows. Use limit and offset to read the others.`,
    })
  }
  return warnings.length > 0 ? { warnings } : null
}

const debugOf = ({ resultKey, text, durationMs }: RunDetails) => ({
  calculation_trigger: null,
  cache_key: resultKey,
  explain: null,
  modifiers: null,
  resolved_date_range: null,
  timings: [{ k: './execute', t: durationMs / 1000 }],
  hogql: text,
})
