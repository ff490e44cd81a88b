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

const conditionFilter = ({ property, operator, value }: PropertyCondition, more: object) => ({
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

/** What lists of persons show of each. */
export interface PersonRow {
  /** Its uuid. */
  id: string
  name: string
  /** Null where a search does not tell. */
  distinctId: string | null
  createdAt: string
}

export interface PeopleFilter {
  search?: string
  condition?: PropertyCondition
}

export const personsKey = (projectId: number) => ['project', projectId, 'persons'] as const

const PAGE = 100

interface Page<Row> {
  rows: Row[]
  next: string | null
}

async function listPersons(projectId: number, cursor: string, signal: AbortSignal): Promise<Page<PersonRow>> {
  const { results, next } = await dataOf(
    client.GET('/api/projects/{project_id}/persons/', {
      params: {
        path: inProject(projectId),
        query: { limit: PAGE, ...(cursor ? { cursor: Number(cursor) } : {}) },
      },
      signal,
    }),
  )
  const rows = results.map(({ uuid, name, distinct_ids: [distinctId = null], created_at: createdAt }) => ({
    id: uuid,
    name,
    distinctId,
    createdAt,
  }))
  return { rows, next: next && new URL(next).searchParams.get('cursor') }
}

const NAMES = ['email', 'Email', '$email', 'name', 'Name', 'username', 'Username', 'UserName']

const nameIn = (properties: Record<string, unknown>): string | undefined =>
  NAMES.map((key) => properties[key]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )

async function findPersons(
  projectId: number,
  { search, condition }: PeopleFilter,
  offset: string,
  signal: AbortSignal,
): Promise<Page<PersonRow>> {
  const query = {
    kind: 'ActorsQuery',
    select: ['id', 'properties', 'created_at'],
    orderBy: ['created_at DESC', 'id DESC'],
    limit: PAGE,
    offset: Number(offset),
    ...(search ? { search } : {}),
    ...(condition ? { properties: [conditionFilter(condition, { type: 'person' })] } : {}),
  }
  const { results, hasMore } = await runQuery(projectId, query, signal)
  const rows = (results as [string, string, string][]).map(([id, properties, createdAt]) => ({
    id,
    name: nameIn(JSON.parse(properties) as Record<string, unknown>) ?? id,
    distinctId: null,
    createdAt,
  }))
  return { rows, next: hasMore ? String(Number(offset) + PAGE) : null }
}

/** Persons, newest first. */
export const peopleQuery = (projectId: number, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [...personsKey(projectId), 'list', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      Object.keys(filter).length > 0
        ? findPersons(projectId, filter, pageParam, signal)
        : listPersons(projectId, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

const onPerson = (projectId: number, id: string) => ({ path: { ...inProject(projectId), id } })

export const personQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: [...personsKey(projectId), 'one', id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/persons/{id}/', { params: onPerson(projectId, id), signal }),
      ),
  })

export const deletePerson = (projectId: number, id: string, deleteEvents: boolean) =>
  client.DELETE('/api/projects/{project_id}/persons/{id}/', {
    params: { ...onPerson(projectId, id), query: { delete_events: deleteEvents } },
  })

/** Days of events that tell which groups a person belongs to. */
export const GROUP_DAYS = 90

/** Combinations of groups that are looked at. */
const MAX_COMBINATIONS = 200

export interface PersonGroup {
  typeIndex: number
  key: string
  lastSeen: string
}

/** Groups that events of a person named lately, the last one first. */
export const personGroupsQuery = (projectId: number, personId: string) =>
  queryOptions({
    queryKey: [...personsKey(projectId), 'groups', personId],
    async queryFn({ signal }): Promise<PersonGroup[]> {
      const query = `SELECT $group_0 AS a, $group_1 AS b, $group_2 AS c, $group_3 AS d, $group_4 AS e, max(timestamp) AS last FROM events
        WHERE person_id = ${quoted(personId)} AND timestamp > now() - INTERVAL ${GROUP_DAYS} DAY
        GROUP BY a, b, c, d, e ORDER BY last DESC LIMIT ${MAX_COMBINATIONS}`
      const { results } = await runQuery(projectId, { kind: 'HogQLQuery', query }, signal)
      const groups = new Map<string, PersonGroup>()
      for (const row of results as (string | null)[][]) {
        const lastSeen = row.at(-1)!
        for (const [typeIndex, key] of row.slice(0, -1).entries()) {
          const name = `${typeIndex} ${key}`
          if (key && !groups.has(name)) groups.set(name, { typeIndex, key, lastSeen })
        }
      }
      return [...groups.values()]
    },
    staleTime: 60_000,
  })

/** What a person gets of all flags. @param groups keys by group type */
export const flagValuesQuery = (
  projectId: number,
  distinctId: string,
  groups: Readonly<Record<string, string>>,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'flag values', distinctId, groups],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/evaluation_reasons/', {
          params: {
            path: inProject(projectId),
            query: { distinct_id: distinctId, groups: JSON.stringify(groups) },
          },
          signal,
        }),
      ),
  })

