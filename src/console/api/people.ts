// What pages about events, persons and groups read, as queries of TanStack Query.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, dataOf } from './client'
import { Problem } from './problem'
import { inProject } from './queries'
import { runQuery } from './saved-queries'
import type { components } from './schema'

type Schemas = components['schemas']
export type Person = Schemas['Person']
export type Group = Schemas['Group']
export type IngestionWarning = Schemas['IngestionWarning']

/** One condition on a property. */
export interface PropertyCondition {
  property: string
  operator: string
  value: string
}

export interface EventFilter {
  event?: string
  /** Uuid of a person. */
  personId?: string
  /** Of somebody without a person. */
  distinctId?: string
  condition?: PropertyCondition
  group?: { typeIndex: number; key: string }
}

export interface EventRow {
  /** Its uuid. */
  id: string
  event: string
  timestamp: string
  distinctId: string
  personId: string | null
  personName: string
}

/** Where a page of events begins: after this one, newest first. */
export type EventPlace = Pick<EventRow, 'id' | 'timestamp'> | null

export interface EventPage {
  rows: EventRow[]
  hasOlder: boolean
  /** Why older events could not be looked for. */
  cut: Problem | null
}

export const EVENTS_PAGE = 100

const HOUR_MS = 3_600_000
/** Spans of time that are searched for a page, one after the other: short ones cost little. Null: all events. */
const SPANS_MS = [24 * HOUR_MS, 30 * 24 * HOUR_MS, null]

/** Text in HogQL. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const conditionFilter = ({ property, operator, value }: PropertyCondition, more: object) => ({
  key: property,
  operator,
  value: value || operator,
  ...more,
})

const COLUMNS = ['uuid', 'event', 'timestamp', 'distinct_id', 'person_id', 'person_display_name']

function eventsRequest(
  { event, personId, distinctId, condition, group }: EventFilter,
  place: EventPlace,
  after: string,
) {
  const before = place && new Date(Date.parse(place.timestamp) + 1).toISOString()
  return {
    kind: 'EventsQuery',
    select: COLUMNS,
    orderBy: ['timestamp DESC', 'uuid DESC'],
    limit: EVENTS_PAGE,
    after,
    ...(before ? { before } : {}),
    ...(event ? { event } : {}),
    ...(personId ? { personId } : {}),
    ...(condition ? { properties: [conditionFilter(condition, { type: 'event' })] } : {}),
    where: [
      ...(place
        ? [
            `timestamp < ${quoted(place.timestamp)} OR (timestamp = ${quoted(place.timestamp)} AND uuid < ${quoted(place.id)})`,
          ]
        : []),
      ...(distinctId ? [`distinct_id = ${quoted(distinctId)}`] : []),
      ...(group ? [`$group_${group.typeIndex} = ${quoted(group.key)}`] : []),
    ],
  }
}

type EventColumns = [string, string, string, string, string | null, { display_name: string }]

const rowFrom = ([id, event, timestamp, distinctId, personId, person]: EventColumns): EventRow => ({
  id,
  event,
  timestamp,
  distinctId,
  // Nobody has the nil uuid.
  personId: personId === null || /^0*-/.test(personId) ? null : personId,
  personName: person.display_name || distinctId,
})

/** A page of events, newest first. */
export async function readEvents(
  projectId: number,
  filter: EventFilter,
  place: EventPlace,
  signal?: AbortSignal,
): Promise<EventPage> {
  const from = place === null ? Date.now() : Date.parse(place.timestamp)
  let rows: EventRow[] = []
  for (const span of SPANS_MS) {
    const after = span === null ? 'all' : new Date(from - span).toISOString()
    try {
      const { results } = await runQuery(projectId, eventsRequest(filter, place, after), signal)
      rows = (results as EventColumns[]).map(rowFrom)
    } catch (error) {
      // What was found in a shorter span is shown.
      if (!(error instanceof Problem) || error.status !== 400 || span === SPANS_MS[0]) throw error
      return { rows, hasOlder: false, cut: error }
    }
    if (rows.length >= EVENTS_PAGE) return { rows, hasOlder: true, cut: null }
  }
  return { rows, hasOlder: false, cut: null }
}

export const eventsKey = (projectId: number) => ['project', projectId, 'events'] as const

export const eventsQuery = (projectId: number, filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: [...eventsKey(projectId), 'list', filter],
    initialPageParam: null as EventPlace,
    queryFn: ({ pageParam, signal }) => readEvents(projectId, filter, pageParam, signal),
    getNextPageParam: ({ rows, hasOlder }) => (hasOlder ? (rows.at(-1) ?? null) : null),
  })

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
    queryKey: [...eventsKey(projectId), 'warnings'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/ingestion_warnings/', {
          params: { path: inProject(projectId) },
          signal,
        }),
      ),
    select: ({ results }) => results,
  })

/** The person of a distinct id; null without one. */
export const personOfQuery = (projectId: number, distinctId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'person of', distinctId],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/persons/', {
          params: { path: inProject(projectId), query: { distinct_id: distinctId, limit: 1 } },
          signal,
        }),
      ),
    select: ({ results }) => results[0] ?? null,
  })

/** Values that a property of events has, of those that contain `text`; the frequent ones first. */
export const eventValuesQuery = (projectId: number, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'event values', key, text],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/events/values/', {
          params: { path: inProject(projectId), query: { key, ...(text ? { value: text } : {}) } },
          signal,
        }),
      ),
    select: (values) =>
      values.map(({ name, count }) => ({ value: String(name), detail: count.toLocaleString('en') })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
