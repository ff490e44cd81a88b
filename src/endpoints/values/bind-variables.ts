// Binds JSON values of variables to the parameters of a compiled query.
import type { BoundValue } from '../../analytics/engine/query-engine'
import { invalid } from '../../errors'
import { hasAlteredNumbers } from '../../http/body/exact-integers'
import { parseDate, parseDatetime } from '../../hogql/parse-datetime'
import { parseNumber } from '../../hogql/parse-number'
import type { Type } from '../../hogql/types'
import type { VariableType } from '../query/query-types'
import { allParameters, type CompiledQuery } from '../../hogql/compiled'

interface Conversion {
  /** Describes valid values in an error. */
  expected: string
  /**
   * Converts a value. Numbers and booleans may be written as text, and the other way round. Returns undefined for a value that does not
   * fit.
   */
  fit(value: unknown, timezone: string): BoundValue | undefined
}

/**
 * @param timezone of datetimes without an offset
 * @throws 400 `variables` with the name and the expected type, never the value
 */
export function convert(name: string, value: unknown, type: Type, timezone: string): BoundValue {
  if (value === null) return null
  const conversion = conversionTo(type)
  const bound = conversion.fit(value, timezone)
  if (bound === undefined) {
    const isList = Array.isArray(value) && type.kind !== 'array'
    throw unfit(name, isList ? { expected: `${conversion.expected} here: IN takes a list` } : conversion)
  }
  if ((type.kind === 'array' ? type.of : type).kind === 'float' && [value].flat().some(isAlteredText))
    throw invalid('variables', `Variable '${name}': ${NOT_EXACT}`)
  return bound
}

const NOT_EXACT = 'integers past 2^53 are not kept exactly. Use a variable of type String, and compare texts.'

const isAlteredText = (value: unknown): boolean => typeof value === 'string' && hasAlteredNumbers(value)

const conversionTo = (type: Type): Conversion =>
  type.kind === 'array' ? toListOf(conversionTo(type.of)) : CONVERSIONS[type.kind]

/** Converts each item of a list. A single value is a list of one. */
const toListOf = ({ expected, fit }: Conversion): Conversion => ({
  expected: `a list, of which each item is ${expected}`,
  fit(value, timezone) {
    const items = (Array.isArray(value) ? value : [value]).map((item) =>
      item === null ? undefined : fit(item, timezone),
    )
    return items.every((item) => item !== undefined && !Array.isArray(item))
      ? (items as BoundValue)
      : undefined
  },
})

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? parseNumber(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function integerOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return Number.isSafeInteger(number) ? number : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 1 || word === 'true' || word === '1') return true
  return word === false || word === 0 || word === 'false' || word === '0' ? false : undefined
}

const TO_TEXT: Conversion = { expected: 'a string', fit: textOf }
const TO_NOTHING: Conversion = { expected: 'null', fit: () => undefined }

const CONVERSIONS: Record<Exclude<Type['kind'], 'array'>, Conversion> = {
  string: TO_TEXT,
  json: TO_TEXT,
  integer: { expected: 'an integer', fit: integerOf },
  float: { expected: 'a number', fit: numberOf },
  boolean: { expected: 'a boolean', fit: booleanOf },
  datetime: {
    expected: 'a date or a date-time in ISO 8601',
    fit: (value, timezone) =>
      typeof value === 'string' ? (parseDatetime(value, timezone) ?? undefined) : undefined,
  },
  date: {
    expected: 'a date (YYYY-MM-DD)',
    fit: (value, timezone) =>
      typeof value === 'string' ? (parseDate(value, timezone) ?? undefined) : undefined,
  },
  tuple: TO_NOTHING,
  null: TO_NOTHING,
}

const OF_VARIABLES: Record<VariableType, Conversion> = {
  String: TO_TEXT,
  Number: CONVERSIONS.float,
  Boolean: CONVERSIONS.boolean,
  List: toListOf(TO_TEXT),
  Date: CONVERSIONS.datetime,
}

const fits = (value: unknown, type: VariableType): boolean =>
  value === null || OF_VARIABLES[type].fit(value, 'UTC') !== undefined

/** @throws 400, attr `default_value`, for a value that does not fit the type of its variable: every run with it would fail */
export function checkDefault(value: unknown, type: VariableType): void {
  if (!fits(value, type))
    throw invalid(
      'default_value',
      `The default of a ${type} must be ${OF_VARIABLES[type].expected}, or null.`,
    )
  if (type === 'Number' && isAlteredText(value)) throw invalid('default_value', `The default: ${NOT_EXACT}`)
}

/** @throws 400 `variables` for a value that does not fit the type of its variable: where a text is taken, any would fit a Date */
export function checkValue(name: string, value: unknown, type: VariableType): void {
  if (!fits(value, type)) throw unfit(name, OF_VARIABLES[type])
}

const unfit = (name: string, { expected }: Pick<Conversion, 'expected'>) =>
  invalid('variables', `Variable '${name}' must be ${expected}.`)

/** Returns the values by index among `allParameters`. @throws 400 for a missing or invalid value */
export function bindVariables(
  query: Pick<CompiledQuery, 'parameters' | 'computed'>,
  values: ReadonlyMap<string, unknown>,
  timezone: string,
): Map<number, BoundValue> {
  const bound = new Map<number, BoundValue>()
  allParameters(query).forEach((parameter, index) => {
    if (parameter.kind !== 'variable') return
    const value = values.get(parameter.name)
    if (value === undefined) throw missing(parameter.name)
    bound.set(index, convert(parameter.name, value, parameter.type, timezone))
  })
  return bound
}

const missing = (name: string) => invalid(null, `Variable ${name} is missing from query`)
