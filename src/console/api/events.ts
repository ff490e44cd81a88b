// Defines what pages about events read, as queries of TanStack Query.
import { queryOptions } from '@tanstack/react-query'
import { eventSummary } from '../grammar/summaries'
import { Problem } from './problem'
import { type PropertyCondition, quoted } from './property-conditions'
import { at, inProject } from './queries'
import { runQuery } from './saved-queries'
import type { components } from './schema'

export type IngestionWarning = components['schemas']['IngestionWarning']

export interface EventFilter {
  event?: string
  person?: {
    /** Null for a distinct id without a person. */
    uuid: string | null
    distinctIds: readonly string[]
  }
  conditions?: readonly PropertyCondition[]
  group?: { typeIndex: number; key: string }
  /** The range of its arrival: the first moment, and the one after the last. */
  from?: string
  to?: string
}

export interface EventRow {
  /** Its uuid. */
  id: string
  event: string
  timestamp: string
  arrivedAt: string
  distinctId: string
  personId: string | null
  personName: string
  /** A summary of what happened. */
  summary: string
}

/** The order of a list, newest first: by when events arrived, or by their timestamp. */
export type EventOrder = 'arrivedAt' | 'timestamp'

export interface EventPage {
  rows: EventRow[]
  hasOlder: boolean
  /** The reason why older events could not be searched. */
  cut: Problem | null
}

export const EVENTS_PAGE = 100

const HOUR_MS = 3_600_000
/** Time spans that are searched for a page, in turn: short ones are cheap. */
const SPANS_MS = [HOUR_MS, 24 * HOUR_MS, 30 * 24 * HOUR_MS]

const COLUMN = { arrivedAt: 'created_at', timestamp: 'timestamp' } as const

/** Distinct ids of a person by which its events are found; of a person with more, by the person. */
const MAX_DISTINCT_IDS = 100

function personCondition({ uuid, distinctIds }: NonNullable<EventFilter['person']>): string {
  return uuid !== null && (distinctIds.length === 0 || distinctIds.length > MAX_DISTINCT_IDS)
    ? `person_id = ${quoted(uuid)}`
    : `distinct_id IN (${distinctIds.map(quoted).join(', ')})`
}

type EventColumns = [string, string, string, string, string, string | null, string, string]

const rowFrom = ([
  id,
  event,
  timestamp,
  arrivedAt,
  distinctId,
  personId,
  personName,
  properties,
]: EventColumns): EventRow => ({
  id,
  event,
  timestamp,
  arrivedAt,
  distinctId,
  // The distinct id is shown when there is no person.
  personId: personId === distinctId || personId === null || /^0*-/.test(personId) ? null : personId,
  personName,
  summary: eventSummary(event, JSON.parse(properties) as Record<string, unknown>),
})

/** If properties are longer, a list reads only those of the place. */
const MAX_PROPERTIES = 4_000
const PROPERTIES = `if(length(properties) <= ${MAX_PROPERTIES}, properties, toJSONString(map('$current_url', properties.$current_url)))`

const PERSON_NAMES = ['email', 'name', 'username'].map(
  (name) => `nullIf(toString(person.properties.${name}), '')`,
)

async function queryEvents(
  projectId: number,
  { event, person, conditions = [], group, from, to }: EventFilter,
  { where, orderBy, limit }: { where: readonly string[]; orderBy: string; limit: number },
  signal: AbortSignal | undefined,
): Promise<EventRow[]> {
  const all = [
    ...where,
    ...(event ? [`event = ${quoted(event)}`] : []),
    ...(person ? [personCondition(person)] : []),
    ...(group ? [`$group_${group.typeIndex} = ${quoted(group.key)}`] : []),
    ...(from ? [`created_at >= ${quoted(from)}`] : []),
    ...(to ? [`created_at < ${quoted(to)}`] : []),
    ...(conditions.length > 0 ? ['{filters}'] : []),
  ]
  const query = `SELECT uuid, event, timestamp, created_at, distinct_id, person_id, coalesce(${PERSON_NAMES.join(', ')}, distinct_id),
      ${PROPERTIES}
    FROM events ${all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''} ORDER BY ${orderBy} LIMIT ${limit}`
  const filters = { properties: conditions.map((each) => ({ ...each, type: 'event' })) }
  const { results } = await runQuery(projectId, { kind: 'HogQLQuery', query, filters }, signal)
  return (results as EventColumns[]).map(rowFrom)
}

