// Parses the `query` of a body, with every default.
import type * as z from 'zod'
import { invalid, malformed } from '../../errors'
import { firstFailure } from '../../http/validation'
import { FunnelsQuery, HogqlQuery, LifecycleQuery, RetentionQuery, TrendsQuery } from './query-schemas'
import { nearestOption, requireSupported, upgraded } from './query-options'
import { type EndpointQuery, INSIGHT_KINDS } from './query-types'

const QUERIES = { HogQLQuery: HogqlQuery, TrendsQuery, LifecycleQuery, RetentionQuery, FunnelsQuery }

/** Kinds that upstream supports and this service does not. */
const NOT_RUN_HERE = new Set(['PathsQuery', 'StickinessQuery'])

const SUPPORTED = ['HogQLQuery', ...INSIGHT_KINDS].toSorted().join(', ')

/** Keys are sorted; a `response` is dropped. @throws 400, attr `query`, for an unsupported kind; 400 `parse_error` for an invalid query */
export function parseQuery(sent: Record<string, unknown>): EndpointQuery {
  const { kind } = sent
  if (typeof kind === 'string' && NOT_RUN_HERE.has(kind)) {
    throw invalid('query', `Query kind '${kind}' is not supported. Supported: ${SUPPORTED}.`)
  }
  if (typeof kind !== 'string' || !Object.hasOwn(QUERIES, kind)) {
    throw malformed(`query.kind: Input should be one of: ${SUPPORTED}.`)
  }
  const schema: z.ZodType = QUERIES[kind as keyof typeof QUERIES]
  requireEvents(sent.series)
  const query = upgraded(schema, { ...sent, response: null })
  const result = schema.safeParse(query)
  if (!result.success) {
    const { attr, detail } = firstFailure(result.error, query)
    const [issue] = result.error.issues
    const nearest =
      issue?.code === 'unrecognized_keys' ? nearestOption(schema, issue.path, issue.keys[0]!) : undefined
    const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`
    throw malformed(`${['query', ...(attr?.split('__') ?? [])].join('.')}: ${detail}${hint}`)
  }
  requireSupported(schema, result.data, kind)
  return inOrder(result.data as EndpointQuery)
}

/** Kinds of series that upstream has and this service has not. */
const OTHER_SERIES = new Set(['ActionsNode', 'DataWarehouseNode', 'GroupNode'])

/** @throws 400 `query` for actions, warehouse tables and groups of series */
function requireEvents(series: unknown): void {
  if (!Array.isArray(series)) return
  const other = (series as ({ kind?: unknown } | null)[]).find((node) => OTHER_SERIES.has(String(node?.kind)))
  if (other)
    throw invalid('query', `Series of kind '${String(other.kind)}' are not supported: use EventsNode.`)
}

const inOrder = (query: EndpointQuery): EndpointQuery =>
  Object.fromEntries(Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))) as EndpointQuery
