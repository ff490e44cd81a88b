// Join keys, and whether they are unique.
import type { Cte, Expr, From, Join, Query, Select, Source, TableName } from './ir'
import { partsOf, queriesOf, sameExpr } from './ir-walk'

export function conjunctsOf(condition: Expr | null): readonly Expr[] {
  if (condition === null) return []
  return condition.node === 'and' ? condition.operands.flatMap(conjunctsOf) : [condition]
}

/** Returns the sources whose columns an expression reads, or null for a subquery, which may read any. */
export function sourcesIn(expr: Expr): ReadonlySet<number> | null {
  const found = new Set<number>()
  const isComplete = collect(expr, found)
  return isComplete ? found : null
}

function collect(expr: Expr, found: Set<number>): boolean {
  if (expr.node === 'column') found.add(expr.source)
  return queriesOf(expr).length === 0 && partsOf(expr).every((part) => collect(part, found))
}

export const readsOnly = (expr: Expr, source: number): boolean => {
  const sources = sourcesIn(expr)
  return sources?.size === 1 && sources.has(source)
}

/** The two sides of an equality. */
export interface JoinKey {
  left: Expr
  right: Expr
}

/**
 * Returns the equalities between a join's source and those before it: in its ON, and for an inner join in WHERE.
 * @param before ids of the sources before it
 */
export function keysOf(join: Join, before: ReadonlySet<number>, where: readonly Expr[]): JoinKey[] {
  const isInner = join.kind === 'inner' || join.kind === 'cross'
  return [...conjunctsOf(join.on), ...(isInner ? where : [])].flatMap((condition) => {
    if (condition.node !== 'compare' || condition.op !== '=') return []
    const { left, right } = condition
    // A date that is compared with a datetime must be converted first.
    if (left.type.kind !== right.type.kind && [left, right].some(({ type }) => type.kind === 'date'))
      return []
    if (left.node === 'tuple' || right.node === 'tuple') return []
    if (readsOnly(right, join.source.id) && readsSome(left, before)) return [{ left, right }]
    if (readsOnly(left, join.source.id) && readsSome(right, before)) return [{ left: right, right: left }]
    return []
  })
}

function readsSome(expr: Expr, sources: ReadonlySet<number>): boolean {
  const read = sourcesIn(expr)
  return read !== null && read.size > 0 && read.isSubsetOf(sources)
}

/** Returns the sources of a FROM before one of its joins. */
export const sourcesBefore = ({ source, joins }: From, index: number): ReadonlySet<number> =>
  new Set([source.id, ...joins.slice(0, index).map((join) => join.source.id)])

/** The unique key of each table. */
const UNIQUE: Readonly<Record<TableName, readonly string[]>> = {
  events: ['uuid'],
  persons: ['id'],
  person_distinct_ids: ['distinct_id'],
  groups: ['index', 'key'],
  sessions: ['session_id'],
  cohort_people: ['cohort_id', 'person_id'],
}

/**
 * Returns whether no two rows of a source have the same keys.
 * @param keys expressions over the source
 * @param where conditions on the source: a column that equals a constant need not be a key
 */
export function isUniqueBy(
  source: Source,
  keys: readonly Expr[],
  where: readonly Expr[],
  ctes: ReadonlyMap<number, Query>,
): boolean {
  const columns = new Set(
    [...keys, ...where.flatMap(fixedColumn)].flatMap((key) =>
      key.node === 'column' && key.source === source.id ? [key.column] : [],
    ),
  )
  switch (source.kind) {
    case 'table':
      return UNIQUE[source.table].every((column) => columns.has(column))
    case 'query':
      return isQueryUniqueBy(source.query, columns, ctes)
    case 'cte': {
      const query = ctes.get(source.cte)
      return query !== undefined && isQueryUniqueBy(query, columns, ctes)
    }
    case 'numbers':
      return columns.has('number')
    case 'stored':
      return columns.has('row')
    case 'elements':
    case 'level':
      return false
  }
}

const fixedColumn = (condition: Expr): Expr[] => {
  if (condition.node !== 'compare' || condition.op !== '=') return []
  const { left, right } = condition
  return isConstant(right) ? [left] : isConstant(left) ? [right] : []
}

/** The answers of `isConstant`: nested calls ask for each of their levels. */
const known = new WeakMap<Expr, boolean>()
const NO_PARAMETERS: ReadonlySet<number> = new Set()

/** Returns whether an expression has the same value in every row. */
export function isConstant(expr: Expr): boolean {
  const answer = known.get(expr) ?? isConstantWithin(expr, NO_PARAMETERS)
  known.set(expr, answer)
  return answer
}

/** @param parameters of the lambdas around the expression */
function isConstantWithin(expr: Expr, parameters: ReadonlySet<number>): boolean {
  switch (expr.node) {
    case 'column':
    case 'aggregate':
    case 'window':
    case 'subquery':
    case 'exists':
      return false
    case 'element':
      return parameters.has(expr.parameter)
    case 'lambda':
      return isConstantWithin(expr.body, parameters.union(new Set(expr.parameters)))
    default:
      return (
        queriesOf(expr).length === 0 &&
        partsOf(expr).every((part) =>
          parameters.size === 0 ? isConstant(part) : isConstantWithin(part, parameters),
        )
      )
  }
}

function isQueryUniqueBy(
  query: Query,
  columns: ReadonlySet<string>,
  outer: ReadonlyMap<number, Query>,
): boolean {
  if (query.kind === 'set') {
    const last = query.rest.at(-1)?.operator ?? 'union all'
    return last.endsWith('distinct') && query.items.every((_, index) => columns.has(`c${index}`))
  }
  const ctes = withCtes(outer, query.ctes)
  if (query.limit !== null && query.limit <= 1) return true
  if (query.distinct && query.items.every((_, index) => columns.has(`c${index}`))) return true
  const read = query.items.filter((_, index) => columns.has(`c${index}`)).map(({ expr }) => expr)
  if (query.aggregated) return query.groupBy.every((key) => read.some((expr) => sameExpr(expr, key)))
  return (
    query.from !== null && query.from.joins.length === 0 && isUniqueInSource(query, query.from, read, ctes)
  )
}

const isUniqueInSource = (
  { where }: Select,
  { source }: From,
  read: readonly Expr[],
  ctes: ReadonlyMap<number, Query>,
): boolean => isUniqueBy(source, read, conjunctsOf(where), ctes)

/** Returns the queries of CTEs by id, except recursive ones, whose first level says nothing about the others. */
export const withCtes = (
  outer: ReadonlyMap<number, Query>,
  ctes: readonly Cte[],
): ReadonlyMap<number, Query> =>
  ctes.length === 0
    ? outer
    : new Map([...outer, ...ctes.flatMap(({ id, query, steps }) => (steps ? [] : [[id, query] as const]))])
