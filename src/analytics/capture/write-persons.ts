import { inArray, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { cohortMembers, flagHashKeyOverrides, personDistinctIds, persons } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { jsonParameters } from '../../storage/json-parameters'
import type { PersonChanges } from './person-changes'

/**
 * Statements that write and merge persons. Two requests with the same new distinct id conflict on its primary key, and one of them retries.
 */
export const writePersons = (
  db: Database,
  projectId: number,
  { rows, newDistinctIds, merges }: PersonChanges,
  version: SQL,
): BatchItem<'sqlite'>[] => [
  ...jsonParameters(rows).map((json) =>
    db
      .insert(persons)
      .select(
        sql`SELECT NULL, ${projectId}, value ->> '$.uuid', value -> '$.properties', value ->> '$.isIdentified',
          value ->> '$.createdAt', ${version}, value ->> '$.distinctIdCount' FROM json_each(${json}) WHERE true`,
      )
      .onConflictDoUpdate({
        target: [persons.projectId, persons.uuid],
        set: {
          properties: sql`excluded.properties`,
          isIdentified: sql`excluded.is_identified`,
          createdAt: sql`excluded.created_at`,
          version: sql`excluded.version`,
          distinctIdCount: sql`excluded.distinct_id_count`,
        },
      }),
  ),
  ...jsonParameters(newDistinctIds).map((json) =>
    db.insert(personDistinctIds).select(
      sql`SELECT ${projectId}, n.value ->> '$.distinctId', p.id, ${version} FROM json_each(${json}) n
        CROSS JOIN ${persons} p ON p.project_id = ${projectId} AND p.uuid = (n.value ->> '$.personUuid')`,
    ),
  ),
  ...(merges.length ? mergePersons(db, projectId, merges, version) : []),
]

/** A distinct id or membership that moves to another person in a merge. */
export interface Move {
  personId: number
  intoUuid: string
  /** Either `distinctId` or `cohortId` is null. */
  distinctId: string | null
  cohortId: number | null
}

/** Selects the rows that merges move. It has to run before `writePersons`. */
export const selectMoves = (db: Database, merges: PersonChanges['merges']) => {
  const merged = sql`json_each(${JSON.stringify(merges)}) m`
  return db
    .select({
      personId: sql<number>`m.value ->> '$.personId'`.as('person_id'),
      intoUuid: sql<string>`m.value ->> '$.intoUuid'`.as('into_uuid'),
      distinctId: sql<string | null>`moved.distinct_id`.as('distinct_id'),
      cohortId: sql<number | null>`moved.cohort_id`.as('cohort_id'),
    })
    .from(
      sql`${merged} CROSS JOIN (SELECT person_id, distinct_id, NULL AS cohort_id FROM person_distinct_ids
        UNION ALL SELECT person_id, NULL, cohort_id FROM cohort_members) moved
        ON moved.person_id = (m.value ->> '$.personId')`,
    )
}

/** Moves dependents of merged persons, except duplicates, and deletes the persons. */
function mergePersons(
  db: Database,
  projectId: number,
  merges: PersonChanges['merges'],
  version: SQL,
): BatchItem<'sqlite'>[] {
  const moves = sql`(SELECT p.id AS target, m.value ->> '$.personId' AS source
    FROM json_each(${JSON.stringify(merges)}) m
    CROSS JOIN persons p ON p.project_id = ${projectId} AND p.uuid = (m.value ->> '$.intoUuid')) AS moves`
  const mergedIds = sql`(SELECT value FROM json_each(${JSON.stringify(merges.map(({ personId }) => personId))}))`
  return [
    db
      .update(personDistinctIds)
      .set({ personId: sql`moves.target`, version })
      .from(moves)
      .where(sql`${personDistinctIds.personId} = moves.source`),
    db
      .insert(cohortMembers)
      .select(
        sql`SELECT c.cohort_id, moves.target, ${version} FROM ${moves}
          CROSS JOIN cohort_members c ON c.person_id = moves.source WHERE true`,
      )
      .onConflictDoNothing(),
    db
      .insert(flagHashKeyOverrides)
      .select(
        sql`SELECT moves.target, o.project_id, o.flag_key, o.hash_key FROM ${moves}
          CROSS JOIN flag_hash_key_overrides o ON o.person_id = moves.source WHERE true`,
      )
      .onConflictDoNothing(),
    db.delete(persons).where(inArray(persons.id, mergedIds)),
  ]
}
