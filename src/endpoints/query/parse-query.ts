// Parses the `query` of a body, with every default.
import type * as z from 'zod'
import { invalid, malformed } from '../../errors'
import { firstFailure } from '../../http/validation'
import * as schemas from './query-schemas'
import { nearestOption, requireSupported } from './query-options'
import { type EndpointQuery, INSIGHT_KINDS } from './query-types'
import { WRAPPER_KINDS } from './source-query'
import { DataTableNode, DataVisualizationNode, InsightVizNode } from './wrapper-schemas'

const { HogqlQuery, ...insights } = schemas
const QUERIES: Readonly<Record<string, z.ZodType>> = { HogQLQuery: HogqlQuery, ...insights }
const WRAPPERS: Readonly<Record<string, z.ZodType>> = { DataTableNode, DataVisualizationNode, InsightVizNode }

const SOURCES: readonly string[] = ['HogQLQuery', ...INSIGHT_KINDS].toSorted()
const KINDS: readonly string[] = [...SOURCES, ...WRAPPER_KINDS].toSorted()

/**
 * Parses a query. It sorts keys and drops a `response`.
 * @throws 400, attr `query`, for an unsupported option; 400 `parse_error` for an invalid query
 */
export function parseQuery(sent: Record<string, unknown>): EndpointQuery {
  const kind = requireKind(sent, KINDS, 'query')
  if (!Object.hasOwn(WRAPPERS, kind)) return parseKind(QUERIES[kind]!, sent, 'query')
  const node = parseKind(WRAPPERS[kind]!, sent, 'query')
  const source = sent.source as Record<string, unknown>
  const sourceKind = requireKind(source, SOURCES, 'query.source')
  return { ...node, source: parseKind(QUERIES[sourceKind]!, source, 'query.source') } as EndpointQuery
}

function requireKind({ kind }: Record<string, unknown>, kinds: readonly string[], path: string): string {
  if (typeof kind === 'string' && kinds.includes(kind)) return kind
  throw malformed(`${path}.kind: Input should be one of: ${kinds.join(', ')}.`)
}

function parseKind(schema: z.ZodType, sent: Record<string, unknown>, path: string): EndpointQuery {
  requireEvents(sent.series)
  const query = 'response' in sent ? { ...sent, response: null } : sent
  const result = schema.safeParse(query)
  if (!result.success) {
    const { attr, detail } = firstFailure(result.error, query)
    const [issue] = result.error.issues
    const nearest =
      issue?.code === 'unrecognized_keys' ? nearestOption(schema, issue.path, issue.keys[0]!) : undefined
    const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`
    throw malformed(`${[path, ...(attr?.split('__') ?? [])].join('.')}: ${detail}${hint}`)
  }
  requireSupported(schema, result.data, String(sent.kind))
  return inOrder(result.data as EndpointQuery)
}

/** Kinds of series that upstream has and this service does not support. */
const OTHER_SERIES = new Set(['DataWarehouseNode', 'GroupNode'])

/** @throws 400 `query` for warehouse tables and groups of series */
function requireEvents(series: unknown): void {
  if (!Array.isArray(series)) return
  const kinds = (series as ({ kind?: unknown } | null)[]).map((node) => node?.kind)
  const other = kinds.find((kind) => typeof kind === 'string' && OTHER_SERIES.has(kind))
  if (typeof other === 'string')
    throw invalid('query', `Series of kind '${other}' are not supported: use EventsNode or ActionsNode.`)
}

const inOrder = (query: EndpointQuery): EndpointQuery =>
  Object.fromEntries(Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))) as EndpointQuery
