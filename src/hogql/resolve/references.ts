// Finds the placeholders and properties that a tree mentions, before it is resolved.
import { type ActionStep, ActionSteps } from './filters/action-steps'
import type { Node, Placeholder } from '../parser/ast'
import { namesInPlaceholder } from './context/filter-range'
import { walk } from '../parser/walk'
import type { PropertyOwner } from '../tables/schema'
import { TABLES } from '../tables/tables'
import type { ActionReference, CohortReference } from './context/resolution'
import {
  filtersIn,
  type FilterTree,
  parseFilters,
  parseFilterTree,
  type PropertyFilter,
  type StoredFilters,
} from './context/filters'

export interface Placeholders {
  /** Code names of variables, each once, in the order of the text. */
  variables: string[]
  /** Whether there is `{filters}` or a bound of its date range. */
  filters: boolean
  /** Invalid placeholders: `{variables}` without a name, and unknown ones. */
  invalid: Placeholder[]
}

export function placeholdersOf(tree: Node): Placeholders {
  const all: Placeholder[] = []
  walk(tree, (node) => {
    if (node.node === 'Placeholder') all.push(node)
  })
  all.sort((one, other) => (one.start ?? 0) - (other.start ?? 0))
  const variables = new Set<string>()
  const invalid: Placeholder[] = []
  let filters = false
  for (const placeholder of all) {
    const [root, name, ...rest] = namesInPlaceholder(placeholder) ?? []
    if (root === 'variables' && name !== undefined && rest.length === 0) variables.add(name)
    else if (root === 'filters') filters = true
    else invalid.push(placeholder)
  }
  return { variables: [...variables], filters, invalid }
}

export interface NamedProperty {
  owner: PropertyOwner
  name: string
}

/**
 * Returns every name that may be a property, for each possible owner, because names are not resolved yet.
 * @param parts the tree of a query, and the parsed expressions of its filters
 * @param filters all property filters of the query
 */
export function propertiesOf(parts: readonly Node[], filters: readonly PropertyFilter[]): NamedProperty[] {
  const found = new Map<string, NamedProperty>()
  const add = (owner: PropertyOwner, name: string) => found.set(`${owner} ${name}`, { owner, name })
  for (const part of parts) {
    walk(part, (node) => {
      for (const [name, before] of propertyNamesIn(node))
        for (const owner of ownersOf(before)) add(owner, name)
    })
  }
  // A name that is neither a field nor defined by the query may be a property without its path, which the error then suggests.
  for (const part of parts)
    for (const name of unknownNames(part)) for (const owner of ownersOf([])) add(owner, name)
  for (const filter of filters) {
    if (filter.type === 'person') add('person', filter.key)
    else if (filter.type === 'group') add(`group_${filter.group_type_index ?? 0}`, filter.key)
    else if (filter.type === 'flag') add('event', `$feature/${filter.key}`)
    else if (filter.type !== 'hogql') add('event', filter.key)
  }
  return [...found.values()]
}

/** Returns constants that a field `event` is compared with. */
export function eventNamesOf(tree: Node): string[] {
  const found = new Set<string>()
  walk(tree, (node) => {
    if (node.node !== 'CompareOperation' || node.left.node !== 'Field' || node.left.chain.at(-1) !== 'event')
      return
    const { right } = node
    const items = right.node === 'Tuple' || right.node === 'Array' ? right.exprs : [right]
    for (const item of items)
      if (item.node === 'Constant' && typeof item.value === 'string') found.add(item.value)
  })
  return [...found]
}

/** Returns the ids and names of cohorts in `IN COHORT`, and the ids in filters. */
export function cohortsOf(parts: readonly Node[], filters: readonly PropertyFilter[]): CohortReference[] {
  const found = new Set<CohortReference>()
  for (const part of parts) {
    walk(part, (node) => {
      if (node.node !== 'CompareOperation' || !/cohort/i.test(node.op) || node.right.node !== 'Constant')
        return
      const { value } = node.right
      if (typeof value === 'string' || typeof value === 'number') found.add(value)
    })
  }
  for (const { type, value } of filters) {
    const id = isCohortType(type) ? idIn(value) : undefined
    if (id !== undefined) found.add(id)
  }
  return [...found]
}

