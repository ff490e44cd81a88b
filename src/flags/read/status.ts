// Whether a flag is in use: docs/reference/flags.md#status. Pure.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { type Rollout, rolloutOf } from '../filters/analysis'
import type { FlagRow } from './rows'

const DAY_MS = 86_400_000
export const STALE_AFTER_DAYS = 30

export type StatusInput = Pick<
  FlagRow,
  'filters' | 'active' | 'archived' | 'deleted' | 'created_at' | 'last_called_at'
>

export const FlagStatus = z
  .object({
    status: z.enum(['active', 'stale', 'archived', 'deleted', 'unknown']),
    reason: z.string(),
    rollout: z.object({
      effectively_full_rollout: z.boolean(),
      has_targeting_conditions: z.boolean(),
      max_rollout_percentage: z.number().nullable(),
      is_multivariate: z.boolean(),
    }),
  })
  .meta({ id: 'FlagStatus' })
export type FlagStatus = z.output<typeof FlagStatus>

export const FlagStatusDocs = (): SchemaDocs => ({
  description: 'Whether a flag is still in use, and how far it is rolled out. Read-only.',
  fields: {
    status:
      'The first that holds: `deleted`, `archived`, `stale`, else `active`, also for a disabled flag. `unknown` does not occur.',
    reason: 'Reason in English.',
    rollout: 'Rollout by the filters, whatever the status.',
    'rollout.effectively_full_rollout':
      'Whether everyone gets the same: a condition set without properties is at 100 percent, and of variants one is decided.',
    'rollout.has_targeting_conditions': 'Whether any condition set has properties.',
    'rollout.max_rollout_percentage':
      'The largest percentage of a condition set, 0 to 100; null without any.',
    'rollout.is_multivariate': 'Whether the flag has variants.',
  },
  example: {
    status: 'active',
    reason: 'Flag has no usage data yet',
    rollout: {
      has_targeting_conditions: true,
      max_rollout_percentage: 100,
    },
  },
})

/** Returns the status of a flag at `now`, by the first rule that applies. @param rollout of the flag's filters, if it is known */
export function statusOf(flag: StatusInput, now: Date, rollout = rolloutOf(flag.filters)): FlagStatus {
  return { ...judge(flag, now, rollout), rollout: rollout.summary }
}

function judge(
  flag: StatusInput,
  now: Date,
  { summary, decidedVariant }: Rollout,
): Pick<FlagStatus, 'status' | 'reason'> {
  if (flag.deleted) return { status: 'deleted', reason: 'Flag has been deleted' }
  if (flag.archived) return { status: 'archived', reason: 'Flag has been archived' }
  if (!flag.active) return { status: 'active', reason: 'Flag is disabled (not evaluated for staleness)' }
  if (flag.last_called_at !== null) return judgeByCalls(ageInDays(flag.last_called_at, now))
  if (ageInDays(flag.created_at, now) > STALE_AFTER_DAYS && summary.effectively_full_rollout) {
    const reason = summary.is_multivariate
      ? `This flag will always use the variant "${decidedVariant}"`
      : 'This boolean flag will always evaluate to "true"'
    return { status: 'stale', reason }
  }
  return { status: 'active', reason: 'Flag has no usage data yet' }
}

function judgeByCalls(days: number): Pick<FlagStatus, 'status' | 'reason'> {
  const whole = Math.floor(days)
  if (days > STALE_AFTER_DAYS) return { status: 'stale', reason: `Flag has not been called in ${whole} days` }
  if (whole < 1) return { status: 'active', reason: 'Flag was called today' }
  return { status: 'active', reason: `Flag was last called ${whole} ${whole === 1 ? 'day' : 'days'} ago` }
}

const ageInDays = (timestamp: string, now: Date) => (now.getTime() - Date.parse(timestamp)) / DAY_MS
