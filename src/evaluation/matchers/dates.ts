// Dates before, after or at an instant: docs/reference/evaluation.md#dates.
import { parseDate, parseDateForm, resolveDate } from '../values/date'
import type { JsonValue } from '../../json'
import { parseFloatText } from '../values/text'
import type { EvaluationTime, MatchContext } from './property-test'

/** Steps to parse a date and to find its instant in a time zone. */
const DATE_STEPS = 200

/** The test of a date operator. The filter value is a date text; anything else never matches. */
export function dateMatcher(
  operator: keyof typeof COMPARISONS,
  filter: JsonValue,
): (value: JsonValue, context: MatchContext) => boolean {
  const form = typeof filter === 'string' ? parseDateForm(filter) : null
  if (form === null) return () => false
  // Every check of one evaluation resolves the filter at the same time, and a fixed date always to the same one.
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

/** Epoch milliseconds of a property: numbers, and texts that spell one, are Unix seconds; other texts are dates. */
function instantOf(value: JsonValue, time: EvaluationTime): number | null {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') return null
  const seconds = parseFloatText(value)
  return seconds === null ? parseDate(value, time.now, time.timezone) : fromSeconds(seconds)
}

/** Milliseconds to the microsecond, beyond which a double cannot hold a present-day instant. */
const fromSeconds = (seconds: number): number | null =>
  Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e3 : null
