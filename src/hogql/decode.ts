// Converts values of an engine to those of the API. SQLite has booleans as 1 and 0, datetimes as texts in UTC, and arrays and tuples as
// JSON. ClickHouse responds with JSON: it has a Bool where HogQL's type is an integer, and datetimes like those of SQLite.
import type { Dialect } from './compiled'
import { datetimeFormatter } from './format-datetime'
import { isMap, type Type } from './types'

type Decoder = (value: unknown) => unknown

/** Returns the decoder of a type, or null for types whose values need none. NULL stays NULL. */
export function decoderOf(type: Type, timezone: string, dialect: Dialect): Decoder | null {
  const decode = bareDecoderOf(type, timezone, dialect)
  return decode && ((value) => (value === null ? null : decode(value)))
}

function bareDecoderOf(type: Type, timezone: string, dialect: Dialect): Decoder | null {
  switch (type.kind) {
    case 'boolean':
      return Boolean
    case 'integer':
      return dialect === 'clickhouse' ? Number : null
    case 'datetime': {
      const show = datetimeFormatter(type.zone ?? timezone)
      return (value) => show(String(value))
    }
    case 'array': {
      const decode = decoderOf(type.of, timezone, dialect)
      if (isMap(type)) return (value) => objectOf(listFrom(value).map(decode ?? ((pair) => pair)))
      if (decode) return (value) => listFrom(value).map(decode)
      return dialect === 'sqlite' ? listFrom : null
    }
    case 'tuple': {
      const decoders = type.of.map((of) => decoderOf(of, timezone, dialect))
      return (value) => listFrom(value).map((item, place) => decoders[place]?.(item) ?? item)
    }
    case 'float':
    case 'string':
    case 'date':
    case 'json':
    case 'null':
      return null
  }
}

/** Makes an object of pairs, in which the first of equal keys counts. */
function objectOf(pairs: readonly unknown[]): object {
  const values = new Map<string, unknown>()
  for (const [key, value] of pairs as [unknown, unknown][]) {
    if (!values.has(String(key))) values.set(String(key), value)
  }
  return Object.fromEntries(values)
}

/** Returns the list. SQLite has a list inside another list as a JSON value, and any other as a text. */
const listFrom = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as unknown[]
