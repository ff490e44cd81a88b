// What a project's databases hold, in one form for all of them.
import { Buffer } from 'node:buffer'
import { env } from 'cloudflare:workers'
import type { Warehouse } from '../support/warehouse'

export interface StoredEvent {
  uuid: string
  event: string
  distinctId: string
  timestamp: string
  /** A digest. */
  properties: string
}

interface StoredPeople {
  /** Distinct ids, each with all of its person's, and a digest of the person's properties. */
  people: [distinctId: string, all: string[], properties: string, isIdentified: boolean][]
  /** With digests of their properties. */
  groups: [key: string, properties: string][]
}

interface Stored extends StoredPeople {
  events: StoredEvent[]
}

type Rows = (sql: string) => Promise<unknown[][]>

async function digest(document: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(sorted(document)))
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}

const eventsFrom = (rows: readonly unknown[][]): Promise<StoredEvent[]> =>
  Promise.all(
    rows.map(async ([uuid, event, distinctId, timestamp, properties]) => ({
      uuid: String(uuid),
      event: String(event),
      distinctId: String(distinctId),
      timestamp: String(timestamp).replace(' ', 'T').replace('Z', ''),
      properties: await digest(JSON.parse(String(properties))),
    })),
  )

async function peopleFrom(
  rows: Rows,
  { persons, distinctIds, groups }: Record<'persons' | 'distinctIds' | 'groups', string>,
): Promise<StoredPeople> {
  const ids = (await rows(distinctIds)) as [string, string][]
  const byPerson = Map.groupBy(ids, ([, uuid]) => uuid)
  const known = new Map(
    ((await rows(persons)) as [string, string, unknown][]).map(([uuid, ...person]) => [uuid, person]),
  )
  return {
    people: await Promise.all(
      ids.map(async ([distinctId, uuid]): Promise<StoredPeople['people'][number]> => {
        const [properties = '"nobody"', isIdentified] = known.get(uuid) ?? []
        const all = byPerson.get(uuid)!.map(([each]) => each)
        return [distinctId, all, await digest(JSON.parse(properties)), Boolean(isIdentified)]
      }),
    ),
    groups: await Promise.all(
      ((await rows(groups)) as [string, string][]).map(
        async ([key, properties]): Promise<StoredPeople['groups'][number]> => [
          key,
          await digest(JSON.parse(properties)),
        ],
      ),
    ),
  }
}

/** The source of truth of persons and groups. */
export const peopleInMain = (projectId: number): Promise<StoredPeople> =>
  peopleFrom((sql) => env.DB.prepare(sql).bind(projectId).raw(), {
    persons: 'SELECT uuid, properties, is_identified FROM persons WHERE project_id = ?',
    distinctIds: `SELECT d.distinct_id, p.uuid FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
      WHERE d.project_id = ? ORDER BY 1`,
    groups: 'SELECT group_key, properties FROM groups WHERE project_id = ? ORDER BY 1',
  })

export async function storedInShard(projectId: number): Promise<Stored> {
  const rows: Rows = (sql) => env.EVENTS.prepare(sql).bind(projectId).raw()
  return {
    events: await eventsFrom(
      await rows(
        'SELECT uuid, event, distinct_id, timestamp, json(properties) FROM events WHERE project_id = ? ORDER BY uuid',
      ),
    ),
    ...(await peopleFrom(rows, {
      persons:
        'SELECT uuid, json(properties), is_identified FROM persons WHERE project_id = ? AND NOT is_deleted',
      distinctIds: 'SELECT distinct_id, person_uuid FROM person_distinct_ids WHERE project_id = ? ORDER BY 1',
      groups: 'SELECT group_key, json(properties) FROM groups WHERE project_id = ? ORDER BY 1',
    })),
  }
}

export async function storedInClickhouse({ rows }: Warehouse, projectId: number): Promise<Stored> {
  const of = `FINAL WHERE project_id = ${projectId}`
  return {
    events: await eventsFrom(
      await rows(
        `SELECT uuid, event, distinct_id, toString(timestamp), properties FROM events ${of} ORDER BY uuid`,
      ),
    ),
    ...(await peopleFrom(rows, {
      persons: `SELECT id, properties, is_identified FROM persons ${of}`,
      distinctIds: `SELECT distinct_id, person_id FROM person_distinct_ids ${of} ORDER BY 1`,
      groups: `SELECT key, properties FROM groups ${of} ORDER BY 1`,
    })),
  }
}
