// Schedules a change of a flag.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import type { ConditionSet, Flag } from '../api/client'
import { queryClient } from '../api/queries'
import { useHolds } from '../approvals/use-holds'
import { scheduleChange, scheduledChangesQuery } from '../api/scheduled-changes'
import { FormDialog } from '../design/popups/dialog'
import { Notice } from '../design/feedback'
import { SelectField, TextField } from '../design/fields/field'
import { say } from '../design/popups/toast'
import { ConditionSets } from '../flag/condition-sets'
import { ALL_PEOPLE, draftOf, issuesOf } from '../flag/draft'
import '../flag/flag.css'
import { setsOf } from '../grammar/sets'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { REPETITIONS, type Repetition } from './words'
import { localTime, momentOf, zonedText } from './zoned-time'

interface ScheduleDialogProps {
  projectId: number
  flag: Flag
  timezone: string
  onClose(): void
}

const WHATS = [
  ['enable', 'Enable the flag'],
  ['disable', 'Disable the flag'],
  ['release', 'Release to more people (adds condition sets)'],
] as const

/** The action of a policy that may hold the change. */
const ACTIONS = {
  enable: 'feature_flag.enable',
  disable: 'feature_flag.disable',
  release: 'feature_flag.update',
} as const

type What = (typeof WHATS)[number][0]

const HOUR_MS = 3_600_000

/**
 * A copy of the first set with a share to raise, so that it is about the same people. With `early_exit`, a copy of a set decides nothing.
 */
const firstSet = ({ filters }: Flag): ConditionSet =>
  structuredClone(
    (!filters.early_exit && setsOf(filters).find(({ rollout_percentage: share }) => (share ?? 100) < 100)) ||
      ALL_PEOPLE,
  )

export function ScheduleDialog({ projectId, flag, timezone, onClose }: ScheduleDialogProps) {
  const [what, setWhat] = useState<What>(flag.active ? 'disable' : 'enable')
  const [sets, setSets] = useState<ConditionSet[]>(() => [firstSet(flag)])
  const after = { ...flag.filters, groups: [...flag.filters.groups, ...sets] }
  const wording = useWording(projectId, after.groups)
  const isHeld = useHolds(projectId, ACTIONS[what])
  const [local, setLocal] = useState(() =>
    // The next full hour.
    localTime(Math.ceil((Date.now() + 60_000) / HOUR_MS) * HOUR_MS, timezone),
  )
  const [repetition, setRepetition] = useState<Repetition>('')
  const [end, setEnd] = useState('')
  const [areIssuesShown, setAreIssuesShown] = useState(false)
  const at = momentOf(local, timezone)
  const until = momentOf(end, timezone)
  const draft = { ...draftOf(flag), filters: { ...flag.filters, groups: sets } }
  const issues = new Map([...issuesOf(draft)].filter(([place]) => place.startsWith('groups.')))
  const repeats = repetition !== '' && what !== 'release'
  const save = useMutation({
    mutationFn: (scheduledAt: string) =>
      scheduleChange(projectId, {
        record_id: String(flag.id),
        model_name: 'FeatureFlag',
        payload:
          what === 'release'
            ? { operation: 'add_release_condition', value: { groups: sets } }
            : { operation: 'update_status', value: what === 'enable' },
        scheduled_at: scheduledAt,
        ...(repeats ? { is_recurring: true, recurrence_interval: repetition, end_date: until } : {}),
      }),
    async onSuccess(change) {
      await queryClient.invalidateQueries({ queryKey: scheduledChangesQuery(projectId, flag.id).queryKey })
      say(`Scheduled for ${zonedText(change.scheduled_at, timezone)}.`)
      onClose()
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, [
    'scheduled_at',
    ...(what === 'release' ? (['payload'] as const) : []),
    ...(repeats ? (['end_date'] as const) : []),
  ])
  const isReversed = repeats && at !== null && until !== null && until <= at
  const submit = () => {
    setAreIssuesShown(true)
    if (at !== null && !isReversed && (what !== 'release' || issues.size === 0)) save.mutate(at)
  }
  return (
    <FormDialog
      title="Schedule a change"
      isWide={what === 'release'}
      action="Schedule"
      isBusy={save.isPending}
      onClose={onClose}
      error={otherError}
      onSubmit={submit}
    >
      <SelectField<What> label="Change" value={what} options={WHATS} onChange={setWhat} />
      {what === 'release' && (
        <ConditionSets
          projectId={projectId}
          draft={draft}
          onChange={({ filters }) => setSets(filters.groups)}
          issues={issues}
          areIssuesShown={areIssuesShown}
          refused={errorOf('payload')}
        />
      )}
      {what === 'release' && issues.size === 0 && (
        <p className="soft">Then: {flagSentence({ ...flag, filters: after }, wording)}</p>
      )}
      {isHeld && (
        <Notice>
          This change needs approval. At that time it becomes a change request, and takes effect once others
          approve it.
        </Notice>
      )}
      <TextField
        label="At"
        hint={`In the time zone of the project, ${timezone}.`}
        error={
          areIssuesShown && at === null
            ? 'Enter a date and a time.'
            : isReversed
              ? null
              : errorOf('scheduled_at')
        }
        type="datetime-local"
        value={local}
        onChange={setLocal}
      />
      {what !== 'release' && (
        <SelectField<Repetition>
          label="Repeat"
          hint={
            repeats && timezone !== 'UTC'
              ? 'Counted in UTC: after the clocks change, it runs an hour earlier or later here.'
              : undefined
          }
          value={repetition}
          options={REPETITIONS}
          onChange={setRepetition}
        />
      )}
      {repeats && (
        <TextField
          label="Until"
          hint="Empty: without an end."
          error={areIssuesShown && isReversed ? 'This is not after the first change.' : errorOf('end_date')}
          type="datetime-local"
          value={end}
          onChange={setEnd}
        />
      )}
    </FormDialog>
  )
}
