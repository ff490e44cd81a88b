// Dates before, after or at an instant (reference §3.8).

import { parseDate, parseDateForm, resolveDate } from '../values/date'
import type { JsonValue } from '../../../json'
import { parseFloatText } from '../values/text'
import type { Clock } from './clock'

/** The test of a date operator. The filter value is a date text; anything else never matches. */
export function dateMatcher(
  operator: 'is_date_exact' | 'is_date_before' | 'is_date_after',
  filter: JsonValue,
): (value: JsonValue, clock: Clock) => boolean {
  const form = typeof filter === 'string' ? parseDateForm(filter) : null
  if (form === null) return () => false
  // Every check of one evaluation resolves the filter at the same moment, and a fixed date always to the same one.
  let resolved: number | null = null
  let at: Clock = { now: Number.NaN, timezone: '' }
  return (value, clock) => {
    const instant = instantOf(value, clock)
    if (instant === null) return false
    if (at.now !== clock.now || at.timezone !== clock.timezone) {
      resolved = resolveDate(form, clock.now, clock.timezone)
      at = { now: clock.now, timezone: clock.timezone }
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
function instantOf(value: JsonValue, clock: Clock): number | null {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') return null
  const seconds = parseFloatText(value)
  return seconds === null ? parseDate(value, clock.now, clock.timezone) : fromSeconds(seconds)
}

/** Milliseconds to the microsecond, beyond which a double cannot hold a present-day instant. */
const fromSeconds = (seconds: number): number | null =>
  Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e3 : null
