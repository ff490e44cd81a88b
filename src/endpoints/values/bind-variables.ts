// Binds JSON values of variables to the parameters of a compiled query.
import type { BoundValue } from '../../analytics/engine/query-engine'
import { invalid } from '../../errors'
import { parseDate, parseDatetime } from '../../hogql/parse-datetime'
import type { Type } from '../../hogql/types'
import type { CompiledQuery } from '../../hogql/compiled'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Accepts numbers and booleans as text, and the other way round.
 * @param timezone of datetimes without an offset
 * @throws 400 `variables` with the name and the expected type, never the value
 */
export function convert(name: string, value: unknown, type: Type, timezone: string): BoundValue {
  if (value === null) return null
  const fitting = fit(value, type, timezone)
  if (fitting === undefined) throw invalid('variables', `Variable '${name}' must be ${expected(type)}.`)
  return fitting
}

function fit(value: unknown, type: Type, timezone: string): BoundValue | undefined {
  switch (type.kind) {
    case 'string':
    case 'json':
      return textOf(value)
    case 'integer': {
      const number = numberOf(value)
      return Number.isSafeInteger(number) ? number : undefined
    }
    case 'float':
      return numberOf(value)
    case 'boolean':
      return booleanOf(value)
    case 'datetime':
      return typeof value === 'string' ? (parseDatetime(value, timezone) ?? undefined) : undefined
    case 'date':
      return typeof value === 'string' ? (parseDate(value, timezone) ?? undefined) : undefined
    case 'array':
      return itemsOf(value, type.of, timezone)
    case 'tuple':
    case 'null':
      return undefined
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 1 || word === 'true' || word === '1') return true
  return word === false || word === 0 || word === 'false' || word === '0' ? false : undefined
}

/** A single value is a list of one. */
function itemsOf(value: unknown, type: Type, timezone: string): BoundValue | undefined {
  const items = (Array.isArray(value) ? value : [value]).map((item) =>
    item === null ? undefined : fit(item, type, timezone),
  )
  return items.every((item) => item !== undefined && !Array.isArray(item)) ? (items as BoundValue) : undefined
}

function expected(type: Type): string {
  switch (type.kind) {
    case 'string':
    case 'json':
      return 'a string'
    case 'integer':
      return 'an integer'
    case 'float':
      return 'a number'
    case 'boolean':
      return 'a boolean'
    case 'datetime':
      return 'a date or a date-time in ISO 8601'
    case 'date':
      return 'a date (YYYY-MM-DD)'
    case 'array':
      return `a list, of which each item is ${expected(type.of)}`
    case 'tuple':
    case 'null':
      return 'null'
  }
}

/** By index of the parameter. @throws 400 for a missing or invalid value */
export function bindVariables(
  { parameters }: Pick<CompiledQuery, 'parameters'>,
  values: ReadonlyMap<string, unknown>,
  timezone: string,
): Map<number, BoundValue> {
  const bound = new Map<number, BoundValue>()
  parameters.forEach((parameter, index) => {
    if (parameter.kind !== 'variable') return
    const value = values.get(parameter.name)
    if (value === undefined) throw missing(parameter.name)
    bound.set(index, convert(parameter.name, value, parameter.type, timezone))
  })
  return bound
}

const missing = (name: string) => invalid(null, `Variable ${name} is missing from query`)
