// Order and ranges of numbers (reference §3.6, §3.7).

import { isArray, type JsonValue } from '../../json'
import { numberOf } from '../values/text'

const never = (): boolean => false

/** The test of an ordering operator. A side that is no number never matches; NaN is below and above nothing. */
export function numberMatcher(
  operator: 'gt' | 'gte' | 'lt' | 'lte',
  filter: JsonValue,
): (value: JsonValue) => boolean {
  const bound = numberOf(filter)
  if (bound === null) return never
  const compare = comparison(operator, bound)
  return (value) => {
    const number = numberOf(value)
    return number !== null && compare(number)
  }
}

function comparison(operator: 'gt' | 'gte' | 'lt' | 'lte', bound: number): (number: number) => boolean {
  switch (operator) {
    case 'gt':
      return (number) => number > bound
    case 'gte':
      return (number) => number >= bound
    case 'lt':
      return (number) => number < bound
    case 'lte':
      return (number) => number <= bound
  }
}

/** The test of `between`, both ends included. */
export function betweenMatcher(filter: JsonValue): (value: JsonValue) => boolean {
  const bounds = boundsOf(filter)
  if (bounds === null) return never
  const [low, high] = bounds
  return (value) => {
    const number = numberOf(value)
    return number !== null && number >= low && number <= high
  }
}

/** The test of `not_between`: what is no number is not between, but NaN is neither between nor not between. */
export function notBetweenMatcher(filter: JsonValue): (value: JsonValue) => boolean {
  const bounds = boundsOf(filter)
  if (bounds === null) return never
  const [low, high] = bounds
  return (value) => {
    const number = numberOf(value)
    return number === null || number < low || number > high
  }
}

/** Two numbers in order; null for any other filter value, which then matches under neither operator. */
function boundsOf(filter: JsonValue): readonly [low: number, high: number] | null {
  if (!isArray(filter) || filter.length !== 2) return null
  const [low, high] = filter.map(numberOf)
  if (low === null || low === undefined || high === null || high === undefined) return null
  return low <= high ? [low, high] : null
}
