// Finds one type for several expressions: branches of a condition, items of an array, legs of a UNION.
import type { Expected } from '../../functions/spec'
import type { Expr } from '../../ir'
import { call } from '../../ir-build'
import { commonType, differWithin, isNumber, isTemporal, isText, tupleOf, type Type } from '../../types'
import { convert } from './convert'
import { isDefinedText, propertyTextOf } from './properties'

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
  const aligned = alignDates(converted, type, timezone)
  return { exprs: aligned.map((expr) => withElementsOf(expr, type) ?? expr), type }
}

/**
 * Converts integers within an array or a tuple to floats, and dates to datetimes, where the type has these. Arrays and tuples on D1 are
 * texts, which are equal only when their elements are of one kind. Returns undefined for one that is not written out.
 */
export function withElementsOf(expr: Expr, type: Type): Expr | undefined {
  if (!differWithin(expr.type, type)) return expr
  const item = (each: Expr, of: Type): Expr | undefined => {
    if (of.kind === each.type.kind || each.type.kind === 'null') return withElementsOf(each, of)
    if (of.kind === 'float') return call('toFloat', each)
    return of.kind === 'datetime' ? call('toDateTime', each) : each
  }
  if (expr.node === 'array' && type.kind === 'array') {
    const items = expr.items.map((each) => item(each, type.of))
    const of = type.of
    return items.every((each) => each !== undefined)
      ? { ...expr, items, type: { ...expr.type, kind: 'array', of } }
      : undefined
  }
  if (expr.node !== 'tuple' || type.kind !== 'tuple') return undefined
  const items = expr.items.map((each, index) => item(each, type.of[index]!))
  return items.every((each) => each !== undefined)
    ? {
        ...expr,
        items,
        type: { ...tupleOf(...items.map((each) => each.type)), nullable: expr.type.nullable },
      }
    : undefined
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

/**
 * Returns whether an expression can be converted: texts of properties and constants can, and variables, which are bound as any type. A
 * property that is text by its definition cannot, because its values would be lost.
 */
const isConvertible = (expr: Expr): boolean =>
  expr.node === 'variable' ||
  (expr.type.kind === 'string' && propertyTextOf(expr) !== undefined && !isDefinedText(expr)) ||
  (expr.type.kind === 'string' && expr.node === 'literal')

/** Converts dates to datetimes if the type is that. */
const alignDates = (exprs: Expr[], type: Type, timezone: string): Expr[] =>
  type.kind === 'datetime' ? exprs.map((expr) => convert(expr, 'datetime', timezone) ?? expr) : exprs
