// Paths: what people do one after the other.
import type { PathsQuery } from '../../query/query-types'
import { spanOf, timesOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { pathsText } from './paths-text'

const DEFAULT_EDGES = 50

interface Edge {
  source: string
  target: string
  value: number
  average_conversion_time: number
}

/** Removes edges that no first step leads to. These exist because an edge before them is beyond the limits. */
function reachable(edges: readonly Edge[]): Edge[] {
  const bySource = Map.groupBy(edges, ({ source }) => source)
  const seen = new Set<string>()
  const waiting = [...bySource.keys()].filter((source) => source.startsWith('1_'))
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (seen.has(source)) continue
    seen.add(source)
    waiting.push(...(bySource.get(source) ?? []).map(({ target }) => target))
  }
  return edges.filter(({ source }) => seen.has(source))
}

export const pathsKind: InsightKind<PathsQuery> = {
  text: pathsText,
  times: (query, context) => timesOf({ current: spanOf(query.dateRange, 'day', context) }),
  page: ({ pathsFilter }) => ({ limit: pathsFilter?.edgeLimit ?? DEFAULT_EDGES, offset: 0 }),
  result: (_, rows) => ({
    results: reachable(
      rows.map(([source, target, value, average]) => ({
        source: String(source),
        target: String(target),
        value: Number(value),
        average_conversion_time: Number(average),
      })),
    ),
  }),
}
