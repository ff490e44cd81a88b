// Static cohorts that a query calls by their names: `person_id IN COHORT 'Regulars'`.
import type { Node } from '../hogql/parser/ast'
import { walk } from '../hogql/parser/walk'

/** The names in a parsed text. */
export function cohortNamesIn(tree: Node): string[] {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.node !== 'CompareOperation' || !/cohort/i.test(node.op)) return
    if (node.right.node === 'Constant' && typeof node.right.value === 'string') names.add(node.right.value)
  })
  return [...names]
}
