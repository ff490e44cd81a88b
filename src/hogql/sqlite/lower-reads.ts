// SQLite merges a subquery with the SELECT that reads it, and then computes a column again wherever that is read: sorting the array of a session
// for each of its elements takes the square of the time. Such a subquery is kept apart, so that its columns are computed once a row.
import type { Expr, Query, Select, Source } from '../ir'
import { columnsOf, selectOf } from '../ir-build'
import { contains, partsOf, sourcesOf } from '../ir-walk'

/** @param ctes the queries of all CTEs, by id */
export function lowerReads(select: Select, ctes: ReadonlyMap<number, Query>, nextId: () => number): Select {
  const { from } = select
  const readsOften =
    from && (from.joins.length > 0 || partsOf(select).some((part) => contains(part, isLambda)))
  if (!readsOften) return select
  const apart = (source: Source): Source => {
    const query = queryOf(source, ctes)
    if (query === undefined || !computesArrays(query, ctes)) return source
    if (source.kind === 'query') return { ...source, apart: true }
    const id = nextId()
    const read = selectOf({ items: columnsOf(query, id), from: { source: { ...source, id }, joins: [] } })
    return { kind: 'query', id: source.id, query: read, apart: true }
  }
  const joins = from.joins.map((join) => ({ ...join, source: apart(join.source) }))
  return { ...select, from: { source: apart(from.source), joins } }
}

const queryOf = (source: Source, ctes: ReadonlyMap<number, Query>): Query | undefined =>
  source.kind === 'query' ? source.query : source.kind === 'cte' ? ctes.get(source.cte) : undefined

const isLambda = ({ node }: Expr): boolean => node === 'lambda'

/** Returns whether an expression is a loop over elements, or a search in a table of results. */
const isLoop = (expr: Expr): boolean =>
  expr.node === 'lookup' ||
  (expr.node === 'call' && [expr, ...expr.args].some(({ type }) => type.kind === 'array'))

/** Whether a query computes arrays. CTEs may read each other many times. */
const known = new WeakMap<Query, boolean>()

/** Returns whether a column of a query, or of what the database may merge with it, has a loop. */
function computesArrays(query: Query, ctes: ReadonlyMap<number, Query>): boolean {
  const found = known.get(query) ?? findLoop(query, ctes)
  known.set(query, found)
  return found
}

function findLoop(query: Query, ctes: ReadonlyMap<number, Query>): boolean {
  if (query.kind === 'set')
    return [query.initial, ...query.rest.map((leg) => leg.query)].some((leg) => computesArrays(leg, ctes))
  if (query.items.some(({ expr }) => contains(expr, isLoop))) return true
  return sourcesOf(query).some((source) => {
    const inner = source.kind === 'query' && source.apart ? undefined : queryOf(source, ctes)
    return inner !== undefined && computesArrays(inner, ctes)
  })
}
