import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { personDistinctIds, persons } from '../../drizzle'
import type { JsonObject } from '../json'
import type { Database } from '../storage/database'

export interface Person {
  id: number
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  /** In stored form. */
  createdAt: string
  /** All, sorted: the first one is used for bucketing when only the person is given. */
  distinctIds: string[]
}

/** For a batch; `personIn` parses the rows. */
export const selectPersonByDistinctId = (db: Database, projectId: number, distinctId: string) =>
  selectPerson(
    db,
    sql`${persons.id} = (SELECT d.person_id FROM ${personDistinctIds} d
      WHERE d.project_id = ${projectId} AND d.distinct_id = ${distinctId})`,
  )

/** For a batch; `personIn` parses the rows. */
export const selectPersonByUuid = (db: Database, projectId: number, uuid: string) =>
  selectPerson(db, and(eq(persons.projectId, projectId), eq(persons.uuid, uuid.toLowerCase()))!)

// One row per distinct id: a joined text could outgrow a column. Only the first row has the properties.
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
