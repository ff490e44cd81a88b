// Measures: queries that count what depends on the data, such as matching rows of a join. Their time is linear in what they read, and they
// are taken only when upper bounds exceed the budget.
import type { Cte, Expr, From, Item, Join, Select } from '../ir'
import { conjunctsOf, type JoinKey, sourcesBefore, sourcesIn } from '../joins'
import { aggregateCall, all, call, column, comparison, integer, selectOf, unnamed } from '../ir-build'
import { contains, containsAggregate, containsWindow, keyOf, sourcesOf } from '../ir-walk'
import { FLOAT, INTEGER } from '../types'
import { type Formula, least } from './formula'
import type { Costs, Scope, Measurement, Frame, Groups, Rows } from './scope'
import { MAX_LENGTH } from '../functions/limits'
import { type Totals, perRow, smaller, type Width } from './width'

/**
 * Returns the function that adds measures of a SELECT's rows. Its result is the formula of the measure, which has the value `bound` unless
 * the measure is taken.
 */
function measurer(
  { costs, ctes, canMeasure }: Pick<Scope, 'costs' | 'ctes' | 'canMeasure'>,
  { from, where }: { from: From; where: readonly Expr[] },
): (wanted: Measurement, bound: Formula) => Formula {
  const { measured } = costs.shared
  const sources = [from.source, ...from.joins.map(({ source }) => source)].map(({ id }) => id).join()
  const queries = new Map<Measurement['of'], { items: Item[]; measure: number }>()
  const queryOf = (of: Measurement['of']) => {
    const items: Item[] = []
    const query = selectOf({ ctes: [...ctes], items, from, where: conditionOf(where), aggregated: true })
    const made = queries.get(of) ?? { items, measure: costs.addMeasure(query) }
    queries.set(of, made)
    return made
  }
  return ({ number, fn, of }, bound) => {
    const expr = aggregateCall(fn, [number], FLOAT)
    // The same number may have been measured over these rows, or over more of them.
    const key = `${sources} ${keyOf(expr)}`
    const known = measured.get(key)
    if (known !== undefined || !canMeasure) return known ?? bound
    const { items, measure } = queryOf(of)
    const amount: Formula = {
      op: 'measured',
      measure,
      column: items.push(unnamed(expr)) - 1,
      otherwise: bound,
    }
    measured.set(key, amount)
    return amount
  }
}

const conditionOf = (where: readonly Expr[]): Expr | null => (where.length === 0 ? null : all(where))

interface Joined {
  from: From
  /** The index of the join in FROM. */
  index: number
  join: Join
  where: readonly Expr[]
  keys: readonly JoinKey[]
  /** Conditions on the source of the join. */
  conditions: readonly Expr[]
}

/**
 * Returns the number of matching pairs of rows: for each key, the product of the rows of both sides.
 * @param bound the upper bound
 */
export function joinMeasure(
  { from, index, join, where, keys, conditions }: Joined,
  bound: Formula,
  { costs, ctes, canMeasure }: Scope,
): Formula {
  const { joins, measured } = costs.shared
  const name = `join ${join.source.id}`
  const known = measured.get(name)
  if (known !== undefined || !canMeasure) return known ?? bound
  const before = sourcesBefore(from, index)
  const onLeft = where.filter((condition) => sourcesIn(condition)?.isSubsetOf(before) === true)
  const expressions = [onLeft, conditions, keys.flatMap((key) => [key.left, key.right])]
  const content = `${name}: ${expressions.map((each) => each.map(keyOf).join()).join(' | ')}`
  const left = counted(
    ctes,
    { source: from.source, joins: from.joins.slice(0, index) },
    onLeft,
    keys.map((key) => key.left),
  )
  const right = counted(
    ctes,
    { source: join.source, joins: [] },
    conditions,
    keys.map((key) => key.right),
  )
  const rows = joins.get(content) ?? pairsOf(costs, left, right, keys, bound)
  joins.set(content, rows)
  measured.set(name, rows)
  return rows
}

