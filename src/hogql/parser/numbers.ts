// Parses numbers, with their signs.
import type { Constant } from './ast'
import type { Reader } from './reader'

const UNUSUAL: Readonly<Record<string, string>> = { INF: 'Infinity', INFINITY: 'Infinity', NAN: 'NaN' }

/** Returns whether a number begins with the current token, or `ahead` tokens after it. */
function isNumber(reader: Reader, ahead: number): boolean {
  const { kind, word } = reader.after(ahead)
  if (kind === 'integer' || kind === 'float' || Object.hasOwn(UNUSUAL, word)) return true
  return word === '.' && reader.after(ahead + 1).kind === 'integer'
}

export const beginsNumber = (reader: Reader): boolean =>
  isNumber(reader, 0) || ((reader.is('-') || reader.is('+')) && isNumber(reader, 1))

/** Parses a number. Integers that JSON cannot represent, infinity and NaN become texts with a `value_type`. */
export function number(reader: Reader): Constant {
  const { start } = reader.token
  const sign = reader.take('-') ? '-' : ''
  reader.take('+')
  const { word } = reader.token
  if (Object.hasOwn(UNUSUAL, word)) {
    reader.next()
    const value = UNUSUAL[word]!
    return reader.node('Constant', start, {
      value: value === 'NaN' ? value : sign + value,
      value_type: 'number' as const,
    })
  }
  const written = magnitude(reader)
  const value = Number(sign + decimal(written))
  if (!isExactInteger(written, value) || !Number.isFinite(value)) {
    const text = Number.isFinite(value) ? sign + written : `${sign}Infinity`
    return reader.node('Constant', start, { value: text, value_type: 'number' as const })
  }
  return reader.node('Constant', start, { value })
}

/** Parses a number without its sign. Its dots are separate tokens, because of `a.1.2`. */
function magnitude(reader: Reader): string {
  if (reader.take('.')) return `.${reader.next().value}`
  const { kind, value } = reader.next()
  if (kind === 'float' || !reader.is('.')) return value
  const next = reader.after()
  if (next.kind === 'integer') {
    reader.next()
    return `${value}.${reader.next().value}`
  }
  const isAlias = next.word === 'AS' && reader.isName(reader.after(2))
  if (reader.isName(next) && !isAlias) return value
  reader.next()
  return `${value}.`
}

/** Converts a hexadecimal float to a decimal one. */
function decimal(written: string): string {
  const [, whole, fraction = '', exponent] = /^0x([\da-f]+)(?:\.([\da-f]*))?p([-+]?\d+)$/i.exec(written) ?? []
  if (whole === undefined || exponent === undefined) return written
  const digits = parseInt(whole + fraction, 16)
  return String(digits * 2 ** (Number(exponent) - 4 * fraction.length))
}

/** Returns whether a number is an integer in the reference's JSON, which has those of 64 bits, except those above a signed one. */
const isExactInteger = (written: string, value: number): boolean =>
  !/^\d+$/.test(written) || Math.abs(value) <= 2 ** 63
