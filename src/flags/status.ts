// Whether a flag is in use (reference/flags-api.md §8). Pure.
import * as z from 'zod'
import { decidedVariant, isFullyRolledOut, rolloutOf } from './filters/rollout'
import { type FlagFilters, variantsOf } from './filters/shape'

const DAY_MS = 86_400_000
export const STALE_AFTER_DAYS = 30

export interface StatusInput {
  filters: FlagFilters
  active: boolean
  archived: boolean
  deleted: boolean
  createdAt: string
  lastCalledAt: string | null
}

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

/** The status of a flag at `now`: the first rule that applies. */
export function statusOf(flag: StatusInput, now: Date): FlagStatus {
  return { ...judge(flag, now), rollout: rolloutOf(flag.filters) }
}

function judge(flag: StatusInput, now: Date): Pick<FlagStatus, 'status' | 'reason'> {
  if (flag.deleted) return { status: 'deleted', reason: 'Flag has been deleted' }
  if (flag.archived) return { status: 'archived', reason: 'Flag has been archived' }
  if (!flag.active) return { status: 'active', reason: 'Flag is disabled (not evaluated for staleness)' }
  if (flag.lastCalledAt !== null) return judgeByCalls(ageInDays(flag.lastCalledAt, now))
  if (ageInDays(flag.createdAt, now) > STALE_AFTER_DAYS && isFullyRolledOut(flag.filters)) {
    const reason = variantsOf(flag.filters).length
      ? `This flag will always use the variant "${decidedVariant(flag.filters)}"`
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
