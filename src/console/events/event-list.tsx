// Events, newest first, and one of them in full.
import { Link } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { EventFilter, EventRow } from '../api/people'
import { messageOf } from '../api/problem'
import { Button } from '../design/button'
import { DataTable } from '../design/data-table'
import { Notice } from '../design/feedback'
import '../people/people.css'
import { eventColumns, personEventColumns } from './event-columns'
import { EventDialog } from './event-dialog'
import { MAX_ROWS, useEvents } from './use-events'

interface EventListProps {
  projectId: number
  /** The same one as long as the component is mounted. */
  filter: EventFilter
  isLive: boolean
  /** Uuid of the event that is shown in full. */
  shown: string | undefined
  onShow(id: string | undefined): void
  empty: ReactNode
}

export function EventList({ projectId, filter, isLive, shown, onShow, empty }: EventListProps) {
  const { rows, query, isFull, cut, pollError } = useEvents(projectId, filter, isLive)
  const latest = useRef(onShow)
  useEffect(() => {
    latest.current = onShow
  })
  const isOfPerson = filter.personId !== undefined
  const columns = useMemo(() => {
    const show = (id: string) => latest.current(id)
    return isOfPerson ? personEventColumns(show) : eventColumns(projectId, show)
  }, [projectId, isOfPerson])
  return (
    <div className="stack">
      {pollError && (
        <Notice tone="warn">
          New events cannot be loaded: {messageOf(pollError)} The next attempt follows in seconds.
        </Notice>
      )}
      <NewRows first={rows[0]} />
      <DataTable query={query} rows={rows} columns={columns} nameOf={nameOfEvent} empty={empty} />
      {cut && (
        <Notice tone="warn">
          Older events are not shown, because looking for them costs too much: {cut.message}
        </Notice>
      )}
      {isFull && (
        <Notice>
          The newest {MAX_ROWS.toLocaleString('en')} events are shown. Filter them, or{' '}
          <Link to="/project/$projectId/endpoints/new" params={{ projectId }} search={{}}>
            write a query
          </Link>
          .
        </Notice>
      )}
      {shown !== undefined && (
        <EventDialog projectId={projectId} uuid={shown} onClose={() => onShow(undefined)} />
      )}
    </div>
  )
}

const nameOfEvent = ({ event }: EventRow): string => event

/** Pixels from the top of the page, below which new rows are not seen. */
const OUT_OF_SIGHT = 400

/** Leads to new rows, where they are out of sight. */
function NewRows({ first }: { first: EventRow | undefined }) {
  const seen = useRef(first?.id)
  const isAway = typeof scrollY === 'number' && scrollY > OUT_OF_SIGHT
  if (!isAway || seen.current === undefined) seen.current = first?.id
  if (!isAway || seen.current === first?.id) return null
  return (
    <Button className="new-rows" kind="primary" isSmall onClick={() => scrollTo({ top: 0 })}>
      <ArrowUp size={14} aria-hidden /> New events
    </Button>
  )
}
