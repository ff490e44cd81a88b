// Numbers of JSON text that a JavaScript number does not represent: integers past 2^53, and numbers past its range. They are rejected, or
// read as text, but never altered.
import { invalid } from '../../errors'
import { endOfString } from './json-size'

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const INTEGER = /^-?\d+$/
const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const LETTER_E = 0x65
const OPENING_BRACE = 0x7b

/**
 * Parses JSON text of an SDK, which cannot be asked to correct it: SDKs do not show errors, and drop what was rejected. An integer past
 * 2^53 becomes the text of its digits, even if a number represents it: an id must not be a number for one person and text for the next.
 * @throws SyntaxError for invalid JSON
 */
export function parseExactly(text: string): unknown {
  const exact = withIntegersAsText(text)
  if (exact === text) return JSON.parse(text)
  // Quotes can make valid JSON of an invalid text such as {1234567890123456789: 1}, which is therefore parsed unchanged first.
  JSON.parse(text)
  return JSON.parse(exact)
}

/** A value that `JSON.stringify` writes as this text. */
declare global {
  interface JSON {
    rawJSON(text: string): unknown
  }
}

/**
 * Parses stored JSON text for a response, which has the integers of the text even when a number does not represent them.
 * @throws SyntaxError for invalid JSON
 */
export function parseForResponse(text: string): unknown {
  if (!hasAlteredNumbers(text)) return JSON.parse(text)
  const asWritten = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
    source !== undefined && typeof value === 'number' && (isAltered(source) || !isInRange(source))
      ? JSON.rawJSON(source)
      : value
  return JSON.parse(text, asWritten as (key: string, value: unknown) => unknown)
}

function withIntegersAsText(text: string): string {
  let exact = ''
  let end = 0
  for (const { token, at } of longNumbersIn(text)) {
    if (!isPastSafe(token) && !isAltered(token) && isInRange(token)) continue
    exact += `${text.slice(end, at)}"${token}"`
    end = at + token.length
  }
  return exact + text.slice(end)
}

/** Returns whether a number is in the range of JavaScript's. JSON has no infinity, and would have null instead. */
const isInRange = (token: string): boolean => Number.isFinite(Number(token))

/** Returns whether a number is written as an integer past 2^53. */
const isPastSafe = (token: string): boolean => INTEGER.test(token) && !Number.isSafeInteger(Number(token))

/**
 * Checks the numbers of JSON text.
 * @param text valid JSON
 * @throws 400 for the first integer that parsing alters, or number past the range; attr is its path
 */
export function checkNumbers(text: string): void {
  for (const { token, at } of longNumbersIn(text)) {
    const isInteger = isAltered(token)
    if (!isInteger && isInRange(token)) continue
    const shown = token.slice(0, MAX_SHOWN)
    throw invalid(
      pathAt(text, at).join('__') || null,
      isInteger
        ? `Integers past 2^53 are not kept exactly: ${shown}. Send it as text.`
        : `Numbers must be finite: ${shown}. The largest is about 1.8e308.`,
    )
  }
}

/** Returns whether JSON text has a number that parsing alters. */
export function hasAlteredNumbers(text: string): boolean {
  for (const { token } of longNumbersIn(text)) if (isAltered(token) || !isInRange(token)) return true
  return false
}

/** A number in JSON text. */
interface FoundNumber {
  token: string
  at: number
}

/** Numbers of fewer characters are exact, except those with an exponent of three digits. */
const MIN_ALTERED_LENGTH = 16
const MIN_EXPONENT_LENGTH = 'e400'.length

const MAX_SHOWN = 100

/**
 * Yields numbers of JSON text that are long enough, or have an exponent, to be altered. It takes one pass, because a body may have
 * megabytes of digits.
 */
function* longNumbersIn(text: string): Generator<FoundNumber> {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    if (unit !== MINUS && !isDigit(unit)) continue
    let end = at + 1
    let exponentAt = Infinity
    for (; end < text.length; end += 1) {
      const part = text.charCodeAt(end)
      if ((part | 0x20) === LETTER_E) exponentAt = end
      else if (!isDigit(part) && part !== PLUS && part !== MINUS && part !== POINT) break
    }
    if (end - at >= MIN_ALTERED_LENGTH || end - exponentAt >= MIN_EXPONENT_LENGTH)
      yield { token: text.slice(at, end), at }
    at = end - 1
  }
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39

/**
 * Returns whether a number is an integer that is printed differently after parsing: with other digits or, from 10^21 on, with an exponent,
 * so that it does not match the same digits as text.
 */
function isAltered(token: string): boolean {
  const parsed = Number(token)
  if (INTEGER.test(token)) return String(parsed) !== token
  if (Number.isSafeInteger(parsed) && token.length <= 17) return false
  const [digits, exponent] = decimalOf(token)
  if (exponent < 0) return false
  if (!Number.isFinite(parsed)) return !/[eE]/.test(token)
  const [parsedDigits, parsedExponent] = decimalOf(String(parsed))
  return digits !== parsedDigits || exponent !== parsedExponent
}

/** Returns a number as significant digits times a power of ten. */
function decimalOf(token: string): readonly [digits: string, exponent: number] {
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(token) ?? []
  const padded = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = trimZeros(padded)
  return digits === '' ? ['', 0] : [digits, Number(power) - fraction.length + padded.length - digits.length]
}

function trimZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Returns the keys and indexes that lead to a position of valid JSON text. */
function pathAt(text: string, place: number): string[] {
  const path: (string | number)[] = []
  const isObject: boolean[] = []
  let last = ''
  for (let at = 0; at < place; at += 1) {
    switch (text[at]) {
      case '"': {
        const start = at
        at = endOfString(text, at)
        last = text.slice(start, at + 1)
        break
      }
      case ':':
        path[path.length - 1] = (JSON.parse(last) as string).slice(0, MAX_SHOWN)
        break
      case ',':
        if (!isObject.at(-1)) path[path.length - 1] = (path.at(-1) as number) + 1
        break
      case '{':
      case '[':
        isObject.push(text.charCodeAt(at) === OPENING_BRACE)
        path.push(0)
        break
      case '}':
      case ']':
        isObject.pop()
        path.pop()
        break
      default:
    }
  }
  return path.map(String)
}
