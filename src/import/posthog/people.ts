// Reads persons, groups and events of a project, in pages.
import { parseExactly } from '../../http/body/exact-integers'
import { FIRST_TOUCH, initialNameOf } from '../../evaluation/property-maps'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import { CallError } from '../call'
import type { Client } from '../client'
import type { Page, Stream } from '../model'
import { readListPage } from './lists'

const EVENTS_PAGE = 1_000
const MEMBERS_PAGE = 10_000
/** Maximum members of one cohort, because a list that never ends must not fill the memory. */
const MAX_MEMBERS = 5_000_000
/** Maximum distinct ids of one query, whose text has a limit. */
const LOOK_UP = 400

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
  return {
    next,
    rows: rows.map(({ distinct_ids: ids, properties, created_at: at }) => ({
      distinct_ids: ids ?? [],
      properties: properties ?? {},
      created_at: at ?? null,
    })),
  }
}

/** @param types names of the group types by index. The cursor has the index before a colon. */
export async function readGroups(
  client: Client,
  project: string,
  types: readonly string[],
  cursor: string | null,
): Promise<Page> {
  const at = cursor?.indexOf(':') ?? -1
  const index = cursor === null ? 0 : Number(cursor.slice(0, at))
  const type = types[index]
  if (type === undefined) return { rows: [], next: null }
  const query = (cursor === null ? '' : cursor.slice(at + 1)) || null
  const path = `${project}groups/`
  const { rows, next } = await readListPage(
    client,
    query === null ? `${path}?group_type_index=${index}` : path,
    query,
  )
  return {
    rows: rows.map(({ group_key: key, group_properties: properties }) => ({
      group_type: type,
      group_key: key ?? '',
      properties: properties ?? {},
    })),
    next: next === null ? (index + 1 < types.length ? `${index + 1}:` : null) : `${index}:${next}`,
  }
}

/** Reads events in order of time. The cursor is the timestamp and the uuid of the last one. */
export async function readEvents(client: Client, project: string, cursor: string | null): Promise<Page> {
  const [time, uuid] = cursor?.split(' ') ?? []
  const after = time && uuid ? `WHERE ${isAfter(time, uuid)} ` : ''
  const rows = await rowsOf(
    client,
    project,
    `SELECT uuid, event, timestamp, distinct_id, properties, elements_chain FROM events ${after}ORDER BY timestamp, toString(uuid) LIMIT ${EVENTS_PAGE}`,
  )
  const events = rows.map(eventOf)
  const last = events.at(-1)
  const resume = last ? `${String(last.timestamp)} ${String(last.uuid)}` : cursor
  return { rows: events, next: rows.length === EVENTS_PAGE ? resume : null, resume }
}

function isAfter(time: string, uuid: string): string {
  const moment = `toDateTime64(${quoted(time)}, 6, 'UTC')`
  return `timestamp > ${moment} OR (timestamp = ${moment} AND toString(uuid) > ${quoted(uuid)})`
}

function eventOf([uuid, event, timestamp, distinctId, properties, chain]: JsonValue[]): JsonObject {
  const sent = (typeof properties === 'string' ? parseExactly(properties) : properties) as JsonValue
  return {
    uuid: uuid!,
    event: event!,
    distinct_id: distinctId!,
    timestamp: timestamp!,
    properties: {
      ...(isObject(sent) ? withoutDerived(sent) : {}),
      ...(chain ? { $elements_chain: chain } : {}),
    },
  }
}

/** Keys of groups by index come from `$groups`, and capture copies properties to the person again. */
const withoutDerived = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => !/^\$group_[0-4]$/.test(key))
      .map(([key, value]) => [key, isObject(value) ? withoutCopies(key, value, properties) : value]),
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

/** Returns all distinct ids of the persons in a cohort, sorted. */
export async function readMemberIds(client: Client, project: string, cohort: number): Promise<string[]> {
  const ids: string[] = []
  for (let last = ''; ;) {
    const rows = await rowsOf(
      client,
      project,
      `SELECT distinct_id FROM person_distinct_ids ` +
        `WHERE person_id IN (SELECT person_id FROM cohort_people WHERE cohort_id = ${cohort}) AND distinct_id > ${quoted(last)} ` +
        `ORDER BY distinct_id LIMIT ${MEMBERS_PAGE}`,
    )
    for (const [id] of rows) ids.push(String(id))
    if (rows.length < MEMBERS_PAGE) return ids
    last = ids.at(-1)!
  }
}

/** Returns those of the distinct ids that belong to persons. */
export async function findPersons(
  client: Client,
  project: string,
  distinctIds: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < distinctIds.length; at += LOOK_UP) {
    const list = distinctIds
      .slice(at, at + LOOK_UP)
      .map(quoted)
      .join(', ')
    const query = `SELECT distinct_id FROM person_distinct_ids WHERE distinct_id IN (${list}) LIMIT ${LOOK_UP}`
    for (const [id] of await rowsOf(client, project, query)) found.add(String(id))
  }
  return found
}

/** Returns those of the keys that belong to groups of a type. */
export async function findGroups(
  client: Client,
  project: string,
  typeIndex: number,
  keys: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < keys.length; at += LOOK_UP) {
    const list = keys
      .slice(at, at + LOOK_UP)
      .map(quoted)
      .join(', ')
    const query = `SELECT key FROM groups WHERE index = ${typeIndex} AND key IN (${list}) LIMIT ${LOOK_UP}`
    for (const [key] of await rowsOf(client, project, query)) found.add(String(key))
  }
  return found
}

async function queriedMembers(client: Client, project: string, cohort: number): Promise<string[]> {
  const members: string[] = []
  for (let last = ''; ;) {
    const rows = await rowsOf(
      client,
      project,
      `SELECT toString(person_id), min(distinct_id) FROM person_distinct_ids ` +
        `WHERE person_id IN (SELECT person_id FROM cohort_people WHERE cohort_id = ${cohort}) AND toString(person_id) > ${quoted(last)} ` +
        `GROUP BY person_id ORDER BY toString(person_id) LIMIT ${MEMBERS_PAGE}`,
    )
    for (const [, id] of rows) members.push(String(id))
    if (rows.length < MEMBERS_PAGE) return members.toSorted()
    last = String(rows.at(-1)![0])
  }
}
