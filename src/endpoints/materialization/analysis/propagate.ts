// Carries the variables of CTEs through every SELECT that reads these CTEs.
import { walk } from '../../../hogql/parser/walk'
import type { CTE, Field, Selection, SelectQuery } from '../../../hogql/parser/ast'
import type { Lifted } from './lift-variables'
import { reject } from './reasons'
import {
  aggregates,
  aliased,
  allOf,
  compared,
  conjunctsOf,
  field,
  handleOf,
  isTotal,
  legsOf,
  nameOfSource,
  outputNames,
  sourcesOf,
} from './tree'

/** Maximum columns that the variables of CTEs get in all CTEs that read theirs. */
export const MAX_CARRIED_COLUMNS = 5_000

/** Code names of the variables that each CTE has, by the CTE's name. */
type Carriers = ReadonlyMap<string, ReadonlySet<string>>

/** A CTE with the variables of the CTEs that it reads, directly or through others. */
interface Carrying {
  cte: SubqueryCte
  inherited: readonly string[]
}

type SubqueryCte = Extract<CTE, { cte_type: 'subquery' }>

/** Finds the CTEs that have variables or read such a CTE, in their order. Each is walked once, whatever the number of variables. */
function carryingCtes(
  top: SelectQuery,
  variables: readonly Lifted[],
): { carriers: Carriers; carrying: Carrying[] } {
  const own = Map.groupBy(variables, ({ scope }) => scope)
  const carriers = new Map<string, ReadonlySet<string>>()
  const carrying: Carrying[] = []
  for (const cte of top.ctes ?? []) {
    if (cte.cte_type !== 'subquery') continue
    const inherited = variablesOf(namesRead(cte.expr), carriers)
    const all = new Set([...(own.get(cte.name) ?? []).map(({ codeName }) => codeName), ...inherited])
    if (all.size === 0) continue
    carriers.set(cte.name, all)
    carrying.push({ cte, inherited })
  }
  return { carriers, carrying }
}

/** The variables of the CTEs with these names, without duplicates. */
const variablesOf = (names: readonly string[], carriers: Carriers): string[] => [
  ...new Set(names.flatMap((name) => [...(carriers.get(name) ?? [])])),
]

/**
 * Adds the columns of the variables to every CTE that reads their CTEs, and to the top-level query, in place.
 * @throws Rejection where that would change the meaning of the query
 */
export function propagate(top: SelectQuery, variables: readonly Lifted[]): void {
  const { carriers, carrying } = carryingCtes(top, variables)
  requireFewColumns(carrying)
  for (const { cte, inherited } of carrying) {
    const [variable] = inherited
    if (variable === undefined) continue
    if (cte.recursive) reject('recursiveCte', { variable })
    carry(cte.expr, inherited, carriers)
  }
  const read = variablesOf(namesRead(top, new Set(top.ctes)), carriers)
  if (read.length === 0) return
  if (sourcesOf(top).length > 1) reject('joinedCte')
  if (placeInSubqueries(top, carriers) === 'scalar') reject('scalarSubquery')
  carrySelect(top, read, carriers)
}

/** @throws Rejection before any column is added, because there is one for each variable in each CTE */
function requireFewColumns(carrying: readonly Carrying[]): void {
  const columns = carrying.reduce(
    (sum, { cte, inherited }) => sum + inherited.length * legsOf(cte.expr).length,
    0,
  )
  if (columns > MAX_CARRIED_COLUMNS)
    reject('tooManyColumns', { columns: String(columns), max: String(MAX_CARRIED_COLUMNS) })
}

/**
 * Whether a CTE with a variable, or one that reads such a CTE, has a row also where nothing matches. Stored rows do not have that row.
 * @throws Rejection where the row may stand beside others
 */
export function hasTotals(top: SelectQuery, variables: readonly Lifted[]): boolean {
  const ctes = carryingCtes(top, variables).carrying.map(({ cte }) => cte)
  const total = ctes.find(({ expr }) => legsOf(expr).some(isTotal))
  if (total && ctes.some(({ expr }) => expr.node === 'SelectSetQuery'))
    reject('totalInUnion', { cte: total.name })
  return total !== undefined
}

/** The names that a query reads, also in its subqueries and CTEs, except in the CTEs `without`. */
function namesRead(tree: Selection, without: ReadonlySet<CTE> = new Set()): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node === 'CTE' && without.has(node)) return false
    const name = node.node === 'JoinExpr' ? nameOfSource(node) : null
    if (name !== null) names.add(name)
  })
  return [...names]
}

