// Shows one event in full.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type EventRecord, eventQuery } from '../api/events'
import { Button } from '../design/button'
import { Dialog } from '../design/popups/dialog'
import { Loading, Notice, ProblemNotice } from '../design/feedback'
import { CopyButton, Time } from '../design/small'
import { exactTime } from '../../time/relative-time'
import { PropertyList } from '../people/property-list'
import { lagOf } from './lag'
import { toPerson } from '../shell/item-pages'

interface EventDialogProps {
  projectId: number
  uuid: string
  onClose(): void
}

export function EventDialog({ projectId, uuid, onClose }: EventDialogProps) {
  const query = useQuery(eventQuery(projectId, uuid))
  return (
    <Dialog
      isWide
      title={query.data?.event.event ?? 'Event'}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {query.isPending ? (
        <Loading label="Loading the event" />
      ) : query.isError ? (
        <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <Details projectId={projectId} record={query.data} />
      ) : (
        <Notice tone="warn">There is no such event in this project any more.</Notice>
      )}
    </Dialog>
  )
}

function Details({
  projectId,
  record: { event, properties, person },
}: {
  projectId: number
  record: EventRecord
}) {
  const lag = lagOf({ timestamp: event.timestamp, arrivedAt: event.created_at })
  return (
    <div className="stack">
      {lag && (
        <Notice tone="warn">
          {lag.isAhead
            ? `The time of this event is ${lag.words} after it arrived: the clock of its sender is ahead, or the timestamp is wrong. Queries that end now do not count it yet.`
            : `This event arrived ${lag.words} after its time: it was sent late, or the timestamp is wrong. Queries count it at its time.`}
        </Notice>
      )}
      <dl className="properties">
        <div>
          <dt>Time</dt>
          <dd>
            {exactTime(event.timestamp)} (<Time at={event.timestamp} />)
          </dd>
        </div>
        <div>
          <dt>Arrived</dt>
          <dd>{exactTime(event.created_at)}</dd>
        </div>
        <div>
          <dt>Person</dt>
          <dd>
            {person.uuid && person.properties ? (
              <Link {...toPerson(projectId, person.uuid)}>
                {textOf(person.properties.email) ?? textOf(person.properties.name) ?? event.distinct_id}
              </Link>
            ) : (
              <span className="soft">The event belongs to no person.</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Distinct id</dt>
          <dd className="mono">
            {event.distinct_id} <CopyButton text={event.distinct_id} label="Copy the distinct id" />
          </dd>
        </div>
        <div>
          <dt>UUID</dt>
          <dd className="mono">
            {event.uuid} <CopyButton text={event.uuid} label="Copy the UUID" />
          </dd>
        </div>
      </dl>
      <PropertyList label="Properties" properties={properties} />
    </div>
  )
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