/** Returns the ids and names of actions in `matchesAction(…)` and in filters. */
export function actionsOf(parts: readonly Node[], filters: readonly PropertyFilter[]): ActionReference[] {
  const found = new Set<ActionReference>()
  for (const part of parts) {
    walk(part, (node) => {
      const [only] = node.node === 'Call' && /^matchesAction$/i.test(node.name) ? node.args : []
      if (only?.node !== 'Constant') return
      if (typeof only.value === 'string' || typeof only.value === 'number') found.add(only.value)
    })
  }
  for (const { type, key, value } of filters) {
    if (type !== 'action' || key === 'steps') continue
    const reference = idIn(value) ?? value
    if (typeof reference === 'string' || typeof reference === 'number') found.add(reference)
  }
  return [...found]
}

/** Returns the names to which the filters of an action's steps refer. */
export function namesInSteps(steps: readonly ActionStep[]): {
  properties: NamedProperty[]
  cohorts: CohortReference[]
} {
  const fragments = Object.fromEntries(steps.map(({ properties }, index) => [index, properties ?? []]))
  const filters = allFilters(null, fragments)
  return { properties: propertiesOf([], filters), cohorts: cohortsOf([], filters) }
}

/** Returns steps that are written in a filter. */
export const stepsInFilters = (filters: readonly PropertyFilter[]): ActionStep[] =>
  filters.flatMap(({ type, key, value }) =>
    type === 'action' && key === 'steps' ? (ActionSteps.safeParse(value).data ?? []) : [],
  )

/** Returns the id of a cohort or an action that is a whole number or its text, and undefined for anything else. */
export function idIn(value: unknown): number | undefined {
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : undefined
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** Returns whether a type of filter is that of a cohort, such as `static-cohort`. */
export const isCohortType = (type: string | null | undefined): boolean => /(?:^|-)cohort$/.test(type ?? '')

const NO_FILTERS = { join: 'and' as const, members: [] }

/** Returns all property filters of a query. */
export const allFilters = (
  filters: StoredFilters | null | undefined,
  fragments: Readonly<Record<string, FilterTree>> = {},
): PropertyFilter[] => [
  ...(parseFilters(filters)?.properties ?? []),
  ...Object.values(fragments).flatMap((each) => filtersIn(parseFilterTree(each) ?? NO_FILTERS)),
]

/** Returns the names of possible properties, each with the path before it. */
function propertyNamesIn(node: Node): [name: string, before: string[]][] {
  if (node.node === 'Field') {
    const chain = node.chain.map(String)
    return chain.slice(1).map((name, index) => [name, chain.slice(0, index + 1)])
  }
  if (node.node === 'ArrayAccess' && node.property.node === 'Constant' && node.array.node === 'Field') {
    return [[String(node.property.value), node.array.chain.map(String)]]
  }
  return []
}

/** The names of tables and of their fields. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.entries(TABLES).flatMap(([table, { fields }]) => [table, ...fields.keys()]),
  // The names below are columns of `numbers()` and of materialized rows, and keywords that may also be a name.
  'number',
  '__row',
  'all',
  '*',
])

/** Returns names without a path that no table has, and the query does not define. */
function unknownNames(tree: Node): Set<string> {
  const named = new Set<string>()
  const read = new Set<string>()
  walk(tree, (node, around) => {
    const parent = around.at(-1)?.node
    if (node.node === 'Alias') named.add(node.alias)
    else if (node.node === 'Lambda') for (const name of node.args) named.add(name)
    else if (node.node === 'CTE' && 'columns' in node) for (const name of node.columns ?? []) named.add(name)
    else if (node.node === 'CTE') named.add(node.name)
    else if (node.node === 'JoinExpr') for (const name of node.column_aliases ?? []) named.add(name)
    else if (
      node.node === 'Field' &&
      node.chain.length === 1 &&
      parent !== 'JoinExpr' &&
      parent !== 'Placeholder'
    )
      read.add(String(node.chain[0]))
  })
  return read.difference(named).difference(KNOWN_NAMES)
}

const GROUP = /^group_\d$/

function ownersOf(before: readonly string[]): PropertyOwner[] {
  const group = before.find((name) => GROUP.test(name))
  if (group !== undefined) return [group as PropertyOwner]
  return before.includes('person') || before.includes('poe') ? ['person'] : ['event', 'person']
}
