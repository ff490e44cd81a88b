// Describes scheduled changes in words. The functions are pure.
import type { ConditionSet } from '../api/client'
import type { ScheduledChange } from '../api/scheduled-changes'
import { setWords } from '../grammar/sets'
import type { Wording } from '../grammar/conditions'

export const REPETITIONS = [
  ['', 'Does not repeat'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['yearly', 'Every year'],
] as const

export type Repetition = (typeof REPETITIONS)[number][0]

/** Returns the condition sets that a change adds. */
export const setsOf = ({ operation, value }: ScheduledChange['payload']): readonly ConditionSet[] =>
  operation === 'add_release_condition' ? (value as { groups: ConditionSet[] }).groups : []

export function changeWords({ operation, value }: ScheduledChange['payload'], wording: Wording): string {
  switch (operation) {
    case 'update_status':
      return value === true ? 'Enable the flag' : 'Disable the flag'
    case 'add_release_condition':
      return `Release to ${setsOf({ operation, value })
        .map((set) => setWords(set, wording))
        .join(', and ')}`
    case 'update_variants': {
      const { variants } = value as { variants: { key: string; rollout_percentage: number }[] }
      return variants.length === 0
        ? 'Remove the variants'
        : `Change the variants to ${variants.map(({ key, rollout_percentage: share }) => `${key} ${share}%`).join(', ')}`
    }
    default:
      return operation
  }
}

/** Returns the id of the change request that a change became, as a policy holds it. */
export const requestOf = ({
  failure_reason: reason,
}: Pick<ScheduledChange, 'failure_reason'>): string | undefined =>
  /Change request (\S+) waits for it\.$/.exec(reason ?? '')?.[1]

export function stateOf(change: ScheduledChange): { tone: '' | 'good' | 'bad' | 'accent'; text: string } {
  if (change.executed_at !== null) {
    if (requestOf(change)) return { tone: 'accent', text: 'Requested' }
    return change.failure_reason === null ? { tone: 'good', text: 'Done' } : { tone: 'bad', text: 'Failed' }
  }
  if (change.recurrence_interval !== null && !change.is_recurring) return { tone: '', text: 'Paused' }
  return { tone: 'accent', text: 'Scheduled' }
}

/** Changes that will be made, the next one first. */
export const waitingOf = (changes: readonly ScheduledChange[]): ScheduledChange[] =>
  changes
    .filter(
      ({ executed_at: at, recurrence_interval: repeats, is_recurring: isRecurring }) =>
        at === null && (repeats === null || isRecurring),
    )
    .toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at))
