// The placeholders of a tree, before anything of it is resolved.
import type { Node, Placeholder } from '../parser/ast'
import { chainOf } from './context/filter-range'
import { walk } from '../parser/walk'
import type { PropertyOwner } from '../tables/schema'
import { filtersIn, type FilterTree, readFilters, readTree, type StoredFilters } from './context/filters'

export interface Placeholders {
  /** Code names, each once, in the order in which they stand in the text. */
  variables: string[]
  /** Whether there is `{filters}`, or an end of its date range. */
  filters: boolean
  /** `{variables}` without a name, and everything else that stands for nothing. */
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
    const [root, name, ...rest] = chainOf(placeholder) ?? []
    if (root === 'variables' && name !== undefined && rest.length === 0) variables.add(name)
    else if (root === 'filters') filters = true
    else invalid.push(placeholder)
  }
  return { variables: [...variables], filters, invalid }
}

// The properties that a tree may name, so that their definitions can be read before it is resolved.
export interface NamedProperty {
  owner: PropertyOwner
  name: string
}

/**
 * Every name that may be one of a property, with everybody whose property it may be: rather one too many than one too few, since nothing is
 * resolved yet.
 * @param filters those that `{filters}` stands for
 * @param fragments those that `{fragments.…}` stands for
 */
export function propertiesOf(
  tree: Node,
  filters?: StoredFilters | null,
  fragments: Readonly<Record<string, FilterTree>> = {},
): NamedProperty[] {
  const found = new Map<string, NamedProperty>()
  const add = (owner: PropertyOwner, name: string) => found.set(`${owner} ${name}`, { owner, name })
  walk(tree, (node) => {
    for (const [name, before] of namesIn(node)) for (const owner of ownersOf(before)) add(owner, name)
  })
  const inFragments = Object.values(fragments).flatMap((each) => filtersIn(readTree(each) ?? NONE))
  for (const filter of [...(readFilters(filters)?.properties ?? []), ...inFragments]) {
    if (filter.type === 'person') add('person', filter.key)
    else if (filter.type === 'group') add(`group_${filter.group_type_index ?? 0}`, filter.key)
    else add('event', filter.key)
  }
  return [...found.values()]
}

const NONE = { join: 'and' as const, members: [] }

/** Names that something stands in front of, with that. */
function namesIn(node: Node): [name: string, before: string[]][] {
  if (node.node === 'Field') {
    const chain = node.chain.map(String)
    return chain.slice(1).map((name, index) => [name, chain.slice(0, index + 1)])
  }
  if (node.node === 'ArrayAccess' && node.property.node === 'Constant' && node.array.node === 'Field') {
    return [[String(node.property.value), node.array.chain.map(String)]]
  }
  return []
}

const GROUP = /^group_\d$/

function ownersOf(before: readonly string[]): PropertyOwner[] {
  const group = before.find((name) => GROUP.test(name))
  if (group !== undefined) return [group as PropertyOwner]
  return before.includes('person') || before.includes('poe') ? ['person'] : ['event', 'person']
}
