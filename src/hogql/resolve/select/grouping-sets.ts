// GROUPING SETS, ROLLUP, CUBE and WITH TOTALS: a SELECT for each set of keys, all together. A key that a set does not have is NULL, or the
// default of a type that cannot be.
import { reject } from '../../error'
import type { Expr, Query, Select } from '../../ir'
import { aggregateCall, columnsOf, comparison, integer, literal, selectOf, unnamed } from '../../ir-build'
import type { ExprIndex } from '../../expr-index'
import { containsWindow, mapParts } from '../../ir-walk'
import type { Expression, SelectQuery } from '../../parser/ast'
import { INTEGER } from '../../types'
import type { Environment } from '../context/scope'
import type { Resolution } from '../context/resolution'
import { defaultOf } from '../expressions/aggregates'
import { resolveCtes } from '../names/ctes'
import { unifyLegs } from './unify-legs'

/** SELECTs that one with grouping sets becomes. */
export const MAX_GROUPING_SETS = 32

interface GroupingSets {
  keys: readonly Expression[]
  sets: readonly (readonly Expression[])[]
  /** The rows of the last set come last, whatever the order. */
  hasTotals: boolean
}

/** Null for a plain GROUP BY, or none. */
export function groupingSetsOf(node: SelectQuery): GroupingSets | null {
  const keys = node.group_by ?? []
  const mode = node.with_totals ? 'totals' : node.group_by_mode
  switch (mode ?? 'all') {
    case 'all':
      return null
    case 'rollup':
      return limited(
        node,
        keys,
        // All of them would have as many keys as the square of those that are written.
        Array.from({ length: Math.min(keys.length, MAX_GROUPING_SETS) + 1 }, (_, missing) =>
          keys.slice(0, keys.length - missing),
        ),
        keys.length + 1,
      )
    case 'cube':
      return limited(node, keys, subsetsOf(keys))
    case 'totals':
      return { keys, sets: [keys, []], hasTotals: true }
    case 'grouping_sets': {
      const sets = keys.map((set) =>
        'exprs' in set && Array.isArray(set.exprs) ? (set.exprs as Expression[]) : [set],
      )
      const texts = new Map(sets.flat().map((key) => [JSON.stringify(key, withoutPlaces), key]))
      return limited(node, [...texts.values()], sets)
    }
    default:
      return reject(node, `GROUP BY ${mode!.toUpperCase().replace('_', ' ')} is not supported`)
  }
}

const withoutPlaces = (name: string, value: unknown): unknown =>
  name === 'start' || name === 'end' ? undefined : value

/** @param count how many sets are written */
function limited(
  node: SelectQuery,
  keys: readonly Expression[],
  sets: GroupingSets['sets'],
  count = sets.length,
): GroupingSets {
  if (count > MAX_GROUPING_SETS) {
    reject(node, `GROUP BY has at most ${MAX_GROUPING_SETS} grouping sets, and this one ${count}`)
  }
  return { keys, sets, hasTotals: false }
}

/** All subsets, the whole first; one more than the limit where they are too many. */
const subsetsOf = (keys: readonly Expression[]): Expression[][] =>
  Array.from({ length: Math.min(2 ** keys.length, MAX_GROUPING_SETS + 1) }, (_, mask) =>
    keys.filter((_key, place) => ((mask >> place) & 1) === 0),
  )

/** @param resolveOne resolves the SELECT of one set */
export function resolveGroupingSets(
  r: Resolution,
  node: SelectQuery,
  { keys, sets, hasTotals }: GroupingSets,
  environment: Environment,
  resolveOne: (node: SelectQuery, environment: Environment, keys: readonly Expression[]) => Select,
): Query {
  if (node.limit_by || node.qualify) {
    reject(
      node,
      'LIMIT BY and QUALIFY beside grouping sets are not supported: select from them in a subquery',
    )
  }
  if (hasTotals && node.having) {
    reject(node.having, 'HAVING beside WITH TOTALS is not supported: select from it in a subquery')
  }
  const ctes = resolveCtes(r, node.ctes ?? [], environment)
  const legs = sets.map((set, index) => {
    r.addSelects(1, node)
    const leg = resolveOne(
      { ...node, ctes: null, group_by: [...set], group_by_mode: null, distinct: false },
      ctes.environment,
      keys,
    )
    if (leg.items.some(({ expr }) => containsWindow(expr))) {
      reject(node, 'Window functions beside grouping sets are not supported: select from them in a subquery')
    }
    const hidden = [...(hasTotals ? [integer(index)] : []), ...leg.orderBy.map(({ expr }) => expr)]
    const query: Select = {
      ...leg,
      items: [...leg.items, ...hidden.map(unnamed)],
      orderBy: [],
      limit: null,
      offset: 0,
      having: set.length === 0 && !hasTotals ? withRows(leg.having) : leg.having,
    }
    return { query, order: leg.orderBy }
  })
  const [first, ...rest] = legs
  if (first === undefined) reject(node, 'GROUPING SETS has at least one set', 'invalid_query')
  const { order } = first
  const others = rest.map((leg) => ({ operator: 'union all' as const, query: leg.query }))
  const query = unifyLegs(r, first.query, others, node)
  const id = r.nextId()
  const columns = columnsOf(query, id)
  const count = columns.length - order.length - (hasTotals ? 1 : 0)
  return selectOf({
    ctes: ctes.used(),
    distinct: node.distinct === true,
    items: columns.slice(0, count),
    from: { source: { kind: 'query', id, query }, joins: [] },
    orderBy: columns.slice(count).map(({ expr }, index) => ({
      expr,
      descending: order[hasTotals ? index - 1 : index]?.descending ?? false,
    })),
  })
}

/** Without rows there is no group of all. */
function withRows(having: Expr | null): Expr {
  const hasRows = comparison('>', aggregateCall('count', [], INTEGER), integer(0))
  return having ? { node: 'and', operands: [having, hasRows], type: INTEGER } : hasRows
}

interface KeysOfSet {
  own: ExprIndex<Expr>
  missing: ExprIndex<Expr>
}

/** Replaces keys that a set does not have, and `grouping(key)`. */
export function withoutKeys(expr: Expr, keys: KeysOfSet): Expr {
  if (expr.node === 'aggregate') return expr
  if (expr.node === 'call' && expr.fn === GROUPING) {
    const bits = expr.args.map((arg) => (keys.missing.find(arg) ? 1 : 0))
    return integer(bits.reduce<number>((number, bit) => number * 2 + bit, 0))
  }
  if (keys.own.find(expr)) return expr
  if (keys.missing.find(expr)) return nothingOf(expr)
  return mapParts(expr, { expr: (part) => withoutKeys(part, keys), query: (query) => query })
}

/** The name of a call that stands for `grouping(…)` until the keys of its set are known. */
const GROUPING = 'grouping'

function nothingOf(expr: Expr): Expr {
  const { type } = expr
  if (type.nullable) return literal(null, type)
  return defaultOf(type) ?? reject(null, `Grouping sets of a ${type.kind} are not supported`)
}
