// Who a flag is evaluated for, as storage knows them: statements for the batch that also reads the flags, and what comes of their rows.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { groups, groupTypes, persons, projects } from '../../drizzle'
import type { Subject } from '../evaluation/context'
import { groupPropertyMaps } from '../evaluation/property-maps'
import { personPropertyMap } from '../evaluation/property-maps'
import { isObject, type JsonObject } from '../json'
import { withRunningTotal, bytesOf, isWithinBytes, MAX_PAGE_BYTES } from '../storage/byte-page'
import type { Database } from '../storage/database'

/** How a caller names a person. */
export type PersonReference = { distinctId: string } | { personId: string }

/** Group type name to group key. */
export type GroupKeys = JsonObject

const personIs = (projectId: number, person: PersonReference): SQL =>
  'personId' in person
    ? and(eq(persons.projectId, projectId), eq(persons.uuid, person.personId.toLowerCase()))!
    : sql`${persons.id} = (SELECT d.person_id FROM person_distinct_ids d
        WHERE d.project_id = ${projectId} AND d.distinct_id = ${person.distinctId})`

const FIRST_DISTINCT_ID = sql`(SELECT min(d.distinct_id) FROM person_distinct_ids d WHERE d.person_id = persons.id)`

const selectPersons = (db: Database, firstDistinctId = FIRST_DISTINCT_ID) =>
  db
    .select({
      id: persons.id,
      uuid: persons.uuid,
      // As text: a row that does not parse is a fault of its own, told apart from a database that does not answer.
      properties: sql<string>`persons.properties`.as('properties_text'),
      createdAt: persons.createdAt,
      firstDistinctId: sql<string | null>`${firstDistinctId}`.as('first_distinct_id'),
      cohortIds: sql<string>`(SELECT json_group_array(m.cohort_id) FROM cohort_members m
        WHERE m.person_id = persons.id)`.as('cohort_ids'),
      overrides: sql<string>`(SELECT json_group_object(o.flag_key, o.hash_key) FROM flag_hash_key_overrides o
        WHERE o.person_id = persons.id)`.as('overrides'),
    })
    .from(persons)
    .$dynamic()

/**
 * The statement that reads a person with everything that evaluation can ask about them. Who was named by a distinct id is bucketed by
 * that one: then the smallest, which may be one of thousands, is not looked for.
 */
export const selectPerson = (db: Database, projectId: number, person: PersonReference) =>
  selectPersons(db, 'personId' in person ? undefined : sql`NULL`).where(personIs(projectId, person))

/**
 * The statement that reads the next persons of a project, in the order of their ids: at most `limit`, and as many as are within
 * MAX_PAGE_BYTES. `mayBeMore` tells whether to go on.
 */
export const selectPersonsAfter = (db: Database, projectId: number, id: number, limit: number) =>
  selectPersons(db)
    .innerJoin(
      withRunningTotal(
        sql`SELECT persons.id, ${bytesOf(persons.properties)} AS bytes FROM persons
          WHERE ${and(eq(persons.projectId, projectId), gt(persons.id, id))} ORDER BY persons.id LIMIT ${limit}`,
      ),
      sql`${persons.id} = picked.id AND ${isWithinBytes()}`,
    )
    .orderBy(persons.id)

/** Whether there may be rows after those that were read: the limit, or the size of the rows, may have ended them. */
export function mayBeMore(rows: readonly { properties: string }[], limit: number): boolean {
  const units = rows.reduce((sum, { properties }) => sum + properties.length, 0)
  // A unit of text has at most three bytes, and a row at most 500 KB.
  return rows.length === limit || units > MAX_PAGE_BYTES / 8
}

export type PersonRow = Awaited<ReturnType<typeof selectPerson>>[number]

/** The statement that reads the properties of the named groups. */
export const selectGroups = (db: Database, projectId: number, keys: GroupKeys) =>
  db
    .select({
      type: sql<string>`gt.name`.as('type_name'),
      properties: sql<string>`groups.properties`.as('properties_text'),
    })
    // From the few that are named to their rows, in the order in which it is written: a walk through all groups would be the other way.
    .from(
      sql`json_each(${JSON.stringify(textKeys(keys))}) wanted
        CROSS JOIN group_types gt ON gt.project_id = ${projectId} AND gt.name = wanted.key
        CROSS JOIN ${groups} ON groups.project_id = ${projectId} AND groups.type_index = gt.type_index
          AND groups.group_key = wanted.value`,
    )

