// Implicit conversions, where they are unambiguous.
import type { Expected } from '../../functions/spec'
import type { Expr } from '../../ir'
import { parseDate, isDate, parseDatetime } from '../../parse-datetime'
import { BOOLEAN, DATE, DATETIME, FLOAT, INTEGER, isNumber, STRING, type Type } from '../../types'
import { call, literal } from '../build'
import { propertyTextOf } from './properties'

type Target = Exclude<Expected, 'any' | 'lambda'>

/**
 * Converts an expression, or gives undefined. Texts of properties become numbers, booleans or datetimes, constants become datetimes,
 * dates and datetimes convert to each other, and a variable is bound as the target type.
 */
export function convert(expr: Expr, goal: Target, timezone: string): Expr | undefined {
  if (expr.type.kind === 'null') return expr
  if (expr.node === 'variable') return convertVariable(expr, goal)
  switch (goal) {
    case 'condition':
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
      return convertToTemporal(expr, goal, timezone)
  }
}

/** A constant that is not an integer is an error; a column is truncated. */
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
  goal: 'datetime' | 'date' | 'temporal',
  timezone: string,
): Expr | undefined {
  const { kind } = expr.type
  if (kind === 'datetime') return goal === 'date' ? call('toDate', expr) : expr
  if (kind === 'date') return goal === 'datetime' ? toDatetime(expr, timezone) : expr
  if (expr.node === 'literal' && typeof expr.value === 'string')
    return temporalLiteral(expr.value, goal, timezone)
  return fromProperty(expr, goal === 'date' ? 'toDate' : 'toDateTime')
}

/** A date as its local midnight. */
function toDatetime(expr: Expr, timezone: string): Expr {
  const known =
    expr.node === 'literal' && typeof expr.value === 'string' ? parseDatetime(expr.value, timezone) : null
  return known === null ? call('toDateTime', expr) : literal(known, DATETIME)
}

function temporalLiteral(
  value: string,
  goal: 'datetime' | 'date' | 'temporal',
  timezone: string,
): Expr | undefined {
  const asDay = goal === 'date' || (goal === 'temporal' && isDate(value))
  const found = asDay ? parseDate(value, timezone) : parseDatetime(value, timezone)
  return found === null ? undefined : literal(found, asDay ? DATE : DATETIME)
}

/** The run converts a variable's value, or rejects it. */
function convertVariable(expr: Extract<Expr, { node: 'variable' }>, goal: Target): Expr | undefined {
  const type = variableTypeFor(expr.type, goal)
  return type && (type === expr.type ? expr : { ...expr, type })
}

function variableTypeFor(type: Type, goal: Target): Type | undefined {
  if (type.kind === 'array' || goal === 'array')
    return type.kind === 'array' && goal === 'array' ? type : undefined
  const as = (wanted: Type): Type => ({ ...wanted, nullable: type.nullable })
  switch (goal) {
    case 'condition':
      return isNumber(type) ? type : as(BOOLEAN)
    case 'boolean':
      return as(BOOLEAN)
    case 'number':
      return isNumber(type) ? type : as(FLOAT)
    case 'float':
      return as(FLOAT)
    case 'integer':
      return as(INTEGER)
    case 'string':
    case 'json':
      return as(STRING)
    case 'date':
      return as(DATE)
    case 'datetime':
      return as(DATETIME)
    case 'temporal':
      return type.kind === 'date' || type.kind === 'datetime' ? type : as(DATETIME)
  }
}
