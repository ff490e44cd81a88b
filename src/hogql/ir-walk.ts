// Walking over resolved expressions: their parts, how large they are, whether two are the same.
import { branch } from './ir-build'
import type { Expr, From, InChoices, Order, Query, Select, Source, Window } from './ir'

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

function partsOfChoices(choices: InChoices): Expr[] {
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
  if (query.kind === 'set') {
    return { exprs: [], queries: [...ctes, query.initial, ...query.rest.map((leg) => leg.query)] }
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
      ...query.orderBy.map(({ expr }) => expr),
      ...(query.limitBy?.by ?? []),
    ),
    queries: [...ctes, ...from.filter((part) => 'kind' in part)],
  }
}

/** What replaces the expressions and the queries inside something. */
export interface Change {
  expr(expr: Expr): Expr
  query(query: Query): Query
}

/** The expression with its direct parts replaced. */
export function mapExpr(expr: Expr, change: Change): Expr {
  const one = change.expr
  const all = (list: readonly Expr[]) => list.map(one)
  const maybe = (part: Expr | null) => part && one(part)
  switch (expr.node) {
    case 'literal':
    case 'variable':
    case 'clock':
    case 'column':
    case 'element':
      return expr
    case 'subquery':
    case 'exists':
      return { ...expr, query: change.query(expr.query) }
    case 'property':
      return { ...expr, document: one(expr.document) }
    case 'call':
      return { ...expr, args: all(expr.args) }
    case 'aggregate':
      return { ...expr, args: all(expr.args), filter: maybe(expr.filter) }
    case 'window': {
      const { partitionBy, orderBy, frame } = expr.over
      const over = { partitionBy: all(partitionBy), orderBy: mapOrder(orderBy, change), frame }
      return { ...expr, args: all(expr.args), filter: maybe(expr.filter), over }
    }
    case 'compare':
    case 'like':
    case 'arithmetic':
      return { ...expr, left: one(expr.left), right: one(expr.right) }
    case 'isNull':
    case 'not':
    case 'negate':
      return { ...expr, operand: one(expr.operand) }
    case 'in':
      return { ...expr, left: one(expr.left), choices: mapChoices(expr.choices, change) }
    case 'and':
    case 'or':
      return { ...expr, operands: all(expr.operands) }
    case 'shift':
      return { ...expr, moment: one(expr.moment), amount: one(expr.amount) }
    case 'case': {
      const branches = expr.branches.map(({ when, then }) => branch(one(when), one(then)))
      return { ...expr, branches, otherwise: maybe(expr.otherwise) }
    }
    case 'array':
    case 'tuple':
      return { ...expr, items: all(expr.items) }
    case 'lambda':
      return { ...expr, body: one(expr.body) }
  }
}

const mapOrder = (orderBy: readonly Order[], { expr }: Change): Order[] =>
  orderBy.map((order) => ({ ...order, expr: expr(order.expr) }))

function mapChoices(choices: InChoices, { expr, query }: Change): InChoices {
  switch (choices.kind) {
    case 'list':
      return { ...choices, items: choices.items.map(expr) }
    case 'array':
      return { ...choices, array: expr(choices.array) }
    case 'query':
      return { ...choices, query: query(choices.query) }
  }
}

/** The query with the expressions and queries directly inside it replaced. */
export function mapQuery<Q extends Query>(query: Q, change: Change): Q
export function mapQuery(query: Query, change: Change): Query {
  const ctes = query.ctes.map((cte) => ({ ...cte, query: change.query(cte.query) }))
  if (query.kind === 'set') {
    const rest = query.rest.map((leg) => ({ ...leg, query: change.query(leg.query) }))
    return { ...query, ctes, initial: change.query(query.initial), rest }
  }
  const { expr } = change
  return {
    ...query,
    ctes,
    items: query.items.map((item) => ({ ...item, expr: expr(item.expr) })),
    from: query.from && mapFrom(query.from, change),
    where: query.where && expr(query.where),
    groupBy: query.groupBy.map(expr),
    having: query.having && expr(query.having),
    orderBy: mapOrder(query.orderBy, change),
    limitBy: query.limitBy && { ...query.limitBy, by: query.limitBy.by.map(expr) },
  }
}

const mapFrom = ({ source, joins }: From, change: Change): From => ({
  source: mapSource(source, change),
  joins: joins.map((join) => ({
    ...join,
    source: mapSource(join.source, change),
    on: join.on && change.expr(join.on),
    ...(join.keyed && {
      keyed: { keys: join.keyed.keys.map(change.expr), where: join.keyed.where.map(change.expr) },
    }),
  })),
})

function mapSource(source: Source, { expr, query }: Change): Source {
  switch (source.kind) {
    case 'table':
    case 'cte':
    case 'stored':
      return source
    case 'query':
      return { ...source, query: query(source.query) }
    case 'elements':
      return { ...source, array: expr(source.array) }
    case 'numbers':
      return { ...source, start: expr(source.start), count: expr(source.count) }
  }
}

/** Whether a query reads columns of a source, or elements of a lambda, that are around it: it has to run for each row there. */
export function isCorrelated(query: Query): boolean {
  const own = new Set<number>()
  const read = new Set<number>()
  visitQuery(query, own, read)
  return !read.isSubsetOf(own)
}

/** Ids of the sources and lambda parameters of a query, at any depth. */
export function idsIn(query: Query): ReadonlySet<number> {
  const own = new Set<number>()
  visitQuery(query, own, new Set())
  return own
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