function pairsOf(
  costs: Costs,
  left: Select,
  right: Select,
  keys: readonly JoinKey[],
  bound: Formula,
): Formula {
  const [one, other] = [costs.nextId(), costs.nextId()]
  const sides = (index: number): [Expr, Expr] => [
    column(one, `c${index}`, left.items[index]!.type),
    column(other, `c${index}`, right.items[index]!.type),
  ]
  const [lefts, rights] = sides(keys.length)
  const pairs: Expr = { node: 'arithmetic', op: '*', left: lefts, right: rights, type: INTEGER }
  const on = keys.map((_, index) => comparison('=', ...sides(index)))
  const query = selectOf({
    items: [unnamed(aggregateCall('sum', [call('toFloat', pairs)], FLOAT))],
    from: {
      source: { kind: 'query', id: one, query: left },
      joins: [{ kind: 'inner', source: { kind: 'query', id: other, query: right }, on: all(on) }],
    },
    aggregated: true,
  })
  return { op: 'measured', measure: costs.addMeasure(query), column: 0, otherwise: bound }
}

/** Selects keys, each with its number of rows. */
const counted = (ctes: Scope['ctes'], from: From, where: readonly Expr[], keys: readonly Expr[]): Select =>
  selectOf({
    ctes: [...ctes],
    items: [...keys, aggregateCall('count', [], INTEGER)].map(unnamed),
    from,
    where: conditionOf(where),
    groupBy: [...keys],
    aggregated: true,
  })

/** Rows of a SELECT, and keys by which they are grouped. */
interface Grouped {
  from: From
  where: Expr | null
  keys: readonly Expr[]
}

/**
 * Returns the rows of tables from which a SELECT's groups come, through subqueries that hand their keys on. They have at least as many groups.
 * It is null where the keys come from anything else: the text of a measure would repeat at each level all levels within.
 */
function tablesOf(
  { from, where }: Pick<Select, 'from' | 'where'>,
  keys: readonly Expr[],
  ctes: readonly Cte[],
): Grouped | null {
  if (from === null) return null
  if (sourcesOf({ from }).every(({ kind }) => kind === 'table'))
    return ctes.length === 0 || ![where, ...keys].some(hasSubquery) ? { from, where, keys } : null
  const { source, joins } = from
  if (joins.length > 0) return null
  const cte = source.kind === 'cte' ? ctes.find(({ id }) => id === source.cte) : undefined
  const query = source.kind === 'query' ? source.query : cte?.query
  if (query?.kind !== 'select' || cte?.steps) return null
  const inner = keys.map((key) =>
    key.node === 'column' ? query.items[Number(key.column.slice(1))]!.expr : null,
  )
  const isHandedOn = (expr: Expr | null): expr is Expr =>
    expr !== null && !containsAggregate(expr) && !containsWindow(expr)
  return inner.every(isHandedOn) ? tablesOf(query, inner, [...ctes, ...query.ctes]) : null
}

const hasSubquery = (expr: Expr | null): boolean =>
  expr !== null &&
  contains(
    expr,
    (part) =>
      part.node === 'subquery' ||
      part.node === 'exists' ||
      (part.node === 'in' && part.choices.kind === 'query'),
  )

/**
 * Returns the number of groups of a SELECT's rows, and the rows of the largest one.
 * @param rows the upper bound of both
 */
