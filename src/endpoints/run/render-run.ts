// The body of a run's answer (reference/endpoints-api.md §3.5). What stays the same whenever the answer is given is JSON already, so that a
// kept one is never read: the rest goes behind it.
import { ROW_CAP } from '../../analytics/engine/limits'
import { shown, shownWithOffset, stored } from '../../timestamps'
import { expiryOf } from './result-cache'
import type { KeptRows } from './materialized-read'
import type { RunRequest } from './run-request'

export interface Given {
  /** JSON of an object that is not empty. */
  body: string
  rowCount: number
  hasMore: boolean
  /** When the rows were computed. */
  computedAt: Date
  isCached: boolean
  /** The materialized rows that it is of; null for an answer of the query itself. */
  kept: Pick<KeptRows, 'materializedAt' | 'expiry'> | null
}

export interface About {
  name: string
  executionId: string
  version: { version: number; createdAt: string; dataFreshnessSeconds: number }
  text: string | null
  /** Which rows were asked for; null without a `limit`, and of an insight, of which it says nothing (§3.1). */
  page: { limit: number; offset: number } | null
  timezone: string
  request: RunRequest
  /** Where the answer is kept. */
  resultKey: string
  /** How long the answer took, in milliseconds. */
  durationMs: number
}

/** The whole body, as text. */
export function renderRun(given: Given, about: About): string {
  const rest = JSON.stringify({
    ...tellPage(given, about),
    ...tellFreshness(given, about),
    ...tellRun(given, about),
  })
  return `${given.body.slice(0, -1)},${rest.slice(1)}`
}

/** Without `limit` there are no pages, and so no more of them (§3.6). */
const tellPage = ({ hasMore }: Given, { page }: About) =>
  page ? { hasMore, limit: Math.min(page.limit, ROW_CAP), offset: page.offset } : { hasMore: false }

function tellFreshness({ isCached, computedAt, kept }: Given, { version, timezone }: About) {
  const expiry = shown(stored(kept?.expiry ?? expiryOf(computedAt, version.dataFreshnessSeconds)))
  return {
    is_cached: isCached,
    last_refresh: shown(stored(computedAt)),
    next_allowed_client_refresh: expiry,
    cache_target_age: expiry,
    timezone,
  }
}

const tellRun = (given: Given, about: About) => ({
  error: null,
  query: about.text,
  clickhouse: null,
  metadata: metadataOf(given),
  query_status: null,
  ...(about.request.debug ? debugOf(about) : {}),
  name: about.name,
  execution_id: about.executionId,
  endpoint_version: about.version.version,
  endpoint_version_created_at: shownWithOffset(about.version.createdAt),
  ...(given.kept
    ? {
        endpoint_materialized: true,
        endpoint_materialized_at: shownWithOffset(stored(given.kept.materializedAt)),
      }
    : {}),
})

/** Rows that were cut off although nobody asked for fewer are worth a word. */
const metadataOf = ({ rowCount, hasMore }: Given) =>
  rowCount >= ROW_CAP && hasMore
    ? {
        warnings: [
          { message: `The result was cut off at ${ROW_CAP} rows. Use limit and offset to read the others.` },
        ],
      }
    : null

const debugOf = ({ resultKey, text, durationMs }: About) => ({
  calculation_trigger: null,
  cache_key: resultKey,
  explain: null,
  modifiers: null,
  resolved_date_range: null,
  timings: [{ k: './execute', t: durationMs / 1000 }],
  hogql: text,
})
