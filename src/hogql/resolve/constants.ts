// Constants of the text.
import type { Expr } from '../ir'
import type { Constant } from '../parser/ast'
import { BOOLEAN, FLOAT, INTEGER, STRING } from '../types'
import { literal, NULL_LITERAL } from './build'
import type { Resolution } from './context'
import { refuse } from './refuse'
import { textOf } from './source-text'

/** A constant as it is written: `1.0` is a float, `1` an integer. */
export function resolveConstant(r: Resolution, node: Constant): Expr {
  const { value } = node
  if (value === null) return NULL_LITERAL
  if (typeof value === 'boolean') return literal(value, BOOLEAN)
  if (node.value_type === 'number') return unusualNumber(node)
  if (typeof value === 'string') return literal(value, STRING)
  const written = textOf(r, node)
  if (!Number.isInteger(value) || isWrittenAsFloat(written)) return literal(value, FLOAT)
  if (!Number.isSafeInteger(value)) refuse(node, `The number ${written} is too large.`, 'not_supported')
  return literal(value, INTEGER)
}

const isWrittenAsFloat = (written: string): boolean => !/^[+-]?\s*0x/i.test(written) && /[.e]/i.test(written)

/** Numbers that JSON cannot hold come as texts. */
function unusualNumber(node: Constant): never {
  return refuse(node, `The number ${String(node.value)} is not supported.`, 'not_supported')
}
