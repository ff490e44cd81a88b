// Lowers long chains of CTEs. SQLite adds up the depth of the expressions of nested queries, and rejects more than 100 levels, but a CTE
// that was parsed before adds none. Some CTEs of a chain are therefore read first, next to the query and not inside it.
import type { Cte, Expr, Query, Select, Source } from '../ir'
import { aggregateCall, selectOf, unnamed } from '../ir-build'
import { partsOf, queriesOf, sourcesOf } from '../ir-walk'
import { INTEGER } from '../types'

/** The most CTEs that read each other before one is read first. */
const MAX_CHAIN = 8
const LINKS = 4

/** @param query the whole query, lowered */
export function lowerChains(query: Query, nextId: () => number): Query {
  if (query.kind === 'set' || query.from === null) return query
  const longest = Math.max(0, ...depthsOf(query.ctes, Infinity).values())
  if (longest <= MAX_CHAIN) return query
  const first = [...depthsOf(query.ctes, LINKS)].flatMap(([cte, depth]) => (depth === LINKS ? [cte] : []))
  const [source, ...others] = [...first.map((cte) => counted(cte, nextId)), query.from.source]
  if (source === undefined) return query
  const joins = others.map((other) => ({ kind: 'cross' as const, source: other, on: null }))
  return { ...query, from: { source, joins: [...joins, ...query.from.joins] } }
}

/** Returns for each CTE the length of the chain of CTEs up to it. After `most` CTEs, counting starts again. */
function depthsOf(ctes: readonly Cte[], most: number): Map<number, number> {
  const depths = new Map<number, number>()
  for (const { id, query, steps = [] } of ctes) {
    const read = [query, ...steps].flatMap(ctesIn).map((cte) => depths.get(cte) ?? 0)
    depths.set(id, 1 + Math.max(0, ...read.map((depth) => (depth >= most ? 0 : depth))))
  }
  return depths
}

function ctesIn(part: Query | Expr): number[] {
  const own = 'kind' in part && part.kind === 'select' ? sourcesOf(part) : []
  return [
    ...own.flatMap((source) => (source.kind === 'cte' ? [source.cte] : [])),
    ...[...partsOf(part), ...queriesOf(part)].flatMap(ctesIn),
  ]
}

/** Returns a source of one row, for which all rows of the CTE are computed. */
function counted(cte: number, nextId: () => number): Source {
  const query: Select = selectOf({
    items: [unnamed(aggregateCall('count', [], INTEGER))],
    from: { source: { kind: 'cte', id: nextId(), cte }, joins: [] },
    aggregated: true,
  })
  return { kind: 'query', id: nextId(), query }
}
