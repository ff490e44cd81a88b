// Converts a resolved query to one that SQLite can express. Each pass takes and returns IR, and the printer writes the result.
import { HogqlError } from '../error'
import { findFunction } from '../functions/catalogue'
import type { Expr, Item, Query, Select, SetOperation } from '../ir'
import {
  aggregateCall,
  branch,
  call,
  column,
  columnsOf,
  comparison,
  integer,
  selectOf,
  windowCall,
} from '../ir-build'
import { idsIn, mapParts, partsOf } from '../ir-walk'
import { INTEGER } from '../types'
import { lowerAggregation } from './lower-aggregation'
import { lowerChains } from './lower-chains'
import { lowerJoins } from './lower-joins'
import { lowerWindowOrders, orderByItems } from './lower-order'
import { lowerReads } from './lower-reads'
import { lowerEdges, lowerLimitBy, lowerWindows } from './lower-windows'

/** @param isUtc whether the project's time zone is UTC */
export function lower(query: Query, isUtc: boolean): Query {
  let id = Math.max(0, ...idsIn(query))
  const nextId = () => ++id
  const ctes = new Map<number, Query>()
  const lowerSelect = (select: Select): Select => {
    if (select.groupingSets) {
      throw new HogqlError(
        'GROUPING SETS, ROLLUP, CUBE and WITH TOTALS need the ClickHouse engine. In the built-in database, join a SELECT for each set by UNION ALL.',
      )
    }
    const read = lowerReads(oneRow(select), ctes, nextId)
    const grouped = lowerAggregation(lowerJoins(read), nextId, isUtc)
    const windowed = lowerWindows(lowerEdges(lowerWindowOrders(grouped), nextId), nextId)
    const limited = lowerLimitBy(windowed, nextId)
    return { ...limited, orderBy: orderByItems(limited.orderBy) }
  }
  // An expression that a SELECT has twice, such as in GROUP BY, is recognized by its subqueries, too: they get the same numbers.
  const lowered = new Map<Query, Query>()
  const lowerQuery = (inner: Query): Query => {
    for (const cte of inner.ctes) ctes.set(cte.id, cte.query)
    const mapped = mapParts(inner, change)
    return mapped.kind === 'set' ? lowerSet(mapped, nextId) : lowerSelect(mapped)
  }
  const change = {
    expr: (expr: Expr): Expr => gatheredFirst(mapParts(expr, change)),
    query: (inner: Query): Query => {
      const result = lowered.get(inner) ?? lowerQuery(inner)
      lowered.set(inner, result)
      return result
    },
  }
  return lowerChains(change.query(query), nextId)
}

/** Converts an aggregate that returns some of the values that it gathers to a function of the array of all gathered values. */
function gatheredFirst(expr: Expr): Expr {
  if (expr.node !== 'aggregate' && expr.node !== 'window') return expr
  const spec = findFunction(expr.fn)
  const keeps = spec?.kind === 'aggregate' ? spec.keeps : undefined
  const count = keeps?.count(expr.params) ?? null
  if (count === null) return expr
  const type = keeps?.gathered?.(expr.args.map((arg) => arg.type)) ?? expr.type
  // Rows before OVER are not ranked, so that the array has all values.
  const params = expr.node === 'window' ? [] : expr.params
  return { node: 'call', fn: expr.fn, args: [{ ...expr, params, type }, integer(count)], type: expr.type }
}

const ALWAYS = comparison('>=', aggregateCall('count', [], INTEGER), integer(0))

/**
 * Removes the ORDER BY of a SELECT that aggregates all rows, in which SQLite allows no aggregates, and adds an aggregate to its items,
 * because SQLite returns one row only with an aggregate, and takes HAVING only with one outside of windows.
 */
function oneRow(select: Select): Select {
  if (!select.aggregated || select.groupBy.length > 0) return select
  const [first, ...rest] = select.items
  if (!first || select.items.some(({ expr }) => aggregates(expr))) return { ...select, orderBy: [] }
  const { type } = first
  const expr: Expr = { node: 'case', branches: [branch(ALWAYS, first.expr)], otherwise: null, type }
  return { ...select, items: [{ ...first, expr }, ...rest], orderBy: [] }
}

/** Returns whether an expression has an aggregate outside of windows. */
const aggregates = (expr: Expr): boolean =>
  expr.node === 'aggregate' || (expr.node !== 'window' && partsOf(expr).some(aggregates))

/** The most terms of one compound SELECT on D1. */
const MAX_TERMS = 5

/**
 * Lowers a set operation to one of few terms of the same types. INTERSECT and EXCEPT ALL are replaced, because SQLite does not have them.
 */
function lowerSet(set: SetOperation, nextId: () => number): SetOperation {
  const leg = (query: Query) => asTypes(query, set.items, nextId)
  const compound = (initial: Query, rest: SetOperation['rest']): SetOperation => ({
    kind: 'set',
    ctes: [],
    items: set.items,
    limit: null,
    offset: 0,
    initial,
    rest,
  })
  let whole = compound(leg(set.initial), [])
  for (const { operator, query: next } of set.rest) {
    const query = leg(next)
    if (operator === 'intersect' || operator === 'except') {
      const rest = [{ operator: `${operator} distinct` as const, query: numbered(query, nextId) }]
      const pairs = compound(numbered(whole, nextId), rest)
      const id = nextId()
      const counted: SetOperation = { ...pairs, items: [...set.items, NUMBER] }
      const items = set.items.map((item, at) => ({ ...item, expr: column(id, `c${at}`, item.type) }))
      whole = compound(
        selectOf({ items, from: { source: { kind: 'query', id, query: counted }, joins: [] } }),
        [],
      )
    } else if (whole.rest.length + 1 === MAX_TERMS) {
      whole = compound(whole, [{ operator, query }])
    } else {
      whole.rest.push({ operator, query })
    }
  }
  return { ...set, initial: whole.initial, rest: whole.rest }
}

type Column = Omit<Item, 'expr'>

/** Returns the query with dates converted to datetimes in columns that are datetimes. */
function asTypes(query: Query, due: readonly Column[], nextId: () => number): Query {
  const isDate = ({ type }: Column, index: number) =>
    type.kind === 'date' && due[index]?.type.kind === 'datetime'
  if (!query.items.some(isDate)) return query
  const id = nextId()
  const items = columnsOf(query, id).map((item, index) =>
    isDate(item, index) ? { ...item, expr: call('toDateTime', item.expr) } : item,
  )
  return selectOf({ items, from: { source: { kind: 'query', id, query }, joins: [] } })
}

const NUMBER: Column = { name: '', type: INTEGER }

/**
 * Returns the rows with a number that distinguishes equal ones: of three rows and two equal ones, two are in both queries, and one is left.
 */
function numbered(query: Query, nextId: () => number): Query {
  const id = nextId()
  const items = columnsOf(query, id)
  const over = { partitionBy: items.map(({ expr }) => expr), orderBy: [], frame: null }
  const number = windowCall('row_number', over)
  return selectOf({
    items: [...items, { ...NUMBER, expr: number }],
    from: { source: { kind: 'query', id, query }, joins: [] },
  })
}