function carry(tree: Selection, variables: readonly string[], carriers: Carriers): void {
  const variable = variables[0]!
  requireWhole(tree, variable)
  if (tree.node === 'SelectQuery') return carrySelect(tree, variables, carriers)
  if (tree.subsequent_select_queries.some(({ set_operator: operator }) => operator !== 'UNION ALL')) {
    reject('setOperation', { variable })
  }
  for (const leg of legsOf(tree)) {
    const read = new Set(variablesOf(namesRead(leg), carriers))
    const missing = variables.find((each) => !read.has(each))
    if (missing !== undefined) reject('unionLeg', { variable: missing })
    requireWhole(leg, variable)
    carrySelect(leg, variables, carriers)
  }
}

/** @throws Rejection for a CTE with a LIMIT: its rows depend on the variable */
export function requireWhole(query: Selection, codeName: string): void {
  if (query.limit || query.offset || query.limit_by) {
    reject('limitedCte', { variable: codeName })
  }
}

function carrySelect(query: SelectQuery, variables: readonly string[], carriers: Carriers): void {
  const columns = variables.map((variable) => ({ variable, columns: columnsOf(query, variable, carriers) }))
  const nested = columns.find((each) => each.columns.length === 0)
  if (nested) reject('onlyNested', { variable: nested.variable })
  requireCarrying(query, variables, carriers)
  const isAggregated = aggregates(query)
  if (isAggregated) requireNamedGroups(query)
  const conditions = conjunctsOf(query.where)
  for (const {
    variable,
    columns: [column, ...others],
  } of columns) {
    conditions.push(...others.map((other) => compared('==', column!, other)))
    if (isAggregated) query.group_by = [...(query.group_by ?? []), column!]
    if (!hasStar(query)) query.select.push(aliased(column!, variable))
  }
  query.where = allOf(conditions)
}

/** The columns of the variable, one of each source that has it. */
const columnsOf = (query: SelectQuery, variable: string, carriers: Carriers): Field[] =>
  sourcesOf(query).flatMap((source) =>
    carriers.get(nameOfSource(source) ?? '')?.has(variable) ? [field(handleOf(source)!, variable)] : [],
  )

/** @throws Rejection for a SELECT in which the columns would have another meaning */
function requireCarrying(query: SelectQuery, variables: readonly string[], carriers: Carriers): void {
  const variable = variables[0]!
  if (placeInSubqueries(query, carriers) !== null) reject('nestedSubquery', { variable })
  for (const { join_type: type } of sourcesOf(query).slice(1)) {
    if (type && !/^(CROSS|INNER) JOIN$|^JOIN$/.test(type)) {
      reject('joinOfCtes', { join: type, variable })
    }
  }
  requireLettingThrough(query, variable)
  const names = new Set(outputNames(query))
  const taken = variables.find((each) => names.has(each))
  if (taken !== undefined) reject('takenColumn', { variable: taken })
}

/** @throws Rejection for clauses over several rows: the variable's column multiplies them */
export function requireLettingThrough(query: SelectQuery, codeName: string): void {
  if (hasWindows(query)) reject('windows', { variable: codeName })
  if (query.qualify) reject('qualify', { variable: codeName })
}

function hasWindows(query: SelectQuery): boolean {
  let found = false
  walk(query, (node) => {
    if (node.node === 'WindowFunction') found = true
    if ((node.node === 'SelectQuery' || node.node === 'SelectSetQuery') && node !== query) return false
  })
  return found
}

/** @throws Rejection for implicit groups, to which none can be added */
export function requireNamedGroups(query: SelectQuery): void {
  if (query.group_by_mode)
    reject('unnamedGroups', { mode: query.group_by_mode.toUpperCase().replace('_', ' ') })
}

const hasStar = (query: SelectQuery): boolean =>
  query.select.some((item) => item.node === 'Field' && item.chain.at(-1) === '*')

/** Where the SELECT reads a CTE with a variable in a subquery: as a value, or in its FROM. */
function placeInSubqueries(query: SelectQuery, carriers: Carriers): 'scalar' | 'nested' | null {
  const own = new Set<unknown>(sourcesOf(query))
  let place: 'scalar' | 'nested' | null = null
  walk(query, (node, around) => {
    if (node.node === 'CTE') return false
    if (node.node !== 'JoinExpr' || own.has(node) || !carriers.has(nameOfSource(node) ?? '')) return
    place = around.some((each) => each.node === 'JoinExpr' && own.has(each)) ? 'nested' : 'scalar'
  })
  return place
}
