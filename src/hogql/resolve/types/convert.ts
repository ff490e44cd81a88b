// Implicit conversions that are unambiguous.
import type { Expected } from '../../functions/spec'
import { mayBeNaN } from '../../functions/sqlite-values'
import type { Expr } from '../../ir'
import { parseDate, isDate, parseDatetime } from '../../parse-datetime'
import { BOOLEAN, DATE, DATETIME, FLOAT, INTEGER, isNumber, STRING, type Type } from '../../types'
import { call, comparison, integer, literal, literalOf, text } from '../../ir-build'
import { reject } from '../../error'
import type { Located } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { isDefinedText, propertyTextOf } from './properties'
import { typeName } from './type-names'

type Target = Exclude<Expected, 'any' | 'lambda'>

/**
 * Converts an expression, or returns undefined. Texts of properties become numbers, booleans or datetimes, constants become datetimes,
 * dates and datetimes convert to each other, and a variable is bound as the target type.
 */
export function convert(expr: Expr, target: Target, timezone: string): Expr | undefined {
  if (expr.type.kind === 'null') return expr
  if (expr.node === 'variable') return convertVariable(expr, target)
  switch (target) {
    case 'condition':
      if (isDefinedText(expr)) return undefined
      // Not a number is no zero, and so is true.
      if (mayBeNaN(expr.type, literalOf(expr))) return comparison('!=', expr, integer(0))
      return isNumber(expr.type) ? expr : fromProperty(expr, 'toBool')
    case 'boolean':
      return isNumber(expr.type) ? expr : fromProperty(expr, 'toBool')
    case 'number':
    case 'float':
      return isNumber(expr.type) ? expr : fromProperty(expr, 'toFloat')
    case 'integer':
      return convertToInteger(expr)
    case 'string':
      if (expr.type.kind === 'string' || expr.type.kind === 'json') return expr
      return propertyTextOf(expr)
    case 'json':
      return expr.type.kind === 'string' || expr.type.kind === 'json' ? expr : propertyTextOf(expr)
    case 'array':
      return expr.type.kind === 'array' ? expr : undefined
    case 'datetime':
    case 'date':
    case 'temporal':
      return convertToTemporal(expr, target, timezone)
  }
}

/** @throws HogqlError `type_mismatch` with the expected type and the expression's type */
export const convertOrReject = (
  r: Resolution,
  expr: Expr,
  target: Target,
  node: Located,
  expected: string,
): Expr =>
  convert(expr, target, r.context.timezone) ??
  reject(node, `${expected}, and got ${typeName(expr.type)}`, 'type_mismatch')

/** Converts to an integer. A constant that is not an integer is an error; a column is truncated. */
function convertToInteger(expr: Expr): Expr | undefined {
  if (expr.type.kind !== 'float') return isNumber(expr.type) ? expr : fromProperty(expr, 'toInt')
  if (expr.node !== 'literal') return call('toInt', expr)
  return Number.isInteger(expr.value) ? literal(expr.value, INTEGER) : undefined
}

function fromProperty(
  expr: Expr,
  conversion: 'toBool' | 'toFloat' | 'toInt' | 'toDateTime' | 'toDate',
): Expr | undefined {
  const property = expr.type.kind === 'string' ? propertyTextOf(expr) : undefined
  return property && call(conversion, property)
}

function convertToTemporal(
  expr: Expr,
  target: 'datetime' | 'date' | 'temporal',
  timezone: string,
): Expr | undefined {
  const { kind } = expr.type
  if (kind === 'datetime') return target === 'date' ? call('toDate', expr) : expr
  if (kind === 'date') return target === 'datetime' ? toDatetime(expr, timezone) : expr
  if (expr.node === 'literal' && typeof expr.value === 'string')
    return temporalLiteral(expr.value, target, timezone)
  return fromProperty(expr, target === 'date' ? 'toDate' : 'toDateTime')
}

/** Converts a date to its local midnight. */
function toDatetime(expr: Expr, timezone: string): Expr {
  const known =
    expr.node === 'literal' && typeof expr.value === 'string' ? parseDatetime(expr.value, timezone) : null
  return known === null ? call('toDateTime', expr) : literal(known, DATETIME)
}

/** Returns a datetime unchanged, and a date as its midnight in a zone. */
export function midnightIn(expr: Expr, zone: string): Expr {
  if (expr.type.kind !== 'date') return expr
  return expr.node === 'literal' ? toDatetime(expr, zone) : call('toDateTime', expr, text(zone))
}

function temporalLiteral(
  value: string,
  target: 'datetime' | 'date' | 'temporal',
  timezone: string,
): Expr | undefined {
  const asDay = target === 'date' || (target === 'temporal' && isDate(value))
  const found = asDay ? parseDate(value, timezone) : parseDatetime(value, timezone)
  return found === null ? undefined : literal(found, asDay ? DATE : DATETIME)
}

/**
 * Changes the type of a variable: the run converts its value, or rejects it. A List, which is one of several texts upstream, is bound as one
 * value where one is expected.
 */
function convertVariable(expr: Extract<Expr, { node: 'variable' }>, target: Target): Expr | undefined {
  const type = variableTypeFor(expr.type, target)
  return type && (type === expr.type ? expr : { ...expr, type })
}

function variableTypeFor(type: Type, target: Target): Type | undefined {
  if (target === 'array') return type.kind === 'array' ? type : undefined
  const fits =
    ((target === 'condition' || target === 'number') && isNumber(type)) ||
    (target === 'temporal' && (type.kind === 'date' || type.kind === 'datetime'))
  return fits ? type : { ...BOUND_TYPES[target], nullable: type.nullable }
}

/** The types as which variables are bound. */
const BOUND_TYPES: Readonly<Record<Exclude<Target, 'array'>, Type>> = {
  condition: BOOLEAN,
  boolean: BOOLEAN,
  number: FLOAT,
  float: FLOAT,
  integer: INTEGER,
  string: STRING,
  json: STRING,
  date: DATE,
  datetime: DATETIME,
  temporal: DATETIME,
}
