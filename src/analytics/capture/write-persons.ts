// The statements that write persons: new ones, changed ones, and those that became part of another.
import { inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { cohortMembers, flagHashKeyOverrides, personDistinctIds, persons } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { jsonParameters } from './json-parameters'
import type { PersonChanges } from './person-changes'

/**
 * Statements for the batch that writes the events. Two requests that see a distinct id for the first time collide on its primary
 * key, and one of them decides anew.
 */
export const writePersons = (
  db: Database,
  projectId: number,
  { rows, newDistinctIds, merges }: PersonChanges,
): BatchItem<'sqlite'>[] => [
  ...jsonParameters(rows).map((json) =>
    db
      .insert(persons)
      .select(
        sql`SELECT NULL, ${projectId}, value ->> '$.uuid', value -> '$.properties', value ->> '$.isIdentified',
          value ->> '$.createdAt', 0 FROM json_each(${json}) WHERE true`,
      )
      .onConflictDoUpdate({
        target: [persons.projectId, persons.uuid],
        set: {
          properties: sql`excluded.properties`,
          isIdentified: sql`excluded.is_identified`,
          createdAt: sql`excluded.created_at`,
          version: sql`${persons.version} + 1`,
        },
      }),
  ),
  ...jsonParameters(newDistinctIds).map((json) =>
    db.insert(personDistinctIds).select(
      sql`SELECT ${projectId}, n.value ->> '$.distinctId', p.id, p.uuid FROM json_each(${json}) n
        CROSS JOIN ${persons} p ON p.project_id = ${projectId} AND p.uuid = (n.value ->> '$.personUuid')`,
    ),
  ),
  ...(merges.length ? mergePersons(db, projectId, merges) : []),
]

/** Moves what hangs on merged persons; where the surviving person has the same, that stays. Then the merged ones go. */
function mergePersons(
  db: Database,
  projectId: number,
  merges: PersonChanges['merges'],
): BatchItem<'sqlite'>[] {
  const moves = sql`(SELECT p.id AS target, p.uuid, m.value ->> '$.personId' AS source
    FROM json_each(${JSON.stringify(merges)}) m
    CROSS JOIN persons p ON p.project_id = ${projectId} AND p.uuid = (m.value ->> '$.intoUuid')) AS moves`
  const mergedIds = sql`(SELECT value FROM json_each(${JSON.stringify(merges.map(({ personId }) => personId))}))`
  return [
    db
      .update(personDistinctIds)
      .set({ personId: sql`moves.target`, personUuid: sql`moves.uuid` })
      .from(moves)
      .where(sql`${personDistinctIds.personId} = moves.source`),
    db
      .insert(cohortMembers)
      .select(
        sql`SELECT c.cohort_id, moves.target FROM ${moves}
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
