// Order and ranges of numbers: docs/reference/evaluation.md#numbers.
import { isArray, type JsonValue } from '../../json'
import { numberOf } from '../values/text'

type Test = (value: JsonValue) => boolean
type Ordering = 'gt' | 'gte' | 'lt' | 'lte'

const never = (): boolean => false

const COMPARISONS: Readonly<Record<Ordering, (number: number, bound: number) => boolean>> = {
  gt: (number, bound) => number > bound,
  gte: (number, bound) => number >= bound,
  lt: (number, bound) => number < bound,
  lte: (number, bound) => number <= bound,
}

/** Returns the test of a comparison. An invalid number never matches, and NaN is below and above nothing. */
export function numberMatcher(operator: Ordering, filter: JsonValue): Test {
  const bound = numberOf(filter)
  if (bound === null) return never
  const compare = COMPARISONS[operator]
  return (value) => {
    const number = numberOf(value)
    return number !== null && compare(number, bound)
  }
}

/** Returns the test of a range, which includes both ends. A value that is no number is `not_between`; NaN is neither. */
export function rangeMatcher(operator: 'between' | 'not_between', filter: JsonValue): Test {
  const bounds = boundsOf(filter)
  if (bounds === null) return never
  const [low, high] = bounds
  return (value) => {
    const number = numberOf(value)
    if (number === null) return operator === 'not_between'
    return operator === 'between' ? number >= low && number <= high : number < low || number > high
  }
}

/** Returns two numbers in order, or null for any other filter value, which matches neither operator. */
export function boundsOf(filter: JsonValue): readonly [low: number, high: number] | null {
  if (!isArray(filter) || filter.length !== 2) return null
  const [low, high] = filter.map(numberOf)
  if (low === null || low === undefined || high === null || high === undefined) return null
  return low <= high ? [low, high] : null
}
