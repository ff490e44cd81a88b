// What may differ between the engines, with its reason. The compatibility page says the same.

/** Functions that depend on the order in which an engine reads rows. */
const OF_ANY_ROW = new Set(['any', 'anyLast', 'topK', 'groupConcat'])
/** Their arrays have the same elements. */
const OF_ANY_ORDER = new Set(['groupArray', 'groupUniqArray'])

/** Sums of squares lose the digits in which large numbers differ. */
const OF_SQUARES = /^(?:var|stddev|covar|corr)/

/** ClickHouse's functions that count distinct values of several arguments, of which some are NULL, give NULL where there are none. */
const OF_DISTINCT = /^uniq/

/** ClickHouse clamps a datetime to its first or last one, D1 gives NULL. */
const BOUNDS = /^(?:9999-12-31|2299-12-31|0000-01-01)/

/** Beyond 64 bits ClickHouse's integers wrap around, and D1's become floats. */
const WRAPS = 9.2e18

/** Whether two values are the same, floats up to rounding. */
export function sameValue(topic: string, expression: string, one: unknown, other: unknown): boolean {
  if (OF_ANY_ROW.has(topic)) return typeof one === typeof other
  if (OF_SQUARES.test(topic)) return typeof one === typeof other
  if (OF_DISTINCT.test(topic) && one === 0 && other === null) return true
  if (one === null && typeof other === 'string' && BOUNDS.test(other)) return true
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
  return written(one) === written(other)
}
