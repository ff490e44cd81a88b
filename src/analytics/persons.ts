import { asc, eq, sql } from 'drizzle-orm'
import { personDistinctIds, persons } from '../../drizzle'
import type { JsonObject } from '../json'
import type { Database } from '../storage/database'
import type { PersonRow } from './capture/person-changes'
import { personIs, type PersonReference } from './evaluation-subject'

export interface Person extends Omit<PersonRow, 'distinctIdCount'> {
  id: number
  /** All distinct ids, sorted. When only the person is given, the first one is used for bucketing. */
  distinctIds: string[]
}

/**
 * The statement that reads a person, for a batch; `personIn` parses its rows. There is one row per distinct id, because a joined text
 * could exceed the limit of a column. Only the first row has the properties.
 */
export const selectPersonWithIds = (db: Database, projectId: number, person: PersonReference) =>
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
    .where(personIs(projectId, person))
    .orderBy(asc(personDistinctIds.distinctId))

export function personIn(rows: Awaited<ReturnType<typeof selectPersonWithIds>>): Person | null {
  const [first] = rows
  if (!first) return null
  const { distinctId: _distinctId, properties, ...person } = first
  return {
    ...person,
    properties: JSON.parse(properties!) as JsonObject,
    distinctIds: rows.flatMap(({ distinctId }) => distinctId ?? []),
  }
}
