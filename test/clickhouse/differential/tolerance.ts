// What may differ between the engines, with its reason. The compatibility page says the same.

/** Functions that depend on the order in which an engine reads rows. */
const OF_ANY_ROW = new Set(['any', 'anyLast', 'topK', 'groupConcat'])
/** A NULL that is said to be none gives any value. */
const OF_NULL = new Set(['assumeNotNull'])
/** Their arrays have the same elements. */
const OF_ANY_ORDER = new Set(['groupArray', 'groupUniqArray'])

/** Sums of squares and cubes lose the digits in which large numbers differ, or exceed a float on one engine: NULL. */
const OF_POWERS = /^(?:var|stddev|covar|corr|skew|kurt|avgWeighted)/

/** Estimates on ClickHouse, exact on D1. */
const ESTIMATES = /^(?:uniqHLL12|uniqCombined|quantileTDigest)/

/** Bytes that are no text are shown in different ways. */
const OF_BYTES = new Set(['unhex', 'base64Decode', 'tryBase64Decode'])

/** The rest of a division is as exact as its quotient. */
const OF_RESTS = /mod|%/i

/** A sum of a moving frame has lost what the greatest number that was in it had no digits for. */
const OF_SUMS = /^(?:sum|avg)/

/** ClickHouse rewrites the numbers of a document, `1e3` as `1000`. */
const OF_JSON = /JSON|visitParam/
const plain = (text: string) =>
  text.replaceAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, (number) => Number(number).toPrecision(14))

/** ClickHouse's fast forms of these are inexact for the greatest and the smallest numbers. */
const FAST = /\b(?:pow|power|exp|exp2|exp10|sinh|cosh|tanh)\(/
const isExtreme = (value: unknown) =>
  value === null || (typeof value === 'number' && (Math.abs(value) > 1e200 || Math.abs(value) < 1e-200))

/** ClickHouse's functions that count distinct values of several arguments, of which some are NULL, give NULL where there are none. */
const OF_DISTINCT = /^uniq/

/** ClickHouse clamps a datetime to its first or last one, D1 gives NULL. */
const BOUNDS = /^(?:9999-12-31|2299-12-31|1900-01-01|0000-01-01)/

const isEarly = (value: unknown) => typeof value === 'string' && value < '1900'

/** Before 2000 and after 2050 the clocks of a time zone have one offset on D1: a datetime that is moved there is an hour off in summer. */
function isHourOff(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const isBeyond = [one, other].every(
    (value) => /^\d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d$/.test(value) && !/^20[0-4]/.test(value),
  )
  return isBeyond && Math.abs(Date.parse(one) - Date.parse(other)) === 3_600_000
}

/** Beyond 64 bits ClickHouse's integers wrap around, and D1's become floats. */
const WRAPS = 9.2e18

/** Whether two values are the same, floats up to rounding. */
export function sameValue(topic: string, expression: string, one: unknown, other: unknown): boolean {
  if (OF_ANY_ROW.has(topic) || OF_NULL.has(topic)) return typeof one === typeof other
  if (OF_POWERS.test(topic)) return [one, other].every((value) => value === null || typeof value === 'number')
  if (ESTIMATES.test(topic)) return other === null || typeof one === typeof other
  if (OF_BYTES.has(topic)) return typeof one === typeof other
  if (OF_RESTS.test(topic) && typeof one === 'number' && typeof other === 'number')
    return same(one, other) || Math.abs(one - other) < 1e-15
  if (OF_JSON.test(topic) && typeof one === 'string' && typeof other === 'string')
    return plain(one) === plain(other)
  if (FAST.test(expression)) {
    if (isExtreme(one) && isExtreme(other)) return true
    if (typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < 1e-12) return true
  }
  if (OF_DISTINCT.test(topic) && one === 0 && other === null) return true
  if ((one === null || isEarly(one)) && (isEarly(other) || BOUNDS.test(String(other)))) return true
  if (isHourOff(one, other)) return true
  // ClickHouse computes a lambda without its parameter once, also for an empty array.
  if (/x -> (?:1|NULL)\b/.test(expression) && typeof one === typeof other) return true
  if (OF_SUMS.test(topic) && expression.includes(' OVER ')) return typeof one === typeof other
  if (Array.isArray(one) && Array.isArray(other)) {
    if (OF_ANY_ORDER.has(topic)) {
      if (/^\w+\(\d+\)/.test(expression)) return one.length === other.length
      return same(one.map(written).toSorted(), other.map(written).toSorted())
    }
  }
  return same(one, other)
}

const written = (value: unknown) => JSON.stringify(value)

function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => same(value, other[at]))
  }
  if (typeof one === 'number' && typeof other === 'number') {
    if (Math.abs(one) >= WRAPS || Math.abs(other) >= WRAPS) return true
    return one === other || Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other))
  }
  if (typeof one === 'string' && typeof other === 'string') return rounded(one) === rounded(other)
  return written(one) === written(other)
}

/** A text with its numbers of more than 14 digits rounded, in the notation of ClickHouse. */
const rounded = (text: string) =>
  text
    .replaceAll('e+', 'e')
    .replaceAll(/\d+(?:\.\d+)?(?:e-?\d+)?/g, (number) =>
      number.replace(/\D/g, '').length > 14 || number.includes('e') ? Number(number).toPrecision(14) : number,
    )
