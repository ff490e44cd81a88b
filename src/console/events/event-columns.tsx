// Defines the columns of lists of events.
import { Link } from '@tanstack/react-router'
import type { EventOrder, EventRow } from '../api/events'
import { type Column, RowTitle } from '../design/data-table'
import { Badge, Time } from '../design/small'
import { exactTime } from '../../time/relative-time'
import { lagOf } from './lag'
import { toPerson } from '../shell/item-pages'

const EVENT = (onShow: (id: string) => void): Column<EventRow> => ({
  heading: 'Event',
  place: 'main',
  cell: ({ id, event, summary }) => (
    <RowTitle detail={summary}>
      <button type="button" className="row-link mono truncate" onClick={() => onShow(id)}>
        {event}
      </button>
    </RowTitle>
  ),
})

const TIME = (order: EventOrder): Column<EventRow> => ({
  heading: order === 'arrivedAt' ? 'Arrived' : 'Time',
  place: 'side',
  width: '11rem',
  cell: (row) => {
    const lag = order === 'arrivedAt' ? lagOf(row) : null
    return (
      <span className="row small">
        <span className="soft">
          <Time at={row[order]} />
        </span>
        {lag && (
          <span title={`The event says ${exactTime(row.timestamp)}.`}>
            <Badge tone="warn">{lag.isAhead ? 'ahead' : 'late'}</Badge>
          </span>
        )}
      </span>
    )
  },
})

const DISTINCT_ID: Column<EventRow> = {
  heading: 'Distinct id',
  place: 'wide',
  width: '14rem',
  cell: ({ distinctId }) => (
    <span className="soft small mono truncate" title={distinctId}>
      {distinctId}
    </span>
  ),
}

const PERSON = (projectId: number): Column<EventRow> => ({
  heading: 'Person',
  place: 'full',
  width: '16rem',
  cell: ({ personId, personName }) =>
    personId ? (
      <Link className="truncate" {...toPerson(projectId, personId)}>
        {personName}
      </Link>
    ) : (
      <span className="soft truncate">{personName}</span>
    ),
})

interface EventColumnsOptions {
  projectId: number
  order: EventOrder
  showsPerson: boolean
  /** Shows an event in full. */
  onShow(id: string): void
}

export const eventColumns = ({
  projectId,
  order,
  showsPerson,
  onShow,
}: EventColumnsOptions): readonly Column<EventRow>[] => [
  EVENT(onShow),
  TIME(order),
  // A person has many: which one it was is a question about one person.
  showsPerson ? PERSON(projectId) : DISTINCT_ID,
]
