// Resolves casts, `x::Int` and `CAST(x AS String)`, as functions of the catalogue.
import type { Expr } from '../../ir'
import type { Located } from '../../parser/ast'
import { call } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convert } from './convert'
import { reject } from '../../error'

/** The function that converts to each type. */
const CONVERSIONS: Record<string, string> = {
  int: 'toInt',
  integer: 'toInt',
  bigint: 'toInt',
  float: 'toFloat',
  double: 'toFloat',
  real: 'toFloat',
  decimal: 'toFloat',
  numeric: 'toFloat',
  string: 'toString',
  text: 'toString',
  varchar: 'toString',
  char: 'toString',
  uuid: 'toString',
  bool: 'toBool',
  boolean: 'toBool',
  date: 'toDate',
  date32: 'toDate',
  datetime: 'toDateTime',
  datetime64: 'toDateTime',
  timestamp: 'toDateTime',
}

/** The most characters of a type's name. The longest meaningful name, with wrappers and a time zone, has some sixty. */
export const MAX_TYPE_LENGTH = 200

/** Casts to a type by its name in SQL or ClickHouse: `int`, `UInt64`, `Nullable(String)`, `DateTime('UTC')`. */
export function cast(r: Resolution, expr: Expr, written: string, node: Located): Expr {
  if (written.length > MAX_TYPE_LENGTH) {
    reject(node, `The name of a type may have at most ${MAX_TYPE_LENGTH} characters.`)
  }
  const name = nameOf(written)
  const sized = /^u?int(8|16|32|64|128|256)$/.test(name) ? 'int' : name.replace(/^float(32|64)$/, 'float')
  const conversion = Object.hasOwn(CONVERSIONS, sized) ? CONVERSIONS[sized] : undefined
  if (conversion === undefined) reject(node, `Unsupported type: ${written}`)
  if (/\b(?:decimal|numeric)\s*\(/i.test(written)) {
    reject(node, `Numbers have no scale: ${written} is not supported. Use round(toFloat(x), 2) for digits.`)
  }
  const zone = /^datetime(?:64)?\s*\([^']*'([^']*)'/i.exec(written.trim())?.[1]
  if (zone !== undefined && zone !== r.context.timezone) {
    reject(node, `Datetimes are in the project's time zone, not in '${zone}'`)
  }
  // A constant is converted here, in the project's time zone.
  if (conversion === 'toDate' || conversion === 'toDateTime') {
    const known =
      expr.node === 'literal'
        ? convert(expr, conversion === 'toDate' ? 'date' : 'datetime', r.context.timezone)
        : undefined
    if (known !== undefined) return known
  }
  return call(conversion, expr)
}

/** Returns the name of a type without wrappers and arguments. */
function nameOf(written: string): string {
  const name = written.trim().toLowerCase()
  const inner = /^(?:nullable|lowcardinality)\((.*)\)$/s.exec(name)?.[1]
  if (inner !== undefined) return nameOf(inner)
  const bracket = name.endsWith(')') ? name.indexOf('(') : -1
  return bracket < 0 ? name : name.slice(0, bracket).trimEnd()
}
