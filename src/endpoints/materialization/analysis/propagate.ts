// Carries a CTE's variable through every SELECT that reads the CTE.
import { walk } from '../../../hogql/parser/walk'
import type { CTE, Field, Selection, SelectQuery } from '../../../hogql/parser/ast'
import type { Lifted } from './analysis-types'
import { reject } from './reasons'
import {
  aggregates,
  aliased,
  allOf,
  conjunctsOf,
  equals,
  field,
  handleOf,
  isTotal,
  legsOf,
  nameOfSource,
  outputNames,
  sourcesOf,
  walkedOnce,
} from './tree'

/** Maximum columns that the variables of CTEs get in all CTEs that read theirs. */
export const MAX_CARRIED_COLUMNS = 5_000

/** @throws Rejection before any column is added, because there is one for each variable in each CTE */
export function requireFewColumns(top: SelectQuery, variables: readonly Lifted[]): void {
  let columns = 0
  for (const { scope } of variables) {
    if (scope === null) continue
    for (const { expr } of carriersAfter(top, scope)) columns += legsOf(expr).length
  }
  if (columns > MAX_CARRIED_COLUMNS)
    reject('tooManyColumns', { columns: String(columns), max: String(MAX_CARRIED_COLUMNS) })
}

/**
 * Adds the variable's column to every CTE that reads its CTE, and to the top-level query, in place.
 * @throws Rejection where that would change the meaning of the query
 */
export function propagate(top: SelectQuery, { codeName, scope }: Lifted): void {
  const carriers = new Set([scope!])
  for (const cte of carriersAfter(top, scope!)) {
    if (cte.recursive) reject('recursiveCte', { variable: codeName })
    carry(cte.expr, codeName, carriers)
    carriers.add(cte.name)
  }
  if (!namesBesideCtes(top).some((name) => carriers.has(name))) return
  if (sourcesOf(top).length > 1) {
    reject('joinedCte')
  }
  const inside = subqueriesReading(top, carriers)
  if (inside === 'scalar') {
    reject('scalarSubquery')
  }
  carrySelect(top, codeName, carriers)
}

type SubqueryCte = Extract<CTE, { cte_type: 'subquery' }>

/** The CTEs that read a CTE, directly or through others. */
function carriersAfter(top: SelectQuery, name: string): SubqueryCte[] {
  const names = new Set([name])
  const ctes = top.ctes ?? []
  const after = ctes.slice(ctes.findIndex((cte) => cte.name === name) + 1)
  return after.flatMap((cte) => {
    if (cte.cte_type !== 'subquery' || !reads(cte.expr, names)) return []
    names.add(cte.name)
    return [cte]
  })
}

/**
 * Whether a CTE with a variable, or one that reads such a CTE, has a row also where nothing matches. Stored rows do not have that row.
 * @throws Rejection where the row may stand beside others
 */
export function hasTotals(top: SelectQuery, variables: readonly Lifted[]): boolean {
  const ctes = variables.flatMap(({ scope }) => {
    const own = top.ctes?.find(({ name }) => name === scope)
    return own?.cte_type === 'subquery' ? [own, ...carriersAfter(top, own.name)] : []
  })
  const total = ctes.find(({ expr }) => legsOf(expr).some(isTotal))
  if (total && ctes.some(({ expr }) => expr.node === 'SelectSetQuery'))
    reject('totalInUnion', { cte: total.name })
  return total !== undefined
}

const reads = (tree: Selection, carriers: ReadonlySet<string>): boolean =>
  namesRead(tree).some((name) => carriers.has(name))

/** The names that a query reads, also in its subqueries and CTEs. */
const namesRead = walkedOnce((tree: Selection) => namesIn(tree, new Set()))

/** The names that a query reads, except in its own CTEs. */
const namesBesideCtes = walkedOnce((query: SelectQuery) => namesIn(query, new Set(query.ctes)))

function namesIn(tree: Selection, without: ReadonlySet<CTE>): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node === 'CTE' && without.has(node)) return false
    const name = node.node === 'JoinExpr' ? nameOfSource(node) : null
    if (name !== null) names.add(name)
  })
  return [...names]
}