/**
 * A page of events, newest first.
 * @param place the event that it follows; null for the first page
 */
export async function readEvents(
  projectId: number,
  filter: EventFilter,
  order: EventOrder,
  place: EventRow | null,
  signal?: AbortSignal,
): Promise<EventPage> {
  const column = COLUMN[order]
  const older = place
    ? [
        `${column} <= ${quoted(place[order])}`,
        `(${column} < ${quoted(place[order])} OR uuid < ${quoted(place.id)})`,
      ]
    : []
  const end = Math.min(
    place ? Date.parse(place[order]) : Date.now(),
    filter.to && order === 'arrivedAt' ? Date.parse(filter.to) : Number.POSITIVE_INFINITY,
  )
  const isRare = filter.event !== undefined || filter.person !== undefined
  // Rare events of a day are found by name, and sorted: an expression keeps the database from reading all that arrived.
  const lastOrder = isRare ? `toString(${column}) DESC, uuid DESC` : `${column} DESC, uuid DESC`
  const spans = [...(isRare ? SPANS_MS.slice(0, 2) : SPANS_MS), null]
  let rows: EventRow[] = []
  for (const span of spans) {
    const since = span === null ? [] : [`${column} >= ${quoted(new Date(end - span).toISOString())}`]
    const part = {
      where: [...older, ...since],
      orderBy: span === null ? lastOrder : `${column} DESC, uuid DESC`,
      limit: EVENTS_PAGE,
    }
    try {
      rows = await queryEvents(projectId, filter, part, signal)
    } catch (error) {
      // Events found in a shorter span are shown.
      if (!(error instanceof Problem) || error.status !== 400 || span === spans[0]) throw error
      return { rows, hasOlder: false, cut: error }
    }
    if (rows.length >= EVENTS_PAGE) return { rows, hasOlder: true, cut: null }
  }
  return { rows, hasOlder: false, cut: null }
}

/** Rows per poll for new events. */
export const MAX_ARRIVALS = 500
/** An event is stored some time after it arrived: those still in transit are searched again. */
const ON_THEIR_WAY_MS = 60_000

/** Events that arrived since a moment, or shortly before it; newest first. */
export const readArrivals = (
  projectId: number,
  filter: EventFilter,
  since: string,
  signal?: AbortSignal,
): Promise<EventRow[]> =>
  queryEvents(
    projectId,
    filter,
    {
      where: [`created_at >= ${quoted(new Date(Date.parse(since) - ON_THEIR_WAY_MS).toISOString())}`],
      orderBy: 'created_at DESC, uuid DESC',
      limit: MAX_ARRIVALS,
    },
    signal,
  )

export const eventsKey = (projectId: number) => ['project', projectId, 'events'] as const

export interface EventRecord {
  event: { uuid: string; event: string; timestamp: string; distinct_id: string; created_at: string }
  properties: Record<string, unknown>
  person: { uuid: string | null; properties: Record<string, unknown> | null }
}

/** One event in full; null without it. */
export const eventQuery = (projectId: number, uuid: string) =>
  queryOptions({
    queryKey: [...eventsKey(projectId), 'one', uuid],
    async queryFn({ signal }): Promise<EventRecord | null> {
      const request = {
        kind: 'EventsQuery',
        select: ['*', 'person'],
        after: 'all',
        // An event whose clock is ahead is included.
        before: '9999-12-31',
        limit: 1,
        where: [`uuid = ${quoted(uuid)}`],
      }
      const { results } = await runQuery(projectId, request, signal)
      const [row] = results as [
        EventRecord['event'] & Pick<EventRecord, 'properties'>,
        EventRecord['person'],
      ][]
      return row ? { event: row[0], properties: row[0].properties, person: row[1] } : null
    },
  })

export const warningsQuery = (projectId: number) =>
  queryOptions({
    ...at('/api/projects/{project_id}/ingestion_warnings/', { path: inProject(projectId) }),
    select: ({ results }) => results,
  })
