// Measures: queries that count what only the data knows, such as how many rows match in a join. They are linear in what they read, and taken
// only where upper bounds would refuse a query.
import type { Expr, From, Item, Join, Select } from '../ir'
import { type JoinKey, sourcesBefore, sourcesIn } from '../joins'
import { all, selectOf } from '../resolve/build'
import { keyOf } from '../resolve/ir-walk'
import { FLOAT, INTEGER } from '../types'
import type { Amount } from './amount'
import type { Ledger } from './ledger'
import type { Scope, Wanted } from './scope'

/**
 * What measures numbers over the rows of a SELECT.
 * @returns adds one: the amount that it stands for, which is `bound` until the measure is taken.
 */
export function measuring(
  { ledger, ctes, canMeasure }: Pick<Scope, 'ledger' | 'ctes' | 'canMeasure'>,
  { from, where }: { from: From; where: readonly Expr[] },
): (wanted: Wanted, bound: Amount) => Amount {
  const { measured } = ledger.shared
  const sources = [from.source, ...from.joins.map(({ source }) => source)].map(({ id }) => id).join()
  const queries = new Map<Wanted['of'], { items: Item[]; measure: number }>()
  const queryOf = (of: Wanted['of']) => {
    const items: Item[] = []
    const query = selectOf({ ctes: [...ctes], items, from, where: conditionOf(where), aggregated: true })
    const made = queries.get(of) ?? { items, measure: ledger.addMeasure(query) }
    queries.set(of, made)
    return made
  }
  return ({ number, fn, of }, bound) => {
    const expr = aggregate(fn, number)
    // Measured before over these rows, or more of them.
    const key = `${sources} ${keyOf(expr)}`
    const known = measured.get(key)
    if (known !== undefined || !canMeasure) return known ?? bound
    const { items, measure } = queryOf(of)
    const amount: Amount = { op: 'measured', measure, column: items.push(itemOf(expr)) - 1, otherwise: bound }
    measured.set(key, amount)
    return amount
  }
}

const aggregate = (fn: string, ...args: Expr[]): Expr => ({
  node: 'aggregate',
  fn,
  args,
  params: [],
  distinct: false,
  filter: null,
  type: fn === 'count' ? INTEGER : FLOAT,
})

const conditionOf = (where: readonly Expr[]): Expr | null => (where.length === 0 ? null : all(where))

const itemOf = (expr: Expr): Item => ({ name: '', expr, type: expr.type })

interface Joined {
  from: From
  /** Place of the join. */
  index: number
  join: Join
  where: readonly Expr[]
  keys: readonly JoinKey[]
  /** Conditions on the source of the join. */
  conditions: readonly Expr[]
}

/**
 * How many pairs of rows match in a join: by key, the rows of one side times those of the other.
 * @param bound what it is at most.
 */
export function joinMeasure(
  { from, index, join, where, keys, conditions }: Joined,
  bound: Amount,
  { ledger, ctes, canMeasure }: Scope,
): Amount {
  const { measured } = ledger.shared
  const name = `join ${join.source.id}`
  const known = measured.get(name)
  if (known !== undefined || !canMeasure) return known ?? bound
  const before = sourcesBefore(from, index)
  const readsBefore = (condition: Expr) => sourcesIn(condition)?.isSubsetOf(before) === true
  const left = counted(
    ctes,
    { source: from.source, joins: from.joins.slice(0, index) },
    where.filter(readsBefore),
    keys.map((key) => key.left),
  )
  const right = counted(
    ctes,
    { source: join.source, joins: [] },
    conditions,
    keys.map((key) => key.right),
  )
  const rows = pairsOf(ledger, left, right, keys, bound)
  measured.set(name, rows)
  return rows
}

function pairsOf(
  ledger: Ledger,
  left: Select,
  right: Select,
  keys: readonly JoinKey[],
  bound: Amount,
): Amount {
  const [one, other] = [ledger.nextId(), ledger.nextId()]
  const column = (source: number, index: number, { items }: Select): Expr => ({
    node: 'column',
    source,
    column: `c${index}`,
    type: items[index]!.type,
  })
  const pairs: Expr = {
    node: 'arithmetic',
    op: '*',
    left: column(one, keys.length, left),
    right: column(other, keys.length, right),
    type: INTEGER,
  }
  const on = keys.map((_, index): Expr => ({
    node: 'compare',
    op: '=',
    left: column(one, index, left),
    right: column(other, index, right),
    type: INTEGER,
  }))
  const query = selectOf({
    items: [itemOf(aggregate('sum', { node: 'call', fn: 'toFloat', args: [pairs], type: FLOAT }))],
    from: {
      source: { kind: 'query', id: one, query: left },
      joins: [{ kind: 'inner', source: { kind: 'query', id: other, query: right }, on: all(on) }],
    },
    aggregated: true,
  })
  return { op: 'measured', measure: ledger.addMeasure(query), column: 0, otherwise: bound }
}

/** Keys, and how many rows have them. */
const counted = (ctes: Scope['ctes'], from: From, where: readonly Expr[], keys: readonly Expr[]): Select =>
  selectOf({
    ctes: [...ctes],
    items: [...keys.map(itemOf), itemOf(aggregate('count'))],
    from,
    where: conditionOf(where),
    groupBy: [...keys],
    aggregated: true,
  })
