// Shows a list of events, newest first, and one of them in full.
import { Link } from '@tanstack/react-router'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { EventFilter, EventOrder, EventRow } from '../api/events'
import { messageOf } from '../api/problem'
import { Button } from '../design/button'
import { DataTable } from '../design/data-table'
import { pagesOf } from '../shell/pages'
import { Notice } from '../design/feedback'
import '../people/people.css'
import { eventColumns } from './event-columns'
import { EventDialog } from './event-dialog'
import { MAX_ROWS, useEvents } from './use-events'

interface EventListProps {
  projectId: number
  /** The filter. It must be the same object at each render. */
  filter: EventFilter
  order: EventOrder
  isLive: boolean
  /** The uuid of the event that is shown in full. */
  shown: string | undefined
  onShow(id: string | undefined): void
  empty: ReactNode
}

export function EventList({ projectId, filter, order, isLive, shown, onShow, empty }: EventListProps) {
  const isAway = useIsAway()
  const { rows, query, isFull, hasNewer, cut, pollError } = useEvents(projectId, {
    filter,
    order,
    isLive,
    isBuffering: isAway,
  })
  const latest = useRef(onShow)
  useEffect(() => {
    latest.current = onShow
  })
  const showsPerson = filter.person === undefined
  const columns = useMemo(
    () => eventColumns({ projectId, order, showsPerson, onShow: (id) => latest.current(id) }),
    [projectId, order, showsPerson],
  )
  return (
    <div className="stack">
      {pollError && (
        <Notice tone="warn">
          New events cannot be loaded: {messageOf(pollError)} The next attempt follows in seconds.
        </Notice>
      )}
      {hasNewer && (
        <Button className="new-rows" kind="primary" isSmall onClick={() => scrollTo({ top: 0 })}>
          <ArrowUp size={14} aria-hidden /> New events
        </Button>
      )}
      <DataTable query={query} rows={rows} columns={columns} nameOf={nameOfEvent} empty={empty} />
      {cut && (
        <Notice tone="warn">
          Older events are not shown, because looking for them costs too much: {cut.message}
        </Notice>
      )}
      {isFull && (
        <Notice>
          The newest {MAX_ROWS.toLocaleString('en')} events are shown. Filter them, or{' '}
          <Link {...pagesOf(projectId).newQuery}>write a query</Link>.
        </Notice>
      )}
      {shown !== undefined && (
        <EventDialog projectId={projectId} uuid={shown} onClose={() => onShow(undefined)} />
      )}
    </div>
  )
}

const nameOfEvent = ({ event }: EventRow): string => event

/** The pixels from the top of the page from which new rows are not seen. */
const OUT_OF_SIGHT = 400

/** Returns whether the page is scrolled so far that its first rows are out of sight. */
function useIsAway(): boolean {
  const [isAway, setIsAway] = useState(false)
  useEffect(() => {
    const onScroll = () => setIsAway(scrollY > OUT_OF_SIGHT)
    onScroll()
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return isAway
}
