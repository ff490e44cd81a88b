// What results are called: their alias, the last part of a name, or the text of the expression as it is written.
import type { Expression } from '../parser/ast'
import type { Resolution } from './context'
import { textOf } from './source-text'

export function nameOf(r: Resolution, node: Expression): string {
  if (node.node === 'Alias') return node.alias
  if (node.node === 'Field') return String(node.chain.at(-1))
  return textOf(r, node).trim() || node.node
}
