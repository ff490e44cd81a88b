// Finds one type for several expressions: branches of a condition, items of an array, legs of a UNION.
import type { Expected } from '../../functions/spec'
import type { Expr } from '../../ir'
import { commonType, isNumber, isTemporal, isText, type Type } from '../../types'
import { convert } from './convert'
import { propertyTextOf } from './properties'

/** The element type of an empty array. It fits every type, and makes none nullable. */
const EMPTY_ELEMENT: Type = { kind: 'null', nullable: false }

/**
 * Converts all to one type, or returns undefined when there is none. Texts of properties, constant texts and variables take the type of the
 * others.
 */
export function unify(exprs: readonly Expr[], timezone: string): Unified | undefined {
  return unifyTo(exprs, timezone) ?? unifyTo(exprs.map(asText), timezone)
}

export interface Unified {
  exprs: Expr[]
  type: Type
}

/** Returns a property as text, without the conversion by its definition. */
const asText = (expr: Expr): Expr => propertyTextOf(expr) ?? expr

function unifyTo(exprs: readonly Expr[], timezone: string): Unified | undefined {
  const target = targetOf(exprs)
  const converted: Expr[] = []
  let type: Type = EMPTY_ELEMENT
  for (const expr of exprs) {
    const fitting = target === undefined || !isConvertible(expr) ? expr : convert(expr, target, timezone)
    const common = fitting && commonType(type, fitting.type)
    if (fitting === undefined || common === undefined) return undefined
    converted.push(fitting)
    type = common
  }
  return { exprs: alignDates(converted, type, timezone), type }
}

/** Returns the type of the expressions that cannot be converted. */
function targetOf(exprs: readonly Expr[]): Exclude<Expected, 'any' | 'lambda'> | undefined {
  const firm = exprs.filter((expr) => !isConvertible(expr) && expr.type.kind !== 'null')
  if (firm.length === 0) return undefined
  if (firm.every(({ type }) => isNumber(type))) {
    return firm.every(({ type }) => type.kind === 'boolean') ? 'boolean' : 'number'
  }
  if (firm.every(({ type }) => type.kind === 'date')) return 'date'
  if (firm.every(({ type }) => isTemporal(type))) return 'datetime'
  return firm.every(({ type }) => isText(type)) ? 'string' : undefined
}

/** Returns whether an expression can be converted: texts of properties and constants can, and variables, which are bound as any type. */
const isConvertible = (expr: Expr): boolean =>
  expr.node === 'variable' ||
  (expr.type.kind === 'string' && propertyTextOf(expr) !== undefined) ||
  (expr.type.kind === 'string' && expr.node === 'literal')

/** Converts dates to datetimes if the type is that. */
const alignDates = (exprs: Expr[], type: Type, timezone: string): Expr[] =>
  type.kind === 'datetime' ? exprs.map((expr) => convert(expr, 'datetime', timezone) ?? expr) : exprs