function carry(tree: Selection, codeName: string, carriers: ReadonlySet<string>): void {
  requireWhole(tree, codeName)
  if (tree.node === 'SelectQuery') return carrySelect(tree, codeName, carriers)
  if (tree.subsequent_select_queries.some(({ set_operator: operator }) => operator !== 'UNION ALL')) {
    reject('setOperation', { variable: codeName })
  }
  for (const leg of legsOf(tree)) {
    if (!reads(leg, carriers)) reject('unionLeg', { variable: codeName })
    requireWhole(leg, codeName)
    carrySelect(leg, codeName, carriers)
  }
}

/** @throws Rejection for a CTE with a LIMIT: its rows depend on the variable */
export function requireWhole(query: Selection, codeName: string): void {
  if (query.limit || query.offset || query.limit_by) {
    reject('limitedCte', { variable: codeName })
  }
}

function carrySelect(query: SelectQuery, codeName: string, carriers: ReadonlySet<string>): void {
  const sources = sourcesOf(query)
  const carrying = sources.filter((source) => carriers.has(nameOfSource(source) ?? ''))
  const [first, ...others] = carrying
  if (!first) reject('onlyNested', { variable: codeName })
  if (subqueriesReading(query, carriers) !== null) {
    reject('nestedSubquery', { variable: codeName })
  }
  for (const { join_type: type } of sources.slice(1)) {
    if (type && !/^(CROSS|INNER) JOIN$|^JOIN$/.test(type)) {
      reject('joinOfCtes', { join: type, variable: codeName })
    }
  }
  requireLettingThrough(query, codeName)
  if (outputNames(query).includes(codeName)) {
    reject('takenColumn', { variable: codeName })
  }
  const columnOf = (source: typeof first): Field => field(handleOf(source!)!, codeName)
  const column = columnOf(first)
  query.where = allOf([
    ...conjunctsOf(query.where),
    ...others.map((other) => equals(column, columnOf(other))),
  ])
  if (aggregates(query)) {
    requireNamedGroups(query)
    query.group_by = [...(query.group_by ?? []), column]
  }
  if (!hasStar(query)) query.select.push(aliased(column, codeName))
}

/** @throws Rejection for clauses over several rows: the variable's column multiplies them */
export function requireLettingThrough(query: SelectQuery, codeName: string): void {
  if (hasWindows(query)) reject('windows', { variable: codeName })
  if (query.qualify) reject('qualify', { variable: codeName })
}

const hasWindows = walkedOnce((query: SelectQuery): boolean => {
  let found = false
  walk(query, (node) => {
    if (node.node === 'WindowFunction') found = true
    if ((node.node === 'SelectQuery' || node.node === 'SelectSetQuery') && node !== query) return false
  })
  return found
})

/** @throws Rejection for implicit groups, to which none can be added */
export function requireNamedGroups(query: SelectQuery): void {
  if (query.group_by_mode)
    reject('unnamedGroups', { mode: query.group_by_mode.toUpperCase().replace('_', ' ') })
}

const hasStar = (query: SelectQuery): boolean =>
  query.select.some((item) => item.node === 'Field' && item.chain.at(-1) === '*')

/** Where the SELECT reads one of these CTEs in a subquery: as a value, or in its FROM. */
const subqueriesReading = (query: SelectQuery, carriers: ReadonlySet<string>) =>
  readInSubqueries(query).findLast(({ name }) => carriers.has(name))?.place ?? null

const readInSubqueries = walkedOnce((query: SelectQuery) => {
  const own = new Set<unknown>(sourcesOf(query))
  const found: { name: string; place: 'scalar' | 'nested' }[] = []
  walk(query, (node, around) => {
    if (node.node === 'CTE') return false
    const name = node.node === 'JoinExpr' && !own.has(node) ? nameOfSource(node) : null
    if (name === null) return
    const inFrom = around.some((each) => each.node === 'JoinExpr' && own.has(each))
    found.push({ name, place: inFrom ? 'nested' : 'scalar' })
  })
  return found
})
