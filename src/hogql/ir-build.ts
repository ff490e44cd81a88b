// Makers of resolved expressions, with their types.
import { findFunction } from './functions/catalogue'
import type { Aggregate, CompareOp, Expr, Item, Literal, Query, Select, Window } from './ir'
import { BOOLEAN, FLOAT, inZoneOf, INTEGER, NULL, nullable, STRING, type Type } from './types'

export const literal = (value: Literal, type: Type): Expr => ({ node: 'literal', value, type })

export const TRUE: Expr = literal(true, BOOLEAN)
export const NULL_LITERAL: Expr = literal(null, NULL)

export const integer = (value: number): Expr => literal(value, INTEGER)
export const text = (value: string): Expr => literal(value, STRING)

/** A number as a literal: an integer where it is one that numbers hold exactly. */
export const number = (value: number): Expr => literal(value, Number.isSafeInteger(value) ? INTEGER : FLOAT)

/** A call of a scalar function of the catalogue that the resolver itself puts in. */
export function call(name: string, ...args: Expr[]): Expr {
  const spec = findFunction(name)
  if (spec?.kind !== 'scalar') throw new Error(`The catalogue has no scalar function ${name}`)
  const types = args.map((arg) => arg.type)
  const type = inZoneOf(spec.returns(types, args.map(literalOf)), types)
  return { node: 'call', fn: spec.name, args, type }
}

/** An integer of 1 or 0, or NULL when an operand may be. */
const logical = (operands: readonly Expr[]): Type =>
  operands.some(({ type }) => type.nullable) ? nullable(INTEGER) : INTEGER

/** Joins operands with AND. A single one stands for itself, and none is true. */
export function all(operands: readonly Expr[]): Expr {
  const [first, ...rest] = operands
  if (first === undefined) return TRUE
  return rest.length === 0 ? first : { node: 'and', operands: [...operands], type: logical(operands) }
}

/** Any of the operands, of which there is at least one. */
export const any = (operands: readonly [Expr, ...Expr[]]): Expr =>
  operands.length === 1 ? operands[0] : { node: 'or', operands: [...operands], type: logical(operands) }

export const not = (operand: Expr): Expr => ({ node: 'not', operand, type: logical([operand]) })

export const isNull = (operand: Expr, negated = false): Expr => ({
  node: 'isNull',
  negated,
  operand,
  type: INTEGER,
})

type Branch = Extract<Expr, { node: 'case' }>['branches'][number]

/** A branch of a `case`. Its `then` makes no promise of it. */
// oxlint-disable-next-line unicorn/no-thenable
export const branch = (when: Expr, value: Expr): Branch => ({ when, then: value })

/** The value of a literal, or undefined for everything else. */
export const literalOf = (expr: Expr): Literal | undefined =>
  expr.node === 'literal' ? expr.value : undefined

export const isNullLiteral = (expr: Expr): boolean => literalOf(expr) === null

/** A window function without arguments that counts rows. */
export const windowCall = (fn: 'row_number' | 'count', over: Window): Expr => ({
  node: 'window',
  fn,
  args: [],
  params: [],
  filter: null,
  over,
  type: INTEGER,
})

/** A comparison of operands whose types are comparable. */
export const comparison = (op: CompareOp, left: Expr, right: Expr): Expr => ({
  node: 'compare',
  op,
  left,
  right,
  type: INTEGER,
})

export const column = (source: number, key: string, type: Type): Expr => ({
  node: 'column',
  source,
  column: key,
  type,
})

/** An aggregate of all rows. */
export const aggregateCall = (fn: string, args: Expr[], type: Type): Aggregate => ({
  node: 'aggregate',
  fn,
  args,
  params: [],
  distinct: false,
  filter: null,
  type,
})

/** An expression as a column without a name. */
export const unnamed = (expr: Expr): Item => ({ name: '', expr, type: expr.type })

/** The columns of a query as items of the SELECT that reads it. */
export const columnsOf = ({ items }: Query, source: number): Item[] =>
  items.map(({ name, type }, index) => ({ name, type, expr: column(source, `c${index}`, type) }))

/** A SELECT of which nothing is said but what is given. */
export const selectOf = (given: Pick<Select, 'items' | 'from'> & Partial<Select>): Select => ({
  kind: 'select',
  ctes: [],
  distinct: false,
  where: null,
  groupBy: [],
  aggregated: false,
  having: null,
  orderBy: [],
  limitBy: null,
  limit: null,
  offset: 0,
  ...given,
})