const groupsKey = (projectId: number) => ['project', projectId, 'groups'] as const

export interface GroupRow {
  /** Its key. */
  id: string
  name: string | undefined
  createdAt: string
}

async function listGroups(
  projectId: number,
  typeIndex: number,
  cursor: string,
  signal: AbortSignal,
): Promise<Page<GroupRow>> {
  const { results, next } = await dataOf(
    client.GET('/api/projects/{project_id}/groups/', {
      params: {
        path: inProject(projectId),
        query: { group_type_index: typeIndex, limit: PAGE, ...(cursor ? { cursor } : {}) },
      },
      signal,
    }),
  )
  const rows = results.map(({ group_key: id, group_properties: properties, created_at: createdAt }) => ({
    id,
    name: nameIn(properties),
    createdAt,
  }))
  return { rows, next: next && new URL(next).searchParams.get('cursor') }
}

async function findGroups(
  projectId: number,
  typeIndex: number,
  { search, condition }: PeopleFilter,
  offset: string,
  signal: AbortSignal,
): Promise<Page<GroupRow>> {
  const found = search
    ? ['key', "ifNull(toString(properties.name), '')"].map(
        (value) => `position(lower(${value}), lower(${quoted(search)})) > 0`,
      )
    : []
  const query = {
    kind: 'HogQLQuery',
    query: [
      `SELECT key, properties, created_at FROM groups WHERE index = ${typeIndex}`,
      ...(found.length > 0 ? [`(${found.join(' OR ')})`] : []),
      ...(condition ? ['{filters}'] : []),
    ]
      .join(' AND ')
      .concat(` ORDER BY key LIMIT ${PAGE + 1} OFFSET ${Number(offset)}`),
    ...(condition
      ? {
          filters: {
            properties: [conditionFilter(condition, { type: 'group', group_type_index: typeIndex })],
          },
        }
      : {}),
  }
  const { results } = await runQuery(projectId, query, signal)
  const all = (results as [string, string, string][]).map(([id, properties, createdAt]) => ({
    id,
    name: nameIn(JSON.parse(properties) as Record<string, unknown>),
    createdAt,
  }))
  return { rows: all.slice(0, PAGE), next: all.length > PAGE ? String(Number(offset) + PAGE) : null }
}

/** Groups of a type, by key. */
export const groupListQuery = (projectId: number, typeIndex: number, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [...groupsKey(projectId), 'list', typeIndex, filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      Object.keys(filter).length > 0
        ? findGroups(projectId, typeIndex, filter, pageParam, signal)
        : listGroups(projectId, typeIndex, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const groupQuery = (projectId: number, typeIndex: number, key: string) =>
  queryOptions({
    queryKey: [...groupsKey(projectId), 'one', typeIndex, key],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/groups/find/', {
          params: { path: inProject(projectId), query: { group_type_index: typeIndex, group_key: key } },
          signal,
        }),
      ),
  })
