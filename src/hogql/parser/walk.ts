// Walking over a parsed tree, whatever its nodes are: for questions about the text that need no names resolved.
import type { Node } from './ast'

/** How deep a tree is walked. Resolving refuses far shallower ones. */
const DEEPEST = 2_000

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'node' in value && typeof value.node === 'string'

/** The nodes directly inside one, in the order of its fields, which is not always that of the text. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(nodesIn)
}

/** Nodes stand in fields, in lists, in lists of lists, and in records by name. */
function nodesIn(value: unknown): Node[] {
  if (isNode(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(nodesIn) : []
}

/**
 * Visits a node and all inside it, outer ones first.
 * @param visit gets the nodes around as well, outermost first; what is inside a node is left out when it returns false
 */
export function walk(node: Node, visit: (node: Node, around: readonly Node[]) => boolean | void): void {
  const around: Node[] = []
  const go = (here: Node): void => {
    if (visit(here, around) === false || around.length > DEEPEST) return
    around.push(here)
    for (const child of childrenOf(here)) go(child)
    around.pop()
  }
  go(node)
}
