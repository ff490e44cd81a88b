// Resolves recursive CTEs: a first level of rows, and steps that each compute the rows of a level from those of the previous level.
//
// SQLite processes the rows of a level one by one, and ClickHouse all at once. Steps are limited to what gives the same rows either way.
import { reject } from '../../error'
import type { Cte, Expr, From, Query, Select, SetOperation } from '../../ir'
import { all, columnsOf, selectOf } from '../../ir-build'
import { containsWindow } from '../../ir-walk'
import { conjunctsOf } from '../../joins'
import type { CTE, Located, Node, SelectQuery, Selection } from '../../parser/ast'
import { walk } from '../../parser/walk'
import type { Resolution } from '../context/resolution'
import { type Environment, isInStep } from '../context/scope'
import { unifyLegs } from '../select/unify-legs'
import { derivedColumns } from './columns'

type SubqueryCte = Extract<CTE, { cte_type: 'subquery' }>

/** The most steps, because D1 accepts five terms in one compound SELECT. */
export const MAX_STEPS = 4

/**
 * The most rounds in which the types of columns are determined. A type that grows at each level (an array of arrays of …) never settles.
 */
const MAX_ROUNDS = 4

export interface Recursion {
  ctes: readonly CTE[]
  first: Selection
  steps: readonly SelectQuery[]
}

/**
 * Returns the parts of a CTE that reads itself, or null for one that does not.
 * @throws HogqlError for another form than `first UNION ALL step …`
 */
export function recursionOf(node: SubqueryCte): Recursion | null {
  const { name, expr } = node
  const found = placeOf(expr, name)
  if (found === null) return null
  const form = `A recursive CTE is '${name}' AS (SELECT … UNION ALL SELECT … FROM ${name} …)`
  if (expr.node !== 'SelectSetQuery') return reject(found, form)
  const { initial_select_query: initial, subsequent_select_queries: legs } = expr
  const start = legs.findIndex(({ select_query: leg }) => readsItself(leg, name))
  const own = placeOf(initial, name)
  if (own !== null) return reject(own, `${form}: the first SELECT cannot read '${name}'`)
  const steps = legs.slice(start).map(({ select_query: leg, set_operator: operator }) => {
    if (operator !== 'UNION ALL') {
      reject(
        leg,
        `A recursive CTE adds rows by UNION ALL, not by ${operator}. Filter duplicates where you read it`,
      )
    }
    if (!readsItself(leg, name)) reject(leg, `${form}: SELECTs that do not read '${name}' come first`)
    return leg.node === 'SelectQuery'
      ? leg
      : reject(leg, `${form}, without parentheses around several SELECTs`)
  })
  if (steps.length > MAX_STEPS) {
    reject(
      expr,
      `A recursive CTE has at most ${MAX_STEPS} SELECTs that read it, and this one ${steps.length}`,
    )
  }
  if (expr.limit ?? expr.offset) reject(expr, NO_LIMIT)
  const ctes = initial.node === 'SelectQuery' ? (initial.ctes ?? []) : []
  const bare = initial.node === 'SelectQuery' ? { ...initial, ctes: null } : initial
  const others = legs.slice(0, start)
  const first =
    others.length === 0
      ? bare
      : { ...expr, initial_select_query: bare, subsequent_select_queries: others, limit: null, offset: null }
  return { ctes, first, steps }
}

const NO_LIMIT =
  'LIMIT and OFFSET are not supported in a recursive CTE: end it by a condition, such as WHERE level < 10'

const readsItself = (query: Selection, name: string): boolean => placeOf(query, name) !== null

/** Returns where a query reads a table of this name. */
function placeOf(query: Selection, name: string): Located | null {
  let found: Located | null = null
  const isName = (node: Node | null | undefined) =>
    node?.node === 'Field' && node.chain.length === 1 && node.chain[0] === name
  walk(query, (node) => {
    if (node.node === 'JoinExpr' && isName(node.table)) found ??= node.table
    return found === null
  })
  return found
}

