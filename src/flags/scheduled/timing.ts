// Checks the schedule of a change.
import { invalid } from '../../errors'
import { toStoredTimestamp } from '../../timestamps'
import type { ChangePayload } from './payload'
import type { ScheduledChangeRow } from './read-changes'
import { nextOccurrence } from './recurrence'

type Timing = Pick<ScheduledChangeRow, 'scheduledAt' | 'isRecurring' | 'recurrenceInterval' | 'endDate'>

/**
 * Returns the columns of a schedule.
 * @param stored the change before an update
 * @throws 400 naming the field
 */
export function timingOf(
  timing: Timing,
  { operation }: ChangePayload,
  now: Date,
  stored?: ScheduledChangeRow,
) {
  const { scheduledAt, isRecurring, recurrenceInterval } = timing
  const endDate = endOf(timing, stored)
  const isMoved = scheduledAt !== stored?.scheduledAt
  const isPaused = !isRecurring && recurrenceInterval !== null
  const isPast = scheduledAt <= toStoredTimestamp(now)
  // A change that is due now stays due.
  if (isPast && !isPaused && (isMoved || (stored.dueAt === null && !isRecurring)))
    throw invalid('scheduled_at', 'This time has passed. It must be in the future.')
  if (isRecurring && recurrenceInterval === null)
    throw invalid('recurrence_interval', 'This field is required when is_recurring is true.', 'required')
  if (recurrenceInterval !== null && operation !== 'update_status')
    throw invalid('recurrence_interval', 'Only update_status can be repeated.')
  // The last occurrence of a repeated change may be at its end.
  if (endDate !== null && endDate <= scheduledAt && (isMoved || endDate !== stored.endDate))
    throw invalid('end_date', 'End date must be after the scheduled start date.')
  const firstAt = isMoved ? scheduledAt : stored.firstAt
  if (isPaused) return { ...timing, endDate, firstAt, dueAt: null }
  const isResumed = recurrenceInterval !== null && stored?.dueAt === null
  const dueAt =
    isPast && isResumed
      ? nextOccurrence({ firstAt, interval: recurrenceInterval, endDate }, now)
      : scheduledAt
  if (dueAt === null) throw invalid('end_date', 'No time is left before it.')
  return { ...timing, endDate, scheduledAt: dueAt, firstAt, dueAt }
}

/** Returns the end of the repetition. The stored one ends with it. @throws 400 for another one without a repetition */
function endOf({ recurrenceInterval, endDate }: Timing, stored?: ScheduledChangeRow): string | null {
  if (recurrenceInterval !== null || endDate === null) return endDate
  if (endDate === stored?.endDate) return null
  throw invalid(
    'end_date',
    'Only a repeated change has an end: send is_recurring and recurrence_interval, too.',
  )
}
