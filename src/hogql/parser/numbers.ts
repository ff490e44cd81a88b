// Parses numbers, with their signs.
import type { Constant } from './ast'
import type { Reader } from './reader'

const UNUSUAL: Readonly<Record<string, string>> = { INF: 'Infinity', INFINITY: 'Infinity', NAN: 'NaN' }

/** Whether a number begins with the current token, or that many after it. */
function isNumber(reader: Reader, ahead: number): boolean {
  const { kind, word } = reader.after(ahead)
  if (kind === 'integer' || kind === 'float' || Object.hasOwn(UNUSUAL, word)) return true
  return word === '.' && reader.after(ahead + 1).kind === 'integer'
}

export const beginsNumber = (reader: Reader): boolean =>
  isNumber(reader, 0) || ((reader.is('-') || reader.is('+')) && isNumber(reader, 1))

/** Integers that JSON cannot represent, infinity and NaN are texts with a `value_type`. */
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

/** Dots are tokens of their own, because of `a.1.2`. */
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

/** A hexadecimal float as a decimal one. */
function decimal(written: string): string {
  const [, whole, fraction = '', exponent] = /^0x([\da-f]+)(?:\.([\da-f]*))?p([-+]?\d+)$/i.exec(written) ?? []
  if (whole === undefined || exponent === undefined) return written
  const digits = parseInt(whole + fraction, 16)
  return String(digits * 2 ** (Number(exponent) - 4 * fraction.length))
}

/** JSON of the reference has integers of 64 bits, without those that are larger than a signed one. */
const isExactInteger = (written: string, value: number): boolean =>
  !/^\d+$/.test(written) || Math.abs(value) <= 2 ** 63
