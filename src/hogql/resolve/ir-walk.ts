// Walking over resolved expressions: their parts, how large they are, whether two are the same.
import type { Expr, Query, Select, Source, Window } from '../ir'

/** The expressions directly inside one, in order. What stands inside a subquery is not among them: see `queriesOf`. */
export function partsOf(expr: Expr): Expr[] {
  switch (expr.node) {
    case 'literal':
    case 'variable':
    case 'clock':
    case 'column':
    case 'element':
    case 'subquery':
    case 'exists':
      return []
    case 'property':
      return [expr.document]
    case 'call':
      return expr.args
    case 'aggregate':
      return some(...expr.args, expr.filter)
    case 'window':
      return [...some(...expr.args, expr.filter), ...partsOfWindow(expr.over)]
    case 'compare':
    case 'like':
    case 'arithmetic':
      return [expr.left, expr.right]
    case 'isNull':
    case 'not':
    case 'negate':
      return [expr.operand]
    case 'in':
      return [expr.left, ...partsOfChoices(expr.choices)]
    case 'and':
    case 'or':
      return expr.operands
    case 'shift':
      return [expr.moment, expr.amount]
    case 'case':
      return some(...expr.branches.flatMap(({ when, then }) => [when, then]), expr.otherwise)
    case 'array':
    case 'tuple':
      return expr.items
    case 'lambda':
      return [expr.body]
  }
}

const some = (...exprs: (Expr | null)[]): Expr[] => exprs.filter((expr) => expr !== null)

const partsOfWindow = ({ partitionBy, orderBy }: Window): Expr[] => [
  ...partitionBy,
  ...orderBy.map(({ expr }) => expr),
]

function partsOfChoices(choices: Extract<Expr, { node: 'in' }>['choices']): Expr[] {
  switch (choices.kind) {
    case 'list':
      return choices.items
    case 'array':
      return [choices.array]
    case 'query':
      return []
  }
}

/** The queries directly inside an expression. */
export function queriesOf(expr: Expr): Query[] {
  if (expr.node === 'subquery' || expr.node === 'exists') return [expr.query]
  return expr.node === 'in' && expr.choices.kind === 'query' ? [expr.choices.query] : []
}

/** The expressions and queries directly inside a query: what it says itself, and what it reads from. */
export function partsOfQuery(query: Query): { exprs: Expr[]; queries: Query[] } {
  const ctes = query.ctes.map((cte) => cte.query)
  const order = query.orderBy.map(({ expr }) => expr)
  if (query.kind === 'set') {
    return { exprs: order, queries: [...ctes, query.initial, ...query.rest.map((leg) => leg.query)] }
  }
  const from = sourcesOf(query).flatMap(partsOfSource)
  return {
    exprs: some(
      ...query.items.map(({ expr }) => expr),
      ...from.filter((part) => 'node' in part),
      ...(query.from?.joins ?? []).map(({ on }) => on),
      query.where,
      ...query.groupBy,
      query.having,
      ...order,
      ...(query.limitBy?.by ?? []),
    ),
    queries: [...ctes, ...from.filter((part) => 'kind' in part)],
  }
}

/** Whether a query reads columns of a source, or elements of a lambda, that are around it: it has to run for each row there. */
export function isCorrelated(query: Query): boolean {
  const own = new Set<number>()
  const read = new Set<number>()
  visitQuery(query, own, read)
  return !read.isSubsetOf(own)
}

function visitQuery(query: Query, own: Set<number>, read: Set<number>): void {
  const { exprs, queries } = partsOfQuery(query)
  if (query.kind === 'select') for (const { id } of sourcesOf(query)) own.add(id)
  for (const expr of exprs) visitExpr(expr, own, read)
  for (const inner of queries) visitQuery(inner, own, read)
}

function visitExpr(expr: Expr, own: Set<number>, read: Set<number>): void {
  if (expr.node === 'column') read.add(expr.source)
  if (expr.node === 'element') read.add(expr.parameter)
  if (expr.node === 'lambda') for (const id of expr.parameters) own.add(id)
  for (const part of partsOf(expr)) visitExpr(part, own, read)
  for (const inner of queriesOf(expr)) visitQuery(inner, own, read)
}

/** What a SELECT reads from, in the order in which it is joined. */
export const sourcesOf = ({ from }: Select): Source[] =>
  from === null ? [] : [from.source, ...from.joins.map(({ source }) => source)]

function partsOfSource(source: Source): (Expr | Query)[] {
  switch (source.kind) {
    case 'table':
    case 'cte':
    case 'stored':
      return []
    case 'query':
      return [source.query]
    case 'elements':
      return [source.array]
    case 'numbers':
      return [source.start, source.count]
  }
}

/** Whether an expression or a part of it, but for what is inside subqueries, passes a test. */
export const contains = (expr: Expr, test: (part: Expr) => boolean): boolean =>
  test(expr) || partsOf(expr).some((part) => contains(part, test))

export const containsAggregate = (expr: Expr): boolean => contains(expr, ({ node }) => node === 'aggregate')
export const containsWindow = (expr: Expr): boolean => contains(expr, ({ node }) => node === 'window')

/** Whether two expressions are written alike. Subqueries never are: each has sources of its own. */
export function sameExpr(one: Expr, other: Expr): boolean {
  if (one === other) return true
  if (one.node !== other.node || measure(one).size !== measure(other).size) return false
  return written(one) === written(other)
}

/** An expression as text, its lambda parameters numbered in the order in which they come. */
function written(expr: Expr): string {
  const numbers = new Map<unknown, number>()
  const numberOf = (id: unknown): number => {
    const number = numbers.get(id) ?? numbers.size
    numbers.set(id, number)
    return number
  }
  return JSON.stringify(expr, (key, value: unknown) => {
    if (key === 'parameter') return numberOf(value)
    return key === 'parameters' && Array.isArray(value) ? value.map(numberOf) : value
  })
}

export interface Measure {
  /** How many expressions there are in it, itself included. */
  size: number
  depth: number
}

const measures = new WeakMap<Expr, Measure>()

/** How large an expression is when it is written out: what is referred to twice counts twice. */
export function measure(expr: Expr): Measure {
  const known = measures.get(expr)
  if (known !== undefined) return known
  const found = { size: 1, depth: 0 }
  for (const part of partsOf(expr)) include(found, measure(part))
  for (const query of queriesOf(expr)) include(found, measureQuery(query))
  found.depth += 1
  measures.set(expr, found)
  return found
}

function measureQuery(query: Query): Measure {
  const found = { size: 1, depth: 0 }
  const { exprs, queries } = partsOfQuery(query)
  for (const expr of exprs) include(found, measure(expr))
  for (const inner of queries) include(found, measureQuery(inner))
  found.depth += 1
  return found
}

function include(whole: Measure, part: Measure): void {
  whole.size += part.size
  whole.depth = Math.max(whole.depth, part.depth)
}

const keys = new WeakMap<Expr, string>()

/** Two expressions that are written alike have the same. */
export function keyOf(expr: Expr): string {
  const known = keys.get(expr)
  if (known !== undefined) return known
  const key = JSON.stringify(expr)
  keys.set(expr, key)
  return key
}
