import { sql } from 'drizzle-orm'
import { projects } from '../../../drizzle'
import { eq } from 'drizzle-orm'
import type { JsonObject } from '../../json'
import type { GroupName } from '../../outbox/task'
import type { Database } from '../../storage/database'
import { type IngestionRows, noRows } from '../../outbox/ingestion-rows'

/**
 * Reads current copies of persons, with distinct ids and memberships, and of groups.
 * @param persons uuids; an unknown one gives a tombstone
 */
export async function readPeopleCopies(
  db: Database,
  projectId: number,
  { persons, groups }: { persons: readonly string[]; groups: readonly GroupName[] },
): Promise<IngestionRows> {
  const uuids = sql`json_each(${JSON.stringify(persons)}) wanted`
  const person = sql`CROSS JOIN persons p ON p.project_id = ${projectId} AND p.uuid = wanted.value`
  const [[project], personRows, distinctIdRows, memberRows, groupRows] = await db.batch([
    db.select({ version: projects.peopleVersion }).from(projects).where(eq(projects.id, projectId)),
    db
      .select({
        uuid: sql<string>`wanted.value`.as('uuid'),
        isIdentified: sql<number | null>`p.is_identified`.as('is_identified'),
        createdAt: sql<string | null>`p.created_at`.as('created_at'),
        version: sql<number | null>`p.version`.as('version'),
        properties: sql<string | null>`p.properties`.as('properties'),
      })
      .from(sql`${uuids} LEFT JOIN persons p ON p.project_id = ${projectId} AND p.uuid = wanted.value`),
    db
      .select({
        distinctId: sql<string>`d.distinct_id`.as('distinct_id'),
        personUuid: sql<string>`p.uuid`.as('uuid'),
        version: sql<number>`d.version`.as('version'),
      })
      .from(sql`${uuids} ${person} CROSS JOIN person_distinct_ids d ON d.person_id = p.id`),
    db
      .select({
        cohortId: sql<number>`m.cohort_id`.as('cohort_id'),
        personUuid: sql<string>`p.uuid`.as('uuid'),
        version: sql<number>`m.version`.as('version'),
      })
      .from(sql`${uuids} ${person} CROSS JOIN cohort_members m ON m.person_id = p.id`),
    db
      .select({
        typeIndex: sql<number>`g.type_index`.as('type_index'),
        key: sql<string>`g.group_key`.as('group_key'),
        createdAt: sql<string>`g.created_at`.as('created_at'),
        version: sql<number>`g.version`.as('version'),
        properties: sql<string>`g.properties`.as('properties'),
      })
      .from(
        sql`json_each(${JSON.stringify(groups)}) wanted CROSS JOIN groups g ON g.project_id = ${projectId}
          AND g.type_index = (wanted.value ->> '$.typeIndex') AND g.group_key = (wanted.value ->> '$.key')`,
      ),
  ])
  const now = project?.version ?? 0
  return {
    ...noRows(),
    persons: personRows.map(({ uuid, isIdentified, createdAt, version, properties }) => ({
      uuid,
      isIdentified: isIdentified === 1,
      createdAt: createdAt ?? GONE_AT,
      version: version ?? now,
      isDeleted: properties === null,
      properties: properties === null ? {} : (JSON.parse(properties) as JsonObject),
    })),
    distinctIds: distinctIdRows,
    cohortPeople: memberRows.map((row) => ({ ...row, isDeleted: false })),
    groups: groupRows.map((row) => ({ ...row, properties: JSON.parse(row.properties) as JsonObject })),
  }
}

/** Unused in a tombstone. */
const GONE_AT = '1970-01-01T00:00:00.000000Z'
