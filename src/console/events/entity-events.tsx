import { useNavigate } from '@tanstack/react-router'
import type { EventFilter } from '../api/events'
import { Empty } from '../design/feedback'
import { CalendarX } from 'lucide-react'
import { EventList } from './event-list'

interface EntityEventsProps {
  projectId: number
  /** The filter. It must be the same object at each render. */
  filter: EventFilter
  /** The uuid of the event that is shown in full. */
  shown: string | undefined
  /** The content when there are no events. */
  hint: string
}

/** The tab with the events of a person or group. */
export function EntityEvents({ projectId, filter, shown, hint }: EntityEventsProps) {
  const navigate = useNavigate()
  return (
    <EventList
      projectId={projectId}
      filter={filter}
      order="timestamp"
      isLive={false}
      shown={shown}
      onShow={(id) =>
        void navigate({
          to: '.',
          search: { tab: 'events', ...(id === undefined ? {} : { show: id }) },
          replace: id === undefined,
          resetScroll: false,
        })
      }
      empty={
        <Empty icon={<CalendarX size={26} aria-hidden />} title="No events">
          {hint}
        </Empty>
      }
    />
  )
}
