// Defines what pages about persons and groups read, as queries of TanStack Query.
import { propertiesSummary } from '../grammar/summaries'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, read, reading } from './client'
import { type PropertyCondition, quoted } from './property-conditions'
import { at, inProject, itemIn, keyOf } from './queries'
import { runQuery } from './saved-queries'
import type { components } from './schema'

type Schemas = components['schemas']
export type Person = Schemas['Person']
export type Group = Schemas['Group']

const PERSONS = '/api/projects/{project_id}/persons/'

/** The person of a distinct id; null without one. */
export const personOfQuery = (projectId: number, distinctId: string) =>
  queryOptions({
    ...at(PERSONS, { path: inProject(projectId), query: { distinct_id: distinctId, limit: 1 } }),
    select: ({ results }) => results[0] ?? null,
  })

/** The fields that lists of persons show. */
export interface PersonRow {
  /** Its uuid. */
  id: string
  name: string
  /** Null where a search does not return it. */
  distinctId: string | null
  createdAt: string
  /** A summary of its properties. */
  summary: string
}

export interface PeopleFilter {
  search?: string
  conditions?: readonly PropertyCondition[]
}

export const personsKey = (projectId: number) => keyOf(PERSONS, { path: inProject(projectId) })

const PAGE = 100

interface Page<Row> {
  results: Row[]
  next: string | null
}

async function listPersons(projectId: number, cursor: string, signal: AbortSignal): Promise<Page<PersonRow>> {
  const { results, next } = await read(
    PERSONS,
    {
      path: inProject(projectId),
      query: { limit: PAGE, ...(cursor ? { cursor: Number(cursor) } : {}) },
    },
    signal,
  )
  const rows = results.map(
    ({ uuid, name, distinct_ids: [distinctId = null], created_at: createdAt, properties }) => ({
      id: uuid,
      name,
      distinctId,
      createdAt,
      summary: summaryOf(properties as Record<string, unknown>),
    }),
  )
  return { results: rows, next: next && new URL(next).searchParams.get('cursor') }
}

const NAMES = ['email', 'Email', '$email', 'name', 'Name', 'username', 'Username', 'UserName']

const NAME_KEYS = new Set(NAMES)

/** Returns a summary without the properties that the name shows. */
const summaryOf = (properties: Record<string, unknown>): string => propertiesSummary(properties, NAME_KEYS)

const nameIn = (properties: Record<string, unknown>): string | undefined =>
  NAMES.map((key) => properties[key]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )

async function findPersons(
  projectId: number,
  { search, conditions = [] }: PeopleFilter,
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
    properties: conditions.map((each) => ({ ...each, type: 'person' })),
  }
  const { results, hasMore } = await runQuery(projectId, query, signal)
  const rows = (results as [string, string, string][]).map(([id, text, createdAt]) => {
    const properties = JSON.parse(text) as Record<string, unknown>
    return {
      id,
      name: nameIn(properties) ?? id,
      distinctId: null,
      createdAt,
      summary: summaryOf(properties),
    }
  })
  return { results: rows, next: hasMore ? String(Number(offset) + PAGE) : null }
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

export const personQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: [...personsKey(projectId), 'one', id],
    queryFn: reading(`${PERSONS}{id}/`, itemIn(projectId, id)),
  })

export const deletePerson = (projectId: number, id: string, deleteEvents: boolean) =>
  client.DELETE('/api/projects/{project_id}/persons/{id}/', {
    params: { ...itemIn(projectId, id), query: { delete_events: deleteEvents } },
  })

/** Days of events that are searched for the groups of a person. */
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

