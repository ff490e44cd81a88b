// Returns the text of a JSON value and the number in a text, and ignores case in two ways.
import { isArray, type JsonObject, type JsonValue } from '../../json'

/**
 * Returns the text that operators compare. A string is itself, and anything else is compact JSON with the keys of objects in code point
 * order. Numbers are written as upstream does, not as JavaScript does.
 */
export const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : jsonText(value))

/** Texts of objects and lists, which are cached for as long as the objects are used. */
const texts = new WeakMap<object, string>()

/** Returns `textOf` a subject's property, which many filters of a request read. The text of an object or a list is created once. */
export function propertyText(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return textOf(value)
  let text = texts.get(value)
  if (text === undefined) texts.set(value, (text = jsonText(value)))
  return text
}

/** Whether `propertyText` has yet to create the text of a value. */
export const needsText = (value: JsonValue): value is JsonObject | readonly JsonValue[] =>
  typeof value === 'object' && value !== null && !texts.has(value)

/** Returns compact JSON of `value`, spelled as in `textOf`, except that a string is quoted. */
export function jsonText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (isArray(value)) return `[${value.map(jsonText).join(',')}]`
  return objectText(value)
}

function objectText(object: JsonObject): string {
  const entries = Object.keys(object).sort(byCodePoint)
  return `{${entries.map((key) => `${JSON.stringify(key)}:${jsonText(object[key] ?? null)}`).join(',')}}`
}

/** Orders texts by code point. JavaScript's own order is by UTF-16 unit, which puts 😀 before U+FFFD. */
function byCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue
    // Where the first difference is in the second half of a pair, the first halves are equal, so that comparing the second halves
    // compares the code points.
    return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0)
  }
  return left.length - right.length
}

/** Integers from here on are written with an exponent. */
const MAX_DIGITS = 1e21

/**
 * Writes a number as the reference engine does, except for integers from 2^64 to 10^21. That engine writes them with an exponent. SDKs
 * send them as digits, which are kept as text, and a filter with the same digits has to match. `JSON.parse` has already lost the
 * difference between 1 and 1.0, so that an integral number is written as an integer.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0.0'
  const magnitude = Math.abs(value)
  const integer = Number.isInteger(value) && magnitude < MAX_DIGITS
  if (integer || (magnitude >= 1e-5 && magnitude < 1e16)) return String(value)
  return value.toExponential().replace('e+', 'e')
}

const FLOAT = /^[+-]?(?:inf|infinity|nan|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i
const NAMED_FLOAT = /^([+-]?)(inf|infinity|nan)$/i

/**
 * Parses the number in a text as Rust does: without spaces, hexadecimal and underscores, and with nothing after the number; `inf`,
 * `infinity` and `nan` in any case. Returns null for any other text.
 */
export function parseFloatText(text: string): number | null {
  if (!FLOAT.test(text)) return null
  const named = NAMED_FLOAT.exec(text)
  if (named === null) return Number(text)
  if (named[2]?.toLowerCase() === 'nan') return Number.NaN
  return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Returns the number for which a value stands in comparisons: a JSON number, or a text of one. Otherwise it is null. */
export function numberOf(value: JsonValue): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? parseFloatText(value) : null
}

const NON_ASCII = /[\u0080-\uffff]/
const UPPER_A = 65
const UPPER_Z = 90
const TO_LOWER = 32
/** Maximum units of one call of `fromCharCode`, whose number of arguments is limited. */
const CHUNK = 8_192

/** Converts the letters A to Z to lower case, and no others, as contains, prefix and suffix operators compare. */
export function foldAscii(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (let at = 0; at < text.length; at += CHUNK) {
    const units: number[] = []
    for (let each = at; each < Math.min(text.length, at + CHUNK); each += 1) {
      const unit = text.charCodeAt(each)
      units.push(unit >= UPPER_A && unit <= UPPER_Z ? unit + TO_LOWER : unit)
    }
    folded += String.fromCharCode(...units)
  }
  return folded
}

/** Converts all of Unicode to lower case, as `exact` and `is_not` compare. `ß` and `ss` stay different. */
export const foldUnicode = (text: string): string => text.toLowerCase()
