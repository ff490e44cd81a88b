// Changes of a flag that are made at a chosen time.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ConfirmChange } from '../edit/confirm-change'
import { Card } from '../design/card'
import type { Flag } from '../api/client'
import { flagKey, projectQuery, queryClient } from '../api/queries'
import { cancelChange, type ScheduledChange, scheduledChangesQuery } from '../api/scheduled-changes'
import { Button } from '../design/button'
import { Empty } from '../design/feedback'
import { LoadedPart } from '../entity/loaded-part'

import { Badge, nameOf, Time } from '../design/small'
import { say } from '../design/popups/toast'
import { ScheduleDialog } from './schedule-dialog'
import type { Wording } from '../grammar/conditions'
import { useWording } from '../grammar/use-wording'
import { toRequest } from '../shell/item-pages'
import { changeWords, REPETITIONS, requestOf, setsOf, stateOf } from './words'
import { zonedText } from './zoned-time'

export default function ScheduleTab({ projectId, flag }: { projectId: number; flag: Flag }) {
  const changes = useQuery(scheduledChangesQuery(projectId, flag.id))
  const project = useQuery(projectQuery(projectId))
  const [open, setOpen] = useState<'add' | ScheduledChange | null>(null)
  const endedCount = changes.data?.results.filter(({ executed_at: at }) => at !== null).length
  useEffect(() => {
    // A change has been made since: the flag is another.
    if (endedCount) void queryClient.invalidateQueries({ queryKey: flagKey(projectId, flag.id), exact: true })
  }, [endedCount, projectId, flag.id])
  const wording = useWording(
    projectId,
    (changes.data?.results ?? []).flatMap(({ payload }) => setsOf(payload)),
  )
  const label = 'Loading scheduled changes'
  return (
    <LoadedPart query={changes} label={label}>
      {({ results }) => (
        <LoadedPart query={project} label={label}>
          {({ timezone }) => {
            const waiting = results
              .filter(({ executed_at: at }) => at === null)
              .toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at))
            const ended = results.filter(({ executed_at: at }) => at !== null)
            const add = flag.can_edit && (
              <Button kind="primary" onClick={() => setOpen('add')}>
                <Plus size={15} aria-hidden /> Schedule a change
              </Button>
            )
            return (
              <>
                {results.length === 0 ? (
                  <div className="card">
                    <Empty
                      icon={<CalendarClock size={26} aria-hidden />}
                      title="No scheduled changes"
                      action={add}
                    >
                      Enable the flag at a launch, disable it after a campaign, or release it to more people
                      on a date.
                    </Empty>
                  </div>
                ) : (
                  <>
                    <ChangeList
                      projectId={projectId}
                      title="Scheduled changes"
                      action={add}
                      changes={waiting}
                      timezone={timezone}
                      wording={wording}
                      {...(flag.can_edit && { onDelete: setOpen })}
                    />
                    {ended.length > 0 && (
                      <ChangeList
                        projectId={projectId}
                        title="Past changes"
                        changes={ended}
                        timezone={timezone}
                        wording={wording}
                      />
                    )}
                  </>
                )}
                {open === 'add' && (
                  <ScheduleDialog
                    projectId={projectId}
                    flag={flag}
                    timezone={timezone}
                    onClose={() => setOpen(null)}
                  />
                )}
                {open !== null && open !== 'add' && (
                  <Delete
                    projectId={projectId}
                    change={open}
                    timezone={timezone}
                    wording={wording}
                    onClose={() => setOpen(null)}
                  />
                )}
              </>
            )
          }}
        </LoadedPart>
      )}
    </LoadedPart>
  )
}

interface ChangeListProps {
  projectId: number
  title: string
  action?: ReactNode
  changes: readonly ScheduledChange[]
  timezone: string
  wording: Wording
  onDelete?(change: ScheduledChange): void
}

const ChangeList = ({ projectId, title, action, changes, timezone, wording, onDelete }: ChangeListProps) => (
  <Card title={title} action={action} isFlush>
    <ul className="body stack">
      {changes.length === 0 && <li className="soft">No change is scheduled.</li>}
      {changes.map((change) => {
        const { tone, text } = stateOf(change)
        const request = requestOf(change)
        const at = change.executed_at ?? change.scheduled_at
        const [, repetition] = REPETITIONS.find(([each]) => each === change.recurrence_interval) ?? []
        return (
          <li key={change.id} className="row spread wrap">
            <div className="grow">
              <div className="row wrap">
                <strong>{changeWords(change.payload, wording)}</strong> <Badge tone={tone}>{text}</Badge>
              </div>
              <div className="soft small">
                <time dateTime={at}>{zonedText(at, timezone)}</time>
                {repetition && ` · ${repetition.toLowerCase()}`}
                {repetition && change.end_date && ` until ${zonedText(change.end_date, timezone)}`} ·
                scheduled by {change.created_by ? nameOf(change.created_by) : 'a deleted user'}{' '}
                <Time at={change.created_at} />
                {change.last_modified_by?.id !== change.created_by?.id &&
                  `, changed by ${change.last_modified_by ? nameOf(change.last_modified_by) : 'somebody'}`}
              </div>
              {request ? (
                <Link className="small" {...toRequest(projectId, request)}>
                  View the change request
                </Link>
              ) : (
                change.failure_reason && <p className="error-text small">{change.failure_reason}</p>
              )}
            </div>
            {onDelete && (
              <Button isSmall onClick={() => onDelete(change)}>
                Delete<span className="visually-hidden"> “{changeWords(change.payload, wording)}”</span>
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  </Card>
)

interface DeleteProps {
  projectId: number
  change: ScheduledChange
  timezone: string
  wording: Wording
  onClose(): void
}

const Delete = ({ projectId, change, timezone, wording, onClose }: DeleteProps) => (
  <ConfirmChange
    title="Delete this scheduled change?"
    action="Delete the change"
    keep="Keep it"
    onClose={onClose}
    change={async () => {
      await cancelChange(projectId, change.id)
      await queryClient.invalidateQueries({
        queryKey: scheduledChangesQuery(projectId, Number(change.record_id)).queryKey,
      })
      say('The scheduled change is deleted.')
    }}
  >
    {changeWords(change.payload, wording)}, {zonedText(change.scheduled_at, timezone)}.
  </ConfirmChange>
)
