// From what SQLite gives to what the API shows: booleans come as 1 and 0, datetimes as texts in UTC, arrays and tuples as JSON.
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
    case 'datetime': {
      const show = datetimeFormatter(timezone)
      return (value) => show(String(value))
    }
    case 'array':
      return arrayDecoder(decoderOf(type.of, timezone))
    case 'tuple':
      return tupleDecoder(type.of.map((of) => decoderOf(of, timezone)))
    case 'integer':
    case 'float':
    case 'string':
    case 'date':
    case 'json':
    case 'null':
      return null
  }
}

/** Those within another are JSON values of it, not texts. */
const listFrom = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value) as unknown[]

const arrayDecoder =
  (decode: Decoder | null): Decoder =>
  (value) =>
    decode ? listFrom(value).map(decode) : listFrom(value)

const tupleDecoder =
  (decoders: readonly (Decoder | null)[]): Decoder =>
  (value) =>
    listFrom(value).map((item, place) => {
      const decode = decoders[place]
      return decode ? decode(item) : item
    })
