// Converts values of an engine to those of the API. SQLite has booleans as 1 and 0, datetimes as texts in UTC, and arrays and tuples as
// JSON. ClickHouse responds with JSON: it has a Bool where HogQL's type is an integer, and datetimes like those of SQLite.
import { toWall } from '../time/zone'
import type { Dialect } from './compiled'
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

const MINUTE = 60_000
/** Offsets have changed only at quarters of an hour since before the first events. */
const QUARTER = 15 * MINUTE

const FRACTION = /\.(\d{0,9}[1-9]\d{0,9})Z$/

/**
 * Returns a function that formats datetimes in stored form (UTC, six digits of fraction) with the zone's offset, which is `Z` for UTC, and
 * with a fraction unless it is zero. Offsets are cached by quarter of an hour: a result has many datetimes of few days.
 */
function datetimeFormatter(timezone: string): (stored: string) => string {
  if (timezone === 'UTC') return (stored) => withFraction(stored.slice(0, 19), stored, 'Z')
  const offsets = new Map<number, number>()
  return (stored) => {
    const second = Date.parse(`${stored.slice(0, 19)}Z`)
    const quarter = Math.floor(second / QUARTER) * QUARTER
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      offset = toWall(quarter, timezone) - quarter
      offsets.set(quarter, offset)
    }
    return withFraction(new Date(second + offset).toISOString().slice(0, 19), stored, offsetText(offset))
  }
}

function withFraction(seconds: string, stored: string, offset: string): string {
  const fraction = FRACTION.exec(stored)?.[1] ?? ''
  return fraction === '' ? `${seconds}${offset}` : `${seconds}.${fraction}${offset}`
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return minutes === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${text}`
}
