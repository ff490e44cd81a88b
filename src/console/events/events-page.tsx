// Shows events as they arrive, and why others were rejected.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Pause, Play, Radio, SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { PageHeader } from '../design/page-header'
import { type EventFilter, warningsQuery } from '../api/events'
import { eventNamesQuery } from '../api/saved-queries'
import { Button, buttonClass, ClearButton } from '../design/button'
import { Suggest, type Suggestion } from '../design/fields/combobox'
import { usePersonSuggestions } from '../people/use-person-suggestions'
import { DayRange } from '../design/fields/day-range'
import { endOfDay, startOfDay } from '../design/fields/days'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { Badge } from '../design/small'
import { Tabs } from '../design/tabs'
import { useShortcuts } from '../design/use-shortcuts'
import { ConditionFilter } from '../people/condition-filter'
import { conditionsOf, whereOf } from '../people/conditions'
import { EventList } from './event-list'
import { type EventSearch, type EventSearchChange, parseEventSearch } from './search'
import { WarningList } from './warning-list'
import { personOfQuery } from '../api/people'
import { pagesOf } from '../shell/pages'

const route = getRouteApi('/project/$projectId/events')

/** Warnings are seconds behind capture. */
const WARNINGS_POLL_MS = 10_000

export function EventsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const [isPaused, setIsPaused] = useState(false)
  const warnings = useQuery({ ...warningsQuery(projectId), refetchInterval: WARNINGS_POLL_MS })
  const set = (change: EventSearchChange, replace = true) =>
    void navigate({
      ...pagesOf(projectId).events,
      search: parseEventSearch({ ...search, ...change }),
      replace,
      resetScroll: false,
    })
  const isTail = search.tab === undefined
  useShortcuts({ p: () => isTail && setIsPaused(!isPaused) })
  return (
    <>
      <PageHeader title="Events" note="What arrives in this project, newest first.">
        {isTail && (
          <div className="row">
            <span className="live soft small" data-live={isPaused ? undefined : true} role="status">
              {isPaused ? 'Paused' : 'Live'}
            </span>
            <Button onClick={() => setIsPaused(!isPaused)} aria-keyshortcuts="p">
              {isPaused ? (
                <>
                  <Play size={15} aria-hidden /> Resume
                </>
              ) : (
                <>
                  <Pause size={15} aria-hidden /> Pause
                </>
              )}
            </Button>
          </div>
        )}
      </PageHeader>
      <Tabs
        label="Parts of the page"
        current={search.tab ?? 'events'}
        tabs={[
          ['events', 'Events'],
          [
            'warnings',
            <>
              Warnings{' '}
              {(warnings.data?.length ?? 0) > 0 && <Badge tone="warn">{warnings.data?.length}</Badge>}
            </>,
          ],
        ]}
      />
      {isTail ? (
        <Tail projectId={projectId} search={search} isLive={!isPaused} onSearch={set} />
      ) : (
        <WarningList query={warnings} />
      )}
    </>
  )
}

interface TailProps {
  projectId: number
  search: EventSearch
  isLive: boolean
  onSearch(change: EventSearchChange, replace?: boolean): void
}

function Tail({ projectId, search, isLive, onSearch }: TailProps) {
  const { event, person, from, to } = search
  const conditions = conditionsOf(search)
  // Events of all distinct ids of the person.
  const known = useQuery({ ...personOfQuery(projectId, person ?? ''), enabled: person !== undefined })
  const filter: EventFilter = {
    ...(event ? { event } : {}),
    ...(person === undefined
      ? {}
      : {
          person: known.data
            ? { uuid: known.data.uuid, distinctIds: known.data.distinct_ids }
            : { uuid: null, distinctIds: [person] },
        }),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(from ? { from: startOfDay(from) } : {}),
    ...(to ? { to: endOfDay(to) } : {}),
  }
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <div className="row wrap" role="search">
        <FilterField
          label="Event"
          placeholder="Any event"
          value={event}
          onChange={(name) => onSearch({ event: name })}
          useSuggestions={(text) =>
            (useQuery(eventNamesQuery(projectId, text)).data?.results ?? []).map(({ name }) => ({
              value: name,
            }))
          }
        />
        <FilterField
          label="Person"
          placeholder="Distinct id of a person"
          value={person}
          onChange={(id) => onSearch({ person: id })}
          useSuggestions={(text) => usePersonSuggestions(projectId, text)}
        />
        <ConditionFilter
          projectId={projectId}
          kind="event"
          conditions={conditions}
          onChange={(chosen) => onSearch({ where: whereOf(chosen) })}
        />
        <DayRange label="Arrived from" from={from} to={to} onChange={onSearch} />
        {isFiltered && (
          <ClearButton
            onClick={() =>
              onSearch({
                event: undefined,
                person: undefined,
                where: undefined,
                from: undefined,
                to: undefined,
              })
            }
          />
        )}
      </div>
      {person !== undefined && known.isError ? (
        <ProblemNotice error={known.error} onRetry={() => void known.refetch()} />
      ) : person !== undefined && known.isPending ? (
        <Loading />
      ) : (
        <EventList
          key={JSON.stringify(filter)}
          projectId={projectId}
          filter={filter}
          order="arrivedAt"
          isLive={isLive && !(filter.to && Date.parse(filter.to) < Date.now())}
          shown={search.show}
          onShow={(id) => onSearch({ show: id }, id === undefined)}
          empty={
            isFiltered ? (
              <Empty icon={<SearchX size={26} aria-hidden />} title="No event matches">
                Change the filters above. New events that match appear here.
              </Empty>
            ) : (
              <Empty
                icon={<Radio size={28} aria-hidden />}
                title="Waiting for the first event"
                action={
                  <Link className={buttonClass({ kind: 'primary' })} {...pagesOf(projectId).start}>
                    Send an event
                  </Link>
                }
              >
                Events appear here seconds after an SDK sends them. What is not valid is listed under
                Warnings.
              </Empty>
            )
          }
        />
      )}
    </>
  )
}

interface FilterFieldProps {
  label: string
  placeholder: string
  value: string | undefined
  onChange(value: string | undefined): void
  /** A hook. */
  useSuggestions(text: string): readonly Suggestion[]
}

/** A text that filters once it is chosen, or Enter is pressed. */
function FilterField({ label, placeholder, value = '', onChange, useSuggestions }: FilterFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const suggestions = useSuggestions(useDeferredValue(text))
  const apply = (next: string) => next !== value && onChange(next || undefined)
  return (
    <div
      className="filter-field"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && apply(text)}
    >
      <Suggest
        label={label}
        value={text}
        onChange={setText}
        onChoose={apply}
        placeholder={placeholder}
        suggestions={suggestions}
        onKeyDown={(event) => event.key === 'Enter' && apply(text)}
      />
    </div>
  )
}
