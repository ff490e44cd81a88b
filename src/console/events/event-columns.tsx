// What lists of events show of each.
import { Link } from '@tanstack/react-router'
import type { EventRow } from '../api/people'
import type { Column } from '../design/data-table'
import { Time } from '../design/small'

const EVENT = (onShow: (id: string) => void): Column<EventRow> => ({
  heading: 'Event',
  place: 'main',
  cell: ({ id, event }) => (
    <button type="button" className="row-link mono truncate" onClick={() => onShow(id)}>
      {event}
    </button>
  ),
})

const TIME: Column<EventRow> = {
  heading: 'Time',
  place: 'side',
  width: '9rem',
  cell: ({ timestamp }) => (
    <span className="soft small">
      <Time at={timestamp} />
    </span>
  ),
}

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

/** @param onShow shows an event in full. */
export const eventColumns = (
  projectId: number,
  onShow: (id: string) => void,
): readonly Column<EventRow>[] => [
  EVENT(onShow),
  TIME,
  {
    heading: 'Person',
    place: 'full',
    width: '16rem',
    cell: ({ personId, personName }) =>
      personId ? (
        <Link
          className="truncate"
          to="/project/$projectId/persons/$personId"
          params={{ projectId, personId }}
          search={{}}
        >
          {personName}
        </Link>
      ) : (
        <span className="soft truncate">{personName}</span>
      ),
  },
  DISTINCT_ID,
]

/** Of one person. */
export const personEventColumns = (onShow: (id: string) => void): readonly Column<EventRow>[] => [
  EVENT(onShow),
  TIME,
  DISTINCT_ID,
]
