// Conversions with a default, and conversions by the name of a type.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { call, integer, literalOf } from '../../../ir-build'
import type { Call } from '../../../parser/ast'
import { cast } from '../../types/casts'
import { convertOrReject } from '../../types/convert'
import { macro, type Macro } from './form'

const orDefault = (names: string, fn: 'toFloat' | 'toInt'): Macro =>
  macro(names, 'value, default?', (r, node, value, otherwise = integer(0)) => {
    const kind = fn === 'toFloat' ? 'float' : 'integer'
    const message = `Function '${node.name}' takes a number as its second argument`
    return call('ifNull', call(fn, value!), convertOrReject(r, otherwise, kind, node, message))
  })

/** Returns the text of the name of a type. */
function typeArgument(node: Call, type: Expr | undefined): string {
  const name = type && literalOf(type)
  return typeof name === 'string'
    ? name
    : reject(node, `'${node.name}' takes the name of a type, such as 'Int64'`, 'invalid_query')
}

export const CONVERSION_MACROS: readonly Macro[] = [
  orDefault('toFloatOrDefault toFloat64OrDefault', 'toFloat'),
  orDefault('toIntOrDefault toInt64OrDefault', 'toInt'),
  macro('accurateCastOrNull', 'value, type', (r, node, value, type) =>
    cast(r, value!, typeArgument(node, type), node),
  ),
]
