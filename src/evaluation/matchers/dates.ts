// Dates before, after or at an instant: docs/reference/evaluation.md#dates.
import { parseDate, parseDateForm, resolveDate } from '../values/date'
import type { JsonValue } from '../../json'
import { parseFloatText } from '../values/text'
import type { EvaluationTime, MatchContext } from './property-test'

/** Steps of parsing a date and finding its instant in a time zone. */
const DATE_STEPS = 200

/** Returns the test of a date operator. A filter value that is no date text never matches. */
export function dateMatcher(
  operator: keyof typeof COMPARISONS,
  filter: JsonValue,
): (value: JsonValue, context: MatchContext) => boolean {
  const form = typeof filter === 'string' ? parseDateForm(filter) : null
  if (form === null) return () => false
  // Every check of one evaluation resolves the filter at the same time, so that the result is cached. A fixed date always resolves to the
  // same instant.
  let resolved: number | null = null
  let at: EvaluationTime = { now: Number.NaN, timezone: '' }
  return (value, time) => {
    if (typeof value === 'string' && !time.budget.spend(DATE_STEPS)) return false
    const instant = instantOf(value, time)
    if (instant === null) return false
    if (at.now !== time.now || at.timezone !== time.timezone) {
      if (!time.budget.spend(DATE_STEPS)) return false
      resolved = resolveDate(form, time.now, time.timezone)
      at = { now: time.now, timezone: time.timezone }
    }
    return resolved !== null && COMPARISONS[operator](instant, resolved)
  }
}

const COMPARISONS = {
  is_date_exact: (instant: number, bound: number) => instant === bound,
  is_date_before: (instant: number, bound: number) => instant < bound,
  is_date_after: (instant: number, bound: number) => instant > bound,
}

/** Returns a property as epoch milliseconds. Numbers, and texts of numbers, are Unix seconds, and other texts are dates. */
function instantOf(value: JsonValue, time: EvaluationTime): number | null {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') return null
  const seconds = parseFloatText(value)
  return seconds === null ? parseDate(value, time.now, time.timezone) : fromSeconds(seconds)
}

/** Returns milliseconds rounded to microseconds. A double has no greater precision for present-day instants. */
const fromSeconds = (seconds: number): number | null =>
  Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e3 : null
