// Walks a parsed tree without resolving names.
import type { Expression, Node } from './ast'

/** The most levels that are walked. Resolving rejects far fewer. */
const MAX_DEPTH = 2_000

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'node' in value && typeof value.node === 'string'

/** Returns the child nodes, in the order of fields, which may differ from that of the text. */
function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(nodesIn)
}

/** Returns the nodes in a value, which may be a node, a list, a list of lists, or a record by name. */
function nodesIn(value: unknown): Node[] {
  if (isNode(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(nodesIn) : []
}

/**
 * Visits a node and its descendants, outer ones first.
 * @param visit also gets the ancestors, outermost first; returns false to skip the descendants
 */
export function walk(node: Node, visit: (node: Node, around: readonly Node[]) => boolean | void): void {
  const around: Node[] = []
  const go = (here: Node): void => {
    if (visit(here, around) === false || around.length > MAX_DEPTH) return
    around.push(here)
    for (const child of childrenOf(here)) go(child)
    around.pop()
  }
  go(node)
}

/** Removes the positions from a tree of another text than the query's. */
export const withoutPlaces = (tree: Expression): Expression =>
  JSON.parse(
    JSON.stringify(tree, (name, value: unknown) => (name === 'start' || name === 'end' ? null : value)),
  ) as Expression