/** @param environment has the CTEs before it, and the CTE itself */
export function resolveRecursion(
  r: Resolution,
  node: SubqueryCte,
  { first: initial, steps }: Recursion,
  environment: Environment,
): Cte {
  if (isInStep(environment)) {
    reject(node, `A recursive CTE inside a step of another is not supported: '${node.name}'`)
  }
  const id = r.nextId()
  let query = asSelect(r, r.query(initial, environment, null))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const columns = derivedColumns(r, query, node.columns ?? null, node)
    const resolved = steps.map((step) => {
      const places: Located[] = []
      const use = (place: Located) => void places.push(place)
      const ctes = new Map([[node.name, { kind: 'query' as const, id, columns, isLevel: true, use }]])
      const found = r.query(step, { ctes, outer: environment, isStep: true }, null)
      return asStep(found, node.name, step, places)
    })
    const unified = unifyLegs(r, query, resolved.map(asLeg), node)
    const isSettled = typesOf(unified) === typesOf(query)
    const [first = query, ...others] = [unified.initial, ...unified.rest.map((leg) => leg.query)] as Select[]
    query = { ...first, items: first.items.map((item, at) => ({ ...item, type: unified.items[at]!.type })) }
    if (isSettled) return { id, query, steps: others }
  }
  return reject(node, `The types of the columns of '${node.name}' change with every level`, 'type_mismatch')
}

const typesOf = ({ items }: Pick<SetOperation, 'items'>) => JSON.stringify(items.map(({ type }) => type))

const asLeg = (query: Query): SetOperation['rest'][number] => ({ operator: 'union all', query })

/** Returns the query as a SELECT, so that its columns can be converted. */
function asSelect(r: Resolution, query: Query): Select {
  if (query.kind === 'select') return query
  const id = r.nextId()
  return selectOf({
    items: columnsOf(query, id),
    from: { source: { kind: 'query', id, query }, joins: [] },
  })
}

/** @param places where the step reads the level before */
function asStep(query: Query, name: string, node: SelectQuery, places: readonly Located[]): Select {
  const [, again] = places
  if (again) reject(again, `A step reads its CTE once, and this one reads '${name}' again`)
  if (query.kind !== 'select') throw new Error('a step is one SELECT')
  const clause = excludedClause(query)
  if (clause !== null) reject(node, clause === 'LIMIT' ? NO_LIMIT : notInStep(clause))
  return { ...query, ...levelFirst(query, name, node) }
}

const notInStep = (clause: string) =>
  `${clause} is not supported in a step of a recursive CTE. Use it where you read the CTE, or in a subquery of other tables`

function excludedClause(select: Select): string | null {
  if (select.ctes.length > 0) return 'WITH'
  if (select.distinct) return 'DISTINCT'
  if (select.groupBy.length > 0) return 'GROUP BY'
  if (select.aggregated) return 'An aggregate'
  if (select.orderBy.length > 0) return 'ORDER BY'
  if (select.limit !== null || select.offset > 0 || select.limitBy !== null) return 'LIMIT'
  return [...select.items.map(({ expr }) => expr), ...(select.where ? [select.where] : [])].some(
    containsWindow,
  )
    ? 'A window function'
    : null
}

/** Puts the level before first among the sources: SQLite allows it in no subquery, and makes an index for what is joined to it. */
function levelFirst(
  { from, where }: Select,
  name: string,
  node: SelectQuery,
): { from: From; where: Expr | null } {
  const inFrom = `A step of a recursive CTE reads '${name}' in its FROM, and not in a subquery`
  if (from === null) return reject(node, inFrom)
  const { source, joins } = from
  if (joins.some(({ kind }) => kind === 'right' || kind === 'full')) {
    reject(node, notInStep('A RIGHT or FULL JOIN'))
  }
  if (source.kind === 'level') return { from, where }
  const at = joins.findIndex((join) => join.source.kind === 'level')
  const own = joins[at]
  if (own === undefined) return reject(node, inFrom)
  const before = joins.slice(0, at)
  if ([...before, own].some(({ kind }) => kind === 'left')) {
    reject(node, `A step of a recursive CTE begins with '${name}', or joins it by an inner join`)
  }
  const conditions = [...conjunctsOf(own.on), ...conjunctsOf(where)]
  return {
    from: {
      source: own.source,
      joins: [{ kind: 'cross', source, on: null }, ...before, ...joins.slice(at + 1)],
    },
    where: conditions.length === 0 ? null : all(conditions),
  }
}
