// Lowers SELECTs with aggregates. Most stay one SELECT. Others become up to four, each around the previous one: the rows, with group keys
// and arguments of aggregates as columns; the same rows with their positions in order; the groups; and the expressions over the groups.
import { findFunction } from '../functions/catalogue'
import type { AggregateFunction } from '../functions/spec'
import { rejectUnordered } from '../functions/sqlite-values'
import type { Aggregate, Expr, From, Order, Select } from '../ir'
import { isConstant } from '../joins'
import { all, call, isNull, windowCall } from '../ir-build'
import { ExprIndex } from '../expr-index'
import { contains, keyOf, partsOf } from '../ir-walk'
import { orderByItems } from './lower-order'
import { mapResult, replacing, resultOf, Stage, standsInPlace } from './stage'
import { usesOfAggregate } from './uses'

/**
 * @param select with its subqueries lowered
 * @param nextId gives ids for sources
 * @param isUtc whether days begin at midnight of UTC
 */
export function lowerAggregation(select: Select, nextId: () => number, isUtc: boolean): Select {
  if (!select.aggregated) return select
  const result = resultOf(select)
  // An expression that is both selected and in ORDER BY is written once.
  const aggregates = [...new Map(result.map((expr) => [keyOf(expr), expr])).values()].flatMap(aggregatesIn)
  const days = select.groupBy.map((key) => (isUtc ? null : startedDay(key)))
  const restored = days.some((day) => day !== null)
  const rows = new Rows(select, days, aggregates, nextId)
  if (!restored && result.every((expr) => standsInPlace(expr, isAggregate))) {
    const key = keyed(select.groupBy, rows.keys)
    const change = replacing((expr) => key(expr) ?? (isAggregate(expr) ? rows.aggregate(expr) : null), key)
    return {
      ...select,
      ...mapResult(select, change),
      from: rows.from(),
      where: rows.where,
      groupBy: rows.keys,
    }
  }
  const groups = new Stage(nextId())
  const key = keyed(
    select.groupBy,
    rows.keys.map((each, index) => {
      const column = groups.column(each)
      return days[index] ? { ...call('toStartOfDay', column), type: select.groupBy[index]!.type } : column
    }),
  )
  const change = replacing(
    (expr) => key(expr) ?? (isAggregate(expr) ? groups.column(rows.aggregate(expr)) : null),
    key,
  )
  const { having, ...outer } = mapResult(select, change)
  const from = groups.from({ from: rows.from(), where: rows.where, groupBy: rows.keys, aggregated: true })
  return { ...select, ...outer, from, where: having, groupBy: [], aggregated: false, having: null }
}

const isAggregate = (expr: Expr): expr is Aggregate => expr.node === 'aggregate'

const aggregatesIn = (expr: Expr): Aggregate[] =>
  isAggregate(expr) ? [expr] : partsOf(expr).flatMap(aggregatesIn)

/** Returns the column of a group key, or null for every other expression. */
function keyed(groupBy: readonly Expr[], columns: readonly Expr[]): (expr: Expr) => Expr | null {
  const known = new ExprIndex<Expr>()
  for (const [index, key] of groupBy.entries()) known.add(key, columns[index]!)
  return (expr) => known.find(expr) ?? null
}

function aggregateNamed(name: string): AggregateFunction {
  const spec = findFunction(name)
  if (spec?.kind !== 'aggregate') throw new Error(`${name} is no aggregate function`)
  return spec
}

/** The keys within which the rows of a group are ranked, and their order. */
interface Ranks {
  among: Expr[]
  order: Order[]
  isCounted: boolean
}

/** Returns how an aggregate needs its rows ranked, or null for most aggregates. */
function rankingOf(node: Aggregate): Ranks | null {
  const { fn, args } = node
  const types = args.map(({ type }) => type)
  const ranking = aggregateNamed(fn).ranked?.(types, node) ?? null
  if (ranking === null) return null
  const isCounted = ranking.counted ?? false
  if ('amongEqual' in ranking) return { among: [args[ranking.amongEqual]!], order: [], isCounted }
  if (ranking.by === 'reading') return { among: [], order: [], isCounted }
  const order = orderByItems([{ expr: args[ranking.by]!, descending: ranking.descending }])
  rejectUnordered(
    fn,
    order.map(({ expr }) => expr.type),
  )
  return { among: [], order, isCounted }
}

/** Returns the computed arguments and filters that the SQL of aggregates would repeat. */
function repeatedValues(aggregates: readonly Aggregate[]): Expr[] {
  const uses = new Map<string, { expr: Expr; count: number }>()
  const use = (expr: Expr, count: number) => {
    if (expr.node === 'column' || isConstant(expr)) return
    const known = uses.get(keyOf(expr))?.count ?? 0
    uses.set(keyOf(expr), { expr, count: known + count })
  }
  for (const node of aggregates) {
    const counts = usesOfAggregate(node)
    node.args.forEach((arg, index) => use(arg, counts[index]!))
    if (node.filter) use(node.filter, 1)
  }
  return [...uses.values()].flatMap(({ expr, count }) => (count > 1 ? [expr] : []))
}

