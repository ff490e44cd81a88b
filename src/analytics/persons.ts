// Persons, as others ask for them: by one of their distinct ids, or by their uuid.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { personDistinctIds, persons } from '../../drizzle'
import type { JsonObject } from '../json'
import type { Database } from '../storage/database'

export interface Person {
  id: number
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  /** In the stored form. */
  createdAt: string
  /** All of them, sorted: the first is what a person is bucketed by when only the person is named. */
  distinctIds: string[]
}

/** The statement behind `personByDistinctId`, for a batch; `personIn` reads its result. */
export const selectPersonByDistinctId = (db: Database, projectId: number, distinctId: string) =>
  selectPerson(
    db,
    sql`${persons.id} = (SELECT d.person_id FROM ${personDistinctIds} d
      WHERE d.project_id = ${projectId} AND d.distinct_id = ${distinctId})`,
  )

/** The statement behind `personByUuid`, for a batch; `personIn` reads its result. */
export const selectPersonByUuid = (db: Database, projectId: number, uuid: string) =>
  selectPerson(db, and(eq(persons.projectId, projectId), eq(persons.uuid, uuid.toLowerCase()))!)

/** The person that a distinct id belongs to, or null. One round trip. */
export const personByDistinctId = (
  db: Database,
  projectId: number,
  distinctId: string,
): Promise<Person | null> => selectPersonByDistinctId(db, projectId, distinctId).then(personIn)

/** The person with a uuid, or null. One round trip. */
export const personByUuid = (db: Database, projectId: number, uuid: string): Promise<Person | null> =>
  selectPersonByUuid(db, projectId, uuid).then(personIn)

// A row for each distinct id, because text put together of them could outgrow what a column may hold. Properties come with the first only.
const selectPerson = (db: Database, which: SQL) =>
  db
    .select({
      id: persons.id,
      uuid: persons.uuid,
      properties: sql<
        string | null
      >`CASE WHEN row_number() OVER (ORDER BY person_distinct_ids.distinct_id) = 1
        THEN persons.properties END`.as('properties'),
      isIdentified: persons.isIdentified,
      createdAt: persons.createdAt,
      distinctId: personDistinctIds.distinctId,
    })
    .from(persons)
    .leftJoin(personDistinctIds, eq(personDistinctIds.personId, persons.id))
    .where(which)
    .orderBy(asc(personDistinctIds.distinctId))

/** The person in the rows of one of these statements; null when there is none. */
export function personIn(rows: Awaited<ReturnType<typeof selectPerson>>): Person | null {
  const [first] = rows
  if (!first) return null
  const { distinctId: _distinctId, properties, ...person } = first
  return {
    ...person,
    properties: JSON.parse(properties!) as JsonObject,
    distinctIds: rows.flatMap(({ distinctId }) => distinctId ?? []),
  }
}
