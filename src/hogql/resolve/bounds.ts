// LIMIT and OFFSET: constants.
import type { Expression } from '../parser/ast'
import { refuse } from './refuse'

/** A whole number that is written where `what` stands; null when nothing is. */
export function boundOf(node: Expression | null | undefined, what: string): number | null {
  if (!node) return null
  const value = node.node === 'Constant' ? node.value : null
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(node, `${what} takes a whole number that is a constant`, 'not_supported')
}
