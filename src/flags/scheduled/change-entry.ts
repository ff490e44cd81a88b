// What the activity log says of a scheduled change.
import type { SQL } from 'drizzle-orm'
import type { ActivityVerb } from '../../activity/entry'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import type { FlagContext } from '../context'
import type { ScheduledChangeRow } from './read-changes'

/** What is planned. */
type Plan = Pick<
  ScheduledChangeRow,
  'payload' | 'scheduledAt' | 'isRecurring' | 'recurrenceInterval' | 'endDate'
>

const LOGGED = ['payload', 'scheduled_at', 'is_recurring', 'recurrence_interval', 'end_date'] as const

/** The fields of a plan in the form of the API. Without one, nothing is repeated either. */
const loggedOf = (plan: Plan | null) => ({
  payload: plan?.payload,
  scheduled_at: plan && toApiTimestamp(plan.scheduledAt),
  is_recurring: plan?.isRecurring ?? false,
  recurrence_interval: plan?.recurrenceInterval,
  end_date: plan && toApiTimestampOrNull(plan.endDate),
})

export const changeEntryOf = (
  { deps, actor, project }: FlagContext,
  { id, key }: { id: number | SQL; key: string },
  verb: ActivityVerb,
  before: Plan | null,
  after: Plan | null,
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'ScheduledChange',
    itemId: typeof id === 'number' ? String(id) : id,
    verb,
    name: key,
    changes: diff('ScheduledChange', LOGGED, loggedOf(before), loggedOf(after)),
  })
