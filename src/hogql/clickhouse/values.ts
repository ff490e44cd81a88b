// From what ClickHouse gives (JSONCompact, 64-bit integers as numbers, ISO datetimes in UTC) to what the API shows: the same as from SQLite.
import { datetimeFormatter } from '../format-datetime'
import type { Type } from '../types'

type Decoder = (value: unknown) => unknown

/** What turns a value of a type into what is shown; null for types whose values are that already. NULL stays what it is. */
export function decoderOf(type: Type, timezone: string): Decoder | null {
  const decode = bareDecoderOf(type, timezone)
  return decode && ((value) => (value === null ? null : decode(value)))
}

function bareDecoderOf(type: Type, timezone: string): Decoder | null {
  switch (type.kind) {
    case 'boolean':
      return Boolean
    case 'integer':
      // ClickHouse keeps a Bool a Bool where HogQL counts with it.
      return Number
    case 'datetime': {
      const show = datetimeFormatter(timezone)
      return (value) => show(String(value))
    }
    case 'array': {
      const decode = decoderOf(type.of, timezone)
      return decode && ((value) => listFrom(value).map(decode))
    }
    case 'tuple': {
      const decoders = type.of.map((of) => decoderOf(of, timezone))
      return (value) =>
        listFrom(value).map((item, place) => {
          const decode = decoders[place]
          return decode ? decode(item) : item
        })
    }
    case 'float':
    case 'string':
    case 'date':
    case 'json':
    case 'null':
      return null
  }
}

const listFrom = (value: unknown) => value as unknown[]