export function groupMeasure(
  select: Pick<Select, 'from' | 'where'>,
  ownKeys: readonly Expr[],
  rows: Formula,
  { costs, ctes, canMeasure }: Scope,
): Groups {
  const tables = canMeasure ? tablesOf(select, ownKeys, ctes) : null
  if (tables === null) return { groups: rows, largest: rows }
  const { from, where, keys } = tables
  const sources = sourcesOf({ from }).map(({ id }) => id)
  const name = `groups ${sources.join()} ${keys.map(keyOf).join()}`
  // The rows of a group are those of the tables only where nothing is between.
  const of = (found: Groups): Groups => ({
    groups: least(found.groups, rows),
    largest: from === select.from ? found.largest : rows,
  })
  const known = costs.shared.groups.get(name)
  if (known) return of(known)
  const id = costs.nextId()
  const query = counted([], from, conjunctsOf(where), keys)
  const size = column(id, `c${keys.length}`, INTEGER)
  const items = [aggregateCall('count', [], INTEGER), aggregateCall('max', [size], INTEGER)].map(unnamed)
  const measure = costs.addMeasure(
    selectOf({ items, from: { source: { kind: 'query', id, query }, joins: [] }, aggregated: true }),
  )
  const at = (index: number): Formula => ({ op: 'measured', measure, column: index, otherwise: rows })
  const found = { groups: at(0), largest: at(1) }
  costs.shared.groups.set(name, found)
  return of(found)
}

/** Returns an expression for the bytes of a value. An array or a tuple is its text on SQLite. */
function bytesOf(expr: Expr): Expr {
  const { kind, nullable } = expr.type
  if (kind === 'string') return call('length', expr)
  const isList = expr.node === 'column' && (kind === 'array' || kind === 'tuple')
  return call('length', isList ? { ...expr, type: { kind: 'string', nullable } } : call('toString', expr))
}

/**
 * Returns the number of elements of arrays, which is measured unless it is constant. That of `range` is what its arguments say, and that of
 * `arrayMap` that of its array.
 */
export function measuredItems(expr: Expr, items: Totals, frame: Frame): Totals {
  const { measure } = frame
  const isCall = expr.node === 'call'
  if (isCall && expr.fn === 'arrayMap') return measuredItems(expr.args[1]!, items, frame)
  if (typeof items.sum === 'number' || !measure || (isCall && expr.fn === 'range')) return items
  return {
    sum: measure({ number: call('length', expr), fn: 'sum', of: 'counts' }, items.sum),
    max: items.max,
  }
}

/** Returns the width of a value, which is measured when only the size of its document is known. */
export function measuredValue(expr: Expr, value: Width, frame: Frame): Width {
  const { measure } = frame
  const { max, sum } = value.bytes
  if (typeof max === 'number' || !measure) return value
  if (expr.node === 'call' && expr.type.kind === 'array') {
    return { ...value, items: measuredItems(expr, value.items, frame) }
  }
  if (expr.node !== 'property' && expr.node !== 'column') return value
  const number = bytesOf(expr)
  const bytes = {
    sum: measure({ number, fn: 'sum', of: 'values' }, sum),
    max: measure({ number, fn: 'max', of: 'values' }, max),
  }
  return { ...value, bytes, stored: value.stored && { ...value.stored, bytes } }
}

/** Returns the value of an integer argument, from 0 to `MAX_LENGTH`. It is measured unless it is constant. */
export function countOf(expr: Expr, { count }: Width, { rows, measure }: Frame): Totals {
  const unknown = perRow(rows, MAX_LENGTH)
  const bound = count ? smaller(count, unknown) : unknown
  if (!measure || expr.node === 'literal' || expr.node === 'variable') return bound
  const number = call('least', call('greatest', call('toInt64', expr), integer(0)), integer(MAX_LENGTH))
  return { sum: measure({ number, fn: 'sum', of: 'counts' }, bound.sum), max: bound.max }
}

/**
 * Returns the frame of the rows that a FROM gives.
 * @param read the clauses that give the rows, when they can be measured
 */
export function frameOf(
  scope: Scope,
  { rows, columns }: Rows,
  read: { from: From | null; where: readonly Expr[] } | null,
): Frame {
  const { costs } = scope
  return {
    costs,
    rows,
    column(expr) {
      const found = columns.get(expr.source)?.(expr.column)
      if (found) return found
      throw new Error(`no source ${expr.source}`)
    },
    element(parameter) {
      throw new Error(`no lambda parameter ${parameter}`)
    },
    windows: new Set(),
    measure: read?.from ? measurer(scope, { from: read.from, where: read.where }) : null,
    query: (query, own) => scope.estimate(query, { ...scope, costs: own }),
  }
}
