// Dates before, after or at an instant (reference §3.8).

import { parseDate, parseDateForm, resolveDate } from '../values/date'
import type { JsonValue } from '../../json'
import { parseFloatText } from '../values/text'
import type { Moment } from './moment'

/** The test of a date operator. The filter value is a date text; anything else never matches. */
export function dateMatcher(
  operator: 'is_date_exact' | 'is_date_before' | 'is_date_after',
  filter: JsonValue,
): (value: JsonValue, moment: Moment) => boolean {
  const form = typeof filter === 'string' ? parseDateForm(filter) : null
  if (form === null) return () => false
  // Every check of one evaluation resolves the filter at the same moment, and a fixed date always to the same one.
  let resolved: number | null = null
  let at: Moment = { now: Number.NaN, timezone: '' }
  return (value, moment) => {
    const instant = instantOf(value, moment)
    if (instant === null) return false
    if (at.now !== moment.now || at.timezone !== moment.timezone) {
      resolved = resolveDate(form, moment.now, moment.timezone)
      at = { now: moment.now, timezone: moment.timezone }
    }
    return resolved !== null && compare(operator, instant, resolved)
  }
}

function compare(
  operator: 'is_date_exact' | 'is_date_before' | 'is_date_after',
  instant: number,
  bound: number,
): boolean {
  switch (operator) {
    case 'is_date_exact':
      return instant === bound
    case 'is_date_before':
      return instant < bound
    case 'is_date_after':
      return instant > bound
  }
}

/** Epoch milliseconds of a property: numbers, and texts that spell one, are Unix seconds; other texts are dates. */
function instantOf(value: JsonValue, moment: Moment): number | null {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') return null
  const seconds = parseFloatText(value)
  return seconds === null ? parseDate(value, moment.now, moment.timezone) : fromSeconds(seconds)
}

/** Milliseconds to the microsecond, beyond which a double cannot hold a present-day instant. */
const fromSeconds = (seconds: number): number | null =>
  Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e3 : null
