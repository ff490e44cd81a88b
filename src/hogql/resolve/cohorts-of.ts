// The cohorts that a tree calls by name, so that their ids can be read before it is resolved.
import type { Node } from '../parser/ast'
import { walk } from './walk'

/** Each name once. */
export function cohortsOf(tree: Node): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node !== 'CompareOperation' || !node.op.endsWith('in cohort')) return
    if (node.right.node === 'Constant' && typeof node.right.value === 'string') names.add(node.right.value)
  })
  return [...names]
}
