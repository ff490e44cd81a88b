// Renders the response body of a run (reference/endpoints-api.md §3.5). The stored part is JSON already and is not parsed; the rest is
// appended.
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
  /** Null for a result of the query itself. */
  materialized: Pick<MaterializedRead, 'materializedAt'> | null
}

export interface RunDetails {
  name: string
  executionId: string
  version: { version: number; createdAt: string }
  text: string | null
  /** Null without `limit`, and for insights (§3.1). */
  page: { limit: number; offset: number } | null
  timezone: string
  request: RunRequest
  resultKey: string
  durationMs: number
}

export function renderRun(result: RenderedResult, details: RunDetails): string {
  const rest = JSON.stringify({
    ...pageFields(result, details),
    ...freshnessFields(result, details),
    ...runFields(result, details),
  })
  return `${result.body.slice(0, -1)},${rest.slice(1)}`
}

/** Without `limit` there are no pages (§3.6). */
const pageFields = ({ hasMore }: RenderedResult, { page }: RunDetails) =>
  page ? { hasMore, limit: Math.min(page.limit, MAX_RESULT_ROWS), offset: page.offset } : { hasMore: false }

function freshnessFields({ isCached, computedAt, expiresAt }: RenderedResult, { timezone }: RunDetails) {
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
  error: null,
  query: details.text,
  clickhouse: null,
  metadata: metadataOf(result),
  query_status: null,
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

/** Warns when the cap cut rows off. */
const metadataOf = ({ rowCount, hasMore }: RenderedResult) =>
  rowCount >= MAX_RESULT_ROWS && hasMore
    ? {
        warnings: [
          {
            message: `The result was cut off at ${MAX_RESULT_ROWS} rows. Use limit and offset to read the others.`,
          },
        ],
      }
    : null

const debugOf = ({ resultKey, text, durationMs }: RunDetails) => ({
  calculation_trigger: null,
  cache_key: resultKey,
  explain: null,
  modifiers: null,
  resolved_date_range: null,
  timings: [{ k: './execute', t: durationMs / 1000 }],
  hogql: text,
})
