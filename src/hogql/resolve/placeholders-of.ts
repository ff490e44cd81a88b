// The placeholders of a tree, before anything of it is resolved.
import type { Node, Placeholder } from '../parser/ast'
import { chainOf } from './filter-range'
import { walk } from './walk'

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