export type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number]

/**
 * The statement that reads the next persons of a project in the order of the random end of their uuids; as many as `selectPersonsAfter`
 * would. The first of them are a sample, and the same one each time.
 * @param after the end of the uuid of the last one.
 */
export const selectSampledPersons = (db: Database, projectId: number, after: string, limit: number) =>
  selectPersons(db).innerJoin(
    withRunningTotal(
      sql`SELECT persons.id, ${bytesOf(persons.properties)} AS bytes FROM persons
        WHERE ${eq(persons.projectId, projectId)} AND substr(uuid, 25) > ${after} ORDER BY substr(uuid, 25) LIMIT ${limit}`,
    ),
    sql`${persons.id} = picked.id AND ${isWithinBytes()}`,
  )

/** The same of the groups of a type, in the order of their sample keys. */
export const selectSampledGroups = (
  db: Database,
  projectId: number,
  typeIndex: number,
  after: number,
  limit: number,
) =>
  db
    .select({
      key: groups.key,
      sampleKey: groups.sampleKey,
      properties: sql<string>`groups.properties`.as('properties_text'),
    })
    .from(groups)
    .innerJoin(
      withRunningTotal(
        sql`SELECT groups.rowid AS id, ${bytesOf(groups.properties)} AS bytes FROM groups
          WHERE ${and(eq(groups.projectId, projectId), eq(groups.typeIndex, typeIndex), gt(groups.sampleKey, after))}
          ORDER BY ${groups.sampleKey} LIMIT ${limit}`,
      ),
      sql`groups.rowid = picked.id AND ${isWithinBytes()}`,
    )

/** The statements that tell how many persons a project has, and how many groups of a type. */
export const countPersons = (db: Database, projectId: number) =>
  db.select({ total: projects.personCount }).from(projects).where(eq(projects.id, projectId))
export const countGroups = (db: Database, projectId: number, typeIndex: number) =>
  db
    .select({ total: groupTypes.groupCount })
    .from(groupTypes)
    .where(and(eq(groupTypes.projectId, projectId), eq(groupTypes.index, typeIndex)))

const textKeys = (keys: GroupKeys) =>
  Object.fromEntries(
    Object.entries(keys)
      .filter(([, key]) => typeof key === 'string' || typeof key === 'number')
      .map(([type, key]) => [type, String(key)]),
  )

/** What a request says of its subject beyond naming it. */
export interface Sent {
  distinctId: string
  groups?: GroupKeys
  personProperties?: JsonObject
  groupProperties?: Readonly<Record<string, JsonObject>>
  anonDistinctId?: string | null
  deviceId?: string | null
}

/** Raised for a stored person or group whose properties do not parse. */
export class UnreadableProperties extends Error {
  override readonly name = 'UnreadableProperties'
}

/** Properties as they are stored. @throws UnreadableProperties. */
export function parseProperties(text: string): JsonObject {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // Told below, together with JSON that is no object.
  }
  if (!isObject(value)) throw new UnreadableProperties('stored properties are not a JSON object')
  return value
}

/**
 * The subject of an evaluation: what is stored of the person and the groups, overlaid by what the request sends.
 * Somebody without a record has the properties that were sent and no others.
 * @throws UnreadableProperties.
 */
export function subjectFrom(person: PersonRow | undefined, groupRows: GroupRow[], sent: Sent): Subject {
  const stored = person ? parseProperties(person.properties) : {}
  const storedGroups = Object.fromEntries(groupRows.map((row) => [row.type, parseProperties(row.properties)]))
  const keys = sent.groups ?? {}
  return {
    distinctId: sent.distinctId,
    anonDistinctId: sent.anonDistinctId,
    deviceId: sent.deviceId,
    personProperties: personPropertyMap(stored, sent.personProperties ?? {}, sent.distinctId),
    personCreatedAt: person?.createdAt ?? null,
    groups: keys,
    groupProperties: groupPropertyMaps(keys, storedGroups, sent.groupProperties ?? {}),
    staticCohorts: new Set(person ? (JSON.parse(person.cohortIds) as number[]) : []),
    continuityOverrides: new Map(
      Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {}),
    ),
  }
}
