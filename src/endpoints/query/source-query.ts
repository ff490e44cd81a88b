// The query inside a node for a user interface (`InsightVizNode` and the like).
import type { EndpointQuery, SourceQuery, WrapperQuery } from './query-types'

export const WRAPPER_KINDS = ['DataTableNode', 'DataVisualizationNode', 'InsightVizNode'] as const

export const isWrapper = (query: EndpointQuery): query is WrapperQuery =>
  (WRAPPER_KINDS as readonly string[]).includes(query.kind)

/** The query that a run computes. */
export const sourceOf = (query: EndpointQuery): SourceQuery => (isWrapper(query) ? query.source : query)
