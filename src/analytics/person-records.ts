// Persons as the API shows them, from the main database.
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { persons } from '../../drizzle'
import { invalid, notFound } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime, digits, pageQuery } from '../http/fields'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../storage/byte-page'
import type { Database } from '../storage/database'
import { toApiTimestamp } from '../timestamps'
import { personIs } from './evaluation-subject'

export const PersonRecord = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    name: z.string(),
    distinct_ids: z.array(z.string()),
    properties: z.record(z.string(), z.unknown()),
    created_at: dateTime(),
  })
  .meta({ id: 'Person' })
export type PersonRecord = z.output<typeof PersonRecord>

export const PersonRecordDocs = (): SchemaDocs => ({
  description: 'A person whom events and flags are about. Read-only: capture writes persons.',
  fields: {
    id: 'Numeric id of the person.',
    uuid: 'Uuid of the person, which queries call `person_id`.',
    name: 'The first of the properties `email`, `name` and `username` that has text, else a distinct id.',
    distinct_ids: 'Distinct ids of the person, sorted: at most 10 in lists and 2,500 in a single record.',
    properties: 'Properties of the person.',
    created_at: 'Time when the person was first seen (ISO 8601, UTC).',
  },
  example: personExample(),
})

export const personExample = (): PersonRecord => ({
  id: 1,
  uuid: '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21',
  name: 'grace@example.com',
  distinct_ids: ['user-3'],
  properties: { email: 'grace@example.com' },
  created_at: '2026-03-20T08:28:45.440000Z',
})

export const MAX_IDS_IN_LIST = 10
const MAX_IDS_IN_RECORD = 2_500

export const PersonQuery = z.object({
  distinct_id: z.string().optional(),
  search: z.string().optional(),
  cursor: digits({ min: 1 }).optional(),
  limit: pageQuery.limit,
})

export const PersonPage = z
  .object({ next: z.string().nullable(), previous: z.null(), results: z.array(PersonRecord) })
  .meta({ id: 'PersonCursorPage' })

export const PersonPageDocs = (): SchemaDocs => ({
  description: 'A page of persons. It has no count: counting would read every person.',
  fields: {
    next: 'URL of the next page; null on the last.',
    previous: 'Always null.',
    results: 'The persons of this page, newest first.',
  },
  example: {},
})

/** @param maxIds distinct ids of each person */
export const personColumns = (maxIds: number) => ({
  id: persons.id,
  uuid: persons.uuid,
  properties: persons.properties,
  created_at: persons.createdAt,
  distinctIds:
    sql<string>`(SELECT json_group_array(d.distinct_id) FROM (SELECT distinct_id FROM person_distinct_ids
    WHERE person_id = persons.id ORDER BY distinct_id LIMIT ${maxIds}) d)`.as('distinct_ids'),
})

type PersonRow = Pick<typeof persons.$inferSelect, 'id' | 'uuid' | 'properties'> & {
  created_at: string
  distinctIds: string
}

export function personRecordFrom({
  id,
  uuid,
  properties,
  created_at: createdAt,
  distinctIds,
}: PersonRow): PersonRecord {
  const ids = JSON.parse(distinctIds) as string[]
  return {
    id,
    uuid,
    name: nameIn(properties) ?? ids[0] ?? uuid,
    distinct_ids: ids,
    properties,
    created_at: toApiTimestamp(createdAt),
  }
}

const NAMES = ['email', 'Email', '$email', 'name', 'Name', 'username', 'Username', 'UserName']

const nameIn = (properties: Record<string, unknown>): string | undefined =>
  NAMES.map((key) => properties[key]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  )

/**
 * Lists a page of persons, newest first.
 * @param url of the request, for the link to the next page
 * @throws 400 for filters that would read every person
 */
export async function listPersons(
  db: Database,
  projectId: number,
  query: z.output<typeof PersonQuery>,
  url: URL,
): Promise<z.output<typeof PersonPage>> {
  const { cursor, distinct_id: distinctId, search, limit } = query
  if (distinctId !== undefined && search && search !== distinctId)
    throw invalid('search', 'Both search and distinct_id name one person: send one of them.')
  const wanted = distinctId ?? (search || undefined)
  const condition = and(
    eq(persons.projectId, projectId),
    wanted === undefined ? undefined : personIs(projectId, { distinctId: wanted }),
    cursor === undefined ? undefined : lt(persons.id, cursor),
  )
  const [rows, [oldest]] = await db.batch([
    db
      .select({ place: sql<number>`picked.place`.as('place'), ...personColumns(MAX_IDS_IN_LIST) })
      .from(persons)
      .innerJoin(
        withRunningTotal(sql`SELECT persons.id, ${bytesOf(persons.properties)} AS bytes FROM persons
          WHERE ${condition} ORDER BY ${desc(persons.id)} LIMIT ${limit}`),
        sql`${persons.id} = picked.id AND ${isWithinBytes()}`,
      ),
    db
      .select({ id: sql<number | null>`min(${persons.id})`.as('oldest') })
      .from(persons)
      .where(eq(persons.projectId, projectId)),
  ])
  const page = sortByPlace(rows)
  const last = page.at(-1)
  const isMore = wanted === undefined && last !== undefined && last.id > (oldest?.id ?? 0)
  return {
    next: isMore ? linkTo(url, String(last.id)) : null,
    previous: null,
    results: page.map(personRecordFrom),
  }
}

/** Returns the request's URL with another position in the list. */
export function linkTo(url: URL, cursor: string): string {
  const link = new URL(url)
  link.searchParams.delete('personal_api_key')
  link.searchParams.set('cursor', cursor)
  return link.href
}

/**
 * @param id numeric or a uuid.
 * @throws 404.
 */
export async function getPerson(db: Database, projectId: number, id: string): Promise<PersonRecord> {
  const which = personById(projectId, id)
  if (!which) throw notFound()
  const [row] = await db.select(personColumns(MAX_IDS_IN_RECORD)).from(persons).where(which)
  if (!row) throw notFound()
  return personRecordFrom(row)
}

/** SQL condition on the person. Returns null when the id is neither numeric nor a uuid. */
export function personById(projectId: number, id: string): SQL | null {
  const isOurs = eq(persons.projectId, projectId)
  if (/^\d{1,15}$/.test(id)) return and(isOurs, eq(persons.id, Number(id)))!
  return z.guid().safeParse(id).success ? and(isOurs, eq(persons.uuid, id.toLowerCase()))! : null
}