const COMPARISONS = new Set<Expr['node']>([
  'and',
  'clock',
  'column',
  'compare',
  'isNull',
  'literal',
  'not',
  'or',
  'variable',
])
const MAX_COMPARED = 12

/** Returns whether an expression is a few comparisons of columns, which take no time worth mentioning. */
function isCheap(expr: Expr): boolean {
  let size = 0
  return !contains(expr, ({ node }) => !COMPARISONS.has(node) || ++size > MAX_COMPARED)
}

/**
 * Returns whether an expression reads a property. Columns with a `$` are computed from properties, too. A lookup of results counts as well:
 * in an aggregate, it would search without an index.
 */
const isRead = (expr: Expr): boolean =>
  expr.node === 'property' ||
  expr.node === 'lookup' ||
  (expr.node === 'column' && expr.column.startsWith('$'))

/**
 * Returns whether groups, or expressions over them, read properties. SQLite groups rows by sorting them with every column that is read of
 * them: whole documents, which are parsed again for every use. Reading the needed values first, in a separate SELECT, takes three quarters
 * of the time over 140,000 events.
 */
const readsDocuments = (select: Select): boolean =>
  select.groupBy.length > 0 && [...select.groupBy, ...resultOf(select)].some((expr) => contains(expr, isRead))

/**
 * Returns the moment of which an expression is the start of the day, or null for every other expression. In a time zone, rows are grouped
 * by the day, and its start is computed once per group.
 */
function startedDay(expr: Expr): Expr | null {
  if (expr.node !== 'call') return null
  const [first, second] = expr.args
  const isDay = first?.node === 'literal' && first.value === 'day'
  const moment =
    expr.fn === 'toStartOfDay' && expr.args.length === 1
      ? first
      : expr.fn === 'dateTrunc' && expr.args.length === 2 && isDay
        ? second
        : undefined
  return moment?.type.kind === 'datetime' && !moment.type.zone ? moment : null
}

/** The rows that a SELECT groups: those of its FROM, or of an inner SELECT whose columns are the values that are read. */
class Rows {
  readonly where: Expr | null
  readonly keys: Expr[]
  readonly isSeparate: boolean
  readonly #select: Select
  readonly #isApart: boolean
  readonly #values: Stage
  readonly #keyValues: Expr[]
  /** The same rows with their positions in order. */
  readonly #ranked: Stage | null

  constructor(
    select: Select,
    days: readonly (Expr | null)[],
    aggregates: readonly Aggregate[],
    nextId: () => number,
  ) {
    const isRanked = aggregates.some((each) => rankingOf(each) !== null)
    this.#select = select
    const repeated = repeatedValues(aggregates)
    // Merged with the query around it, the inner SELECT would compute a value at each place where an aggregate reads it. An index may give the
    // groups in order, which is worth more than a comparison.
    const isWorthwhile = select.groupBy.length === 0 || !repeated.every(isCheap)
    this.#isApart = readsDocuments(select) || (repeated.length > 0 && isWorthwhile && !isRanked)
    this.isSeparate = this.#isApart || isRanked || repeated.length > 0
    this.#values = new Stage(nextId())
    this.#ranked = isRanked ? new Stage(nextId()) : null
    this.where = this.isSeparate ? null : select.where
    const keys = select.groupBy.map((key, index) => {
      const day = days[index]
      return day ? call('toDate', day) : key
    })
    this.#keyValues = keys.map((key) => this.#values.column(key))
    this.keys = this.isSeparate ? keys.map((key) => this.#column(key)) : keys
  }

  /** Returns the aggregate over the columns. */
  aggregate(node: Aggregate): Aggregate {
    if (!this.isSeparate) return node
    const column = (expr: Expr) => (isConstant(expr) ? expr : this.#column(expr))
    const lowered = { ...node, args: node.args.map(column), filter: node.filter && column(node.filter) }
    const ranking = rankingOf(node)
    return ranking ? { ...lowered, rank: this.#rank(node, ranking) } : lowered
  }

  from(): From | null {
    if (!this.isSeparate) return this.#select.from
    const { from, where } = this.#select
    const values = this.#values.from({ from, where }, this.#isApart)
    return this.#ranked ? this.#ranked.from({ from: values }) : values
  }

  #column(expr: Expr): Expr {
    const value = this.#values.column(expr)
    return this.#ranked ? this.#ranked.column(value) : value
  }

  /** Returns positions among the rows that count: those for which the filter is true and no argument is NULL. */
  #rank({ args, filter }: Aggregate, { among, order, isCounted }: Ranks): Aggregate['rank'] {
    const value = (each: Expr) => this.#values.column(each)
    const counting = [
      ...(filter ? [value(filter)] : []),
      ...args.filter(({ type }) => type.nullable).map((arg) => isNull(value(arg), true)),
    ]
    const partitionBy = [
      ...this.#keyValues,
      ...among.map(value),
      ...(counting.length > 0 ? [all(counting)] : []),
    ]
    const over = (fn: 'row_number' | 'count', orderBy: Order[]): Expr =>
      this.#ranked!.column(windowCall(fn, { partitionBy, orderBy, frame: null }))
    return {
      place: over(
        'row_number',
        order.map(({ expr, descending }) => ({ expr: value(expr), descending })),
      ),
      count: isCounted ? over('count', []) : null,
    }
  }
}
