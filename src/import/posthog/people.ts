// Reads persons, groups and events of a project, in pages.
import { parseExactly } from '../../http/body/exact-integers'
import { FIRST_TOUCH, initialNameOf } from '../../evaluation/property-maps'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import { CallError } from '../call'
import { batchesOf } from '../batches'
import type { Client } from '../client'
import type { Page, Stream } from '../model'
import { readListPage } from './lists'

const EVENTS_PAGE = 1_000
const MEMBERS_PAGE = 10_000
/** Maximum members of one cohort, because a list that never ends must not fill the memory. */
const MAX_MEMBERS = 5_000_000
/** Maximum ids of one query, whose text has a limit. */
const LOOK_UP = 400
/** The number of distinct ids to which lists cut those of a person. */
const LISTED_IDS = 10

/** The rows of a HogQL query. */
async function rowsOf(client: Client, project: string, query: string): Promise<JsonValue[][]> {
  const { results } = await client.repeatable<{ results?: JsonValue[][] }>(`${project}query/`, {
    query: { kind: 'HogQLQuery', query },
  })
  return results ?? []
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`

const TABLES: Record<Stream, string> = { person: 'persons', group: 'groups', event: 'events' }

/** @returns null where the source does not say. */
export async function countRows(client: Client, project: string, stream: Stream): Promise<number | null> {
  try {
    return Number((await rowsOf(client, project, `SELECT count() FROM ${TABLES[stream]}`))[0]?.[0] ?? 0)
  } catch (error) {
    if (error instanceof CallError && error.status !== null && error.status < 500) return null
    throw error
  }
}

export async function readPersons(client: Client, project: string, cursor: string | null): Promise<Page> {
  const { rows, next } = await readListPage(client, `${project}persons/`, cursor)
  const persons = rows.map(({ id, uuid, distinct_ids: ids, properties, created_at: at }) => ({
    id: String(uuid ?? id),
    listed: isArray(ids) ? ids.map(String) : [],
    properties: properties ?? {},
    created_at: at ?? null,
  }))
  const cut = persons.filter(({ listed }) => listed.length >= LISTED_IDS).map(({ id }) => id)
  const others = await readDistinctIds(client, project, cut)
  return {
    next,
    rows: persons.map(({ id, listed, ...row }) => ({
      distinct_ids: [...new Set([...listed, ...(others.get(id) ?? [])])],
      ...row,
    })),
  }
}

/** Returns all distinct ids of persons. */
async function readDistinctIds(
  client: Client,
  project: string,
  persons: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows: JsonValue[][] = []
  for (const some of batchesOf(persons, LOOK_UP, Infinity)) {
    const isOfSome = `person_id IN (${some.map(quoted).join(', ')})`
    const found = await rowsByKey(
      client,
      project,
      (last) =>
        `SELECT distinct_id, toString(person_id) FROM person_distinct_ids WHERE ${isOfSome} AND distinct_id > ${last} ORDER BY distinct_id`,
    )
    for (const row of found) rows.push(row)
  }
  const byPerson = Map.groupBy(rows, ([, person]) => String(person))
  return new Map([...byPerson].map(([person, own]) => [person, own.map(([id]) => String(id))]))
}

/** @param types names of the group types by index; that of a deleted type stays free. The cursor has the index before a colon. */
export async function readGroups(
  client: Client,
  project: string,
  types: ReadonlyMap<number, string>,
  cursor: string | null,
): Promise<Page> {
  const at = cursor?.indexOf(':') ?? -1
  const from = cursor === null ? 0 : Number(cursor.slice(0, at))
  const [index, following] = [...types.keys()].filter((each) => each >= from).toSorted((a, b) => a - b)
  if (index === undefined) return { rows: [], next: null }
  const query = (index === from && cursor?.slice(at + 1)) || null
  const path = `${project}groups/`
  const { rows, next } = await readListPage(
    client,
    query === null ? `${path}?group_type_index=${index}` : path,
    query,
  )
  return {
    rows: rows.map(({ group_key: key, group_properties: properties, created_at: createdAt }) => ({
      group_type: types.get(index)!,
      group_key: key ?? '',
      properties: properties ?? {},
      created_at: createdAt ?? null,
    })),
    next: next !== null ? `${index}:${next}` : following !== undefined ? `${following}:` : null,
  }
}

/**
 * Reads events in order of time. The cursor is the timestamp and the uuid of the last one.
 * @param isHalyard whether the service adds properties of the page and device to the changes of an event only where it writes them
 */
export async function readEvents(
  client: Client,
  project: string,
  cursor: string | null,
  isHalyard = false,
): Promise<Page> {
  const [time, uuid] = cursor?.split(' ') ?? []
  const after = time && uuid ? `WHERE ${isAfter(time, uuid)} ` : ''
  const rows = await rowsOf(
    client,
    project,
    `SELECT uuid, event, timestamp, distinct_id, properties, elements_chain FROM events ${after}ORDER BY timestamp, toString(uuid) LIMIT ${EVENTS_PAGE}`,
  )
  const events = rows.map((row) => eventOf(row, isHalyard))
  const last = events.at(-1)
  const next = last && rows.length === EVENTS_PAGE ? `${String(last.timestamp)} ${String(last.uuid)}` : null
  const end = last ? String(last.timestamp) : time
  return { rows: events, next, resume: end === undefined ? null : beforeLate(end) }
}

/** Events that arrive late, or from a clock that is ahead, are found by a later import within this time. Those in it are stored once. */
const LATE_MS = 3 * 24 * 3_600_000

/** Returns the position at which a later import continues. @param end the time of the newest event */
const beforeLate = (end: string): string =>
  `${new Date(Math.min(Date.parse(end), Date.now()) - LATE_MS).toISOString()} 0`

function isAfter(time: string, uuid: string): string {
  const moment = `toDateTime64(${quoted(time)}, 6, 'UTC')`
  return `timestamp > ${moment} OR (timestamp = ${moment} AND toString(uuid) > ${quoted(uuid)})`
}

function eventOf(
  [uuid, event, timestamp, distinctId, properties, chain]: JsonValue[],
  isHalyard: boolean,
): JsonObject {
  const sent = (typeof properties === 'string' ? parseExactly(properties) : properties) as JsonValue
  return {
    uuid: uuid!,
    event: event!,
    distinct_id: distinctId!,
    timestamp: timestamp!,
    properties: {
      ...(isObject(sent) ? withoutDerived(sent, isHalyard) : {}),
      ...(chain ? { $elements_chain: chain } : {}),
    },
  }
}

/** Keys of groups by index come from `$groups`. */
const withoutDerived = (properties: JsonObject, isHalyard: boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => !/^\$group_[0-4]$/.test(key))
      .map(([key, value]) => [
        key,
        isObject(value) && !isHalyard ? withoutCopies(key, value, properties) : value,
      ]),
  )

/** Properties that the source copies to `$set` of every event. It writes some of them to the person only together with other changes. */
const COPIED: readonly string[] = [...FIRST_TOUCH, 'utm_name']
const BY_INITIAL_NAME = new Map(COPIED.map((name) => [initialNameOf(name), name]))
const BY_NAME = new Map(COPIED.map((name) => [name, name]))

function withoutCopies(key: string, changes: JsonObject, properties: JsonObject): JsonObject {
  const names = key === '$set' ? BY_NAME : key === '$set_once' ? BY_INITIAL_NAME : null
  if (names === null) return changes
  const isCopy = (name: string, value: JsonValue | undefined) => {
    const from = names.get(name)
    if (from === undefined || value === undefined) return false
    const own = properties[from] ?? (from === '$os' ? properties.$os_name : undefined)
    return own !== undefined && JSON.stringify(own) === JSON.stringify(value)
  }
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isCopy(name, value)))
}

/** A distinct id of each member of a cohort, sorted. @returns null where the key may not read them. */
export async function readMembers(client: Client, project: string, cohort: number): Promise<string[] | null> {
  try {
    return (await listedMembers(client, project, cohort)) ?? (await queriedMembers(client, project, cohort))
  } catch (error) {
    if (error instanceof CallError && error.status !== null && error.status !== 401 && error.status < 500)
      return null
    throw error
  }
}

/** @returns null where the API has no such list. */
async function listedMembers(client: Client, project: string, cohort: number): Promise<string[] | null> {
  const members: string[] = []
  let query: string | null = null
  do {
    let page: Awaited<ReturnType<typeof readListPage>>
    try {
      page = await readListPage(client, `${project}cohorts/${cohort}/persons/`, query)
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null
      throw error
    }
    for (const { distinct_ids: ids } of page.rows)
      if (isArray(ids) && ids.length > 0) members.push(leastOf(ids))
    query = page.next
    if (members.length > MAX_MEMBERS)
      throw new Error(`Cohort ${cohort} has more than ${MAX_MEMBERS} members.`)
  } while (query !== null)
  return members.toSorted()
}

const leastOf = (ids: readonly JsonValue[]) => ids.map(String).toSorted()[0]!

/** Returns the person of each distinct id of a cohort's members. */
export async function readPeople(
  client: Client,
  project: string,
  cohort: number,
): Promise<Map<string, string>> {
  const rows = await rowsByKey(
    client,
    project,
    (last) =>
      `SELECT distinct_id, toString(person_id) FROM person_distinct_ids WHERE ${isIn(cohort)} AND distinct_id > ${last} ORDER BY distinct_id`,
  )
  return new Map(rows.map(([id, person]) => [String(id), String(person)]))
}

async function queriedMembers(client: Client, project: string, cohort: number): Promise<string[]> {
  const rows = await rowsByKey(
    client,
    project,
    (last) =>
      `SELECT toString(person_id), min(distinct_id) FROM person_distinct_ids WHERE ${isIn(cohort)} AND toString(person_id) > ${last} ` +
      `GROUP BY person_id ORDER BY toString(person_id)`,
  )
  return rows.map(([, id]) => String(id)).toSorted()
}

const isIn = (cohort: number) =>
  `person_id IN (SELECT person_id FROM cohort_people WHERE cohort_id = ${cohort})`

/**
 * Reads all rows of a query, in pages.
 * @param queryAfter returns the query of the rows whose first column, by which they are ordered, is greater than a constant
 */
async function rowsByKey(
  client: Client,
  project: string,
  queryAfter: (last: string) => string,
): Promise<JsonValue[][]> {
  const all: JsonValue[][] = []
  for (let last = ''; ;) {
    const rows = await rowsOf(client, project, `${queryAfter(quoted(last))} LIMIT ${MEMBERS_PAGE}`)
    for (const row of rows) all.push(row)
    if (rows.length < MEMBERS_PAGE) return all
    last = String(rows.at(-1)![0])
  }
}

/** Returns those of the distinct ids that belong to persons. */
export const findPersons = (
  client: Client,
  project: string,
  distinctIds: readonly string[],
): Promise<Set<string>> =>
  findKeys(
    client,
    project,
    distinctIds,
    (ids) => `SELECT distinct_id FROM person_distinct_ids WHERE distinct_id IN (${ids})`,
  )

/** Returns those of the keys that belong to groups of a type. */
export const findGroups = (
  client: Client,
  project: string,
  typeIndex: number,
  keys: readonly string[],
): Promise<Set<string>> =>
  findKeys(
    client,
    project,
    keys,
    (list) => `SELECT key FROM groups WHERE index = ${typeIndex} AND key IN (${list})`,
  )

/** @param queryOf returns the query that finds those of a list of constants */
async function findKeys(
  client: Client,
  project: string,
  keys: readonly string[],
  queryOf: (list: string) => string,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < keys.length; at += LOOK_UP) {
    const list = keys
      .slice(at, at + LOOK_UP)
      .map(quoted)
      .join(', ')
    const rows = await rowsOf(client, project, `${queryOf(list)} LIMIT ${LOOK_UP}`)
    for (const [key] of rows) found.add(String(key))
  }
  return found
}