/** The value of every flag for a person. @param groups keys by group type */
export const flagValuesQuery = (
  projectId: number,
  distinctId: string,
  groups: Readonly<Record<string, string>>,
) =>
  at('/api/projects/{project_id}/feature_flags/evaluation_reasons/', {
    path: inProject(projectId),
    query: { distinct_id: distinctId, groups: JSON.stringify(groups) },
  })

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
  const { results, next } = await read(
    '/api/projects/{project_id}/groups/',
    {
      path: inProject(projectId),
      query: { group_type_index: typeIndex, limit: PAGE, ...(cursor ? { cursor } : {}) },
    },
    signal,
  )
  const rows = results.map(({ group_key: id, group_properties: properties, created_at: createdAt }) => ({
    id,
    name: nameIn(properties),
    createdAt,
  }))
  return { results: rows, next: next && new URL(next).searchParams.get('cursor') }
}

/** The condition of groups whose keys or names contain a text. */
const isNamed = (text: string): string =>
  `(${['key', "ifNull(toString(properties.name), '')"]
    .map((value) => `position(lower(${value}), lower(${quoted(text)})) > 0`)
    .join(' OR ')})`

/** Groups of all types whose keys or names contain a text, by key. */
export async function groupsNamed(
  projectId: number,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ typeIndex: number; key: string; name: string | undefined }[]> {
  const query = `SELECT index, key, properties FROM groups WHERE ${isNamed(text)} ORDER BY key LIMIT ${limit}`
  const { results } = await runQuery(projectId, { kind: 'HogQLQuery', query }, signal)
  return (results as [number, string, string][]).map(([typeIndex, key, properties]) => ({
    typeIndex,
    key,
    name: nameIn(JSON.parse(properties) as Record<string, unknown>),
  }))
}

async function findGroups(
  projectId: number,
  typeIndex: number,
  { search, conditions = [] }: PeopleFilter,
  offset: string,
  signal: AbortSignal,
): Promise<Page<GroupRow>> {
  const query = {
    kind: 'HogQLQuery',
    query: [
      `SELECT key, properties, created_at FROM groups WHERE index = ${typeIndex}`,
      ...(search ? [isNamed(search)] : []),
      ...(conditions.length > 0 ? ['{filters}'] : []),
    ]
      .join(' AND ')
      .concat(` ORDER BY key LIMIT ${PAGE + 1} OFFSET ${Number(offset)}`),
    filters: {
      properties: conditions.map((each) => ({ ...each, type: 'group', group_type_index: typeIndex })),
    },
  }
  const { results } = await runQuery(projectId, query, signal)
  const all = (results as [string, string, string][]).map(([id, properties, createdAt]) => ({
    id,
    name: nameIn(JSON.parse(properties) as Record<string, unknown>),
    createdAt,
  }))
  return { results: all.slice(0, PAGE), next: all.length > PAGE ? String(Number(offset) + PAGE) : null }
}

/** Groups of a type, by key. */
export const groupListQuery = (projectId: number, typeIndex: number, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'groups', typeIndex, filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      Object.keys(filter).length > 0
        ? findGroups(projectId, typeIndex, filter, pageParam, signal)
        : listGroups(projectId, typeIndex, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const groupQuery = (projectId: number, typeIndex: number, key: string) =>
  at('/api/projects/{project_id}/groups/find/', {
    path: inProject(projectId),
    query: { group_type_index: typeIndex, group_key: key },
  })

export interface Properties {
  projectId: number
  /** Whose properties. */
  kind: 'event' | 'person' | 'group'
  groupType: number | null
}

/** Values that a property has, of those that contain `text`; the frequent ones first. */
export const propertyValuesQuery = ({ projectId, kind, groupType }: Properties, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'property values', kind, groupType, key, text],
    queryFn: ({ signal }) => {
      const path = inProject(projectId)
      const query = { key, ...(text ? { value: text } : {}) }
      if (kind === 'event') return read('/api/projects/{project_id}/events/values/', { path, query }, signal)
      if (kind === 'person' || groupType === null)
        return read('/api/projects/{project_id}/persons/values/', { path, query }, signal)
      return read(
        '/api/projects/{project_id}/groups/property_values/',
        { path, query: { ...query, group_type_index: groupType } },
        signal,
      )
    },
    select: (values) =>
      values.map(({ name, count }) => ({ value: String(name), detail: count.toLocaleString('en') })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
