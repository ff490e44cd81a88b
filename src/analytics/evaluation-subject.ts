// Reads the person and groups for which flags are evaluated.
import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { groups, groupTypes, persons, projects } from '../../drizzle'
import type { CompiledFlagSet } from '../evaluation/compile/compiled'
import type { Subject } from '../evaluation/context'
import { groupPropertyMaps, personPropertyMap } from '../evaluation/property-maps'
import { textOf } from '../evaluation/values/text'
import { isObject, type JsonObject } from '../json'
import {
  withRunningTotal,
  withRunningTotalAndCount,
  bytesOf,
  isWithinBytes,
  MAX_PAGE_BYTES,
} from '../storage/byte-page'
import type { Database } from '../storage/database'

export type PersonReference = { distinctId: string } | { personId: string }

/** Group keys by the name of the group type. */
export type GroupKeys = JsonObject

export const personIs = (projectId: number, person: PersonReference): SQL =>
  'personId' in person
    ? and(eq(persons.projectId, projectId), eq(persons.uuid, person.personId.toLowerCase()))!
    : sql`${persons.id} = (SELECT d.person_id FROM person_distinct_ids d
        WHERE d.project_id = ${projectId} AND d.distinct_id = ${person.distinctId})`

const FIRST_DISTINCT_ID = sql`(SELECT min(d.distinct_id) FROM person_distinct_ids d WHERE d.person_id = persons.id)`

const cohortIdsOf = (personId: SQL) =>
  sql<string>`(SELECT json_group_array(m.cohort_id) FROM cohort_members m WHERE m.person_id = ${personId})`

const overridesOf = (personId: SQL) =>
  sql<string>`(SELECT json_group_object(o.flag_key, o.hash_key) FROM flag_hash_key_overrides o
    WHERE o.person_id = ${personId})`

/** Bytes that a membership takes, and a stored identifier besides its texts. */
const MEMBERSHIP_BYTES = 16
const OVERRIDE_BYTES = 50

/** The rows of other tables that a page of persons reads with each person. */
export interface RelatedRows {
  /** Whether memberships of static cohorts may decide. Without them, no person has any. */
  needsCohorts: boolean
  /** Whether identifiers that are stored for continuity may decide. Without them, no person has any. */
  needsOverrides: boolean
}

const ALL_RELATED: RelatedRows = { needsCohorts: true, needsOverrides: true }

/** Returns what the definitions of a set read with each person. */
export const relatedRowsOf = ({ flags, cohorts }: CompiledFlagSet): RelatedRows => ({
  needsCohorts: [...cohorts.values()].some(({ root }) => root === null),
  needsOverrides: flags.some(({ continuity }) => continuity),
})

/** SQL of the bytes of a person in a page. */
const personBytes = ({ needsCohorts, needsOverrides }: RelatedRows): SQL =>
  sql`${bytesOf(persons.properties)}${needsCohorts ? sql` + (SELECT count(*) * ${MEMBERSHIP_BYTES} FROM cohort_members m WHERE m.person_id = persons.id)` : sql``}${
    needsOverrides
      ? sql` + (SELECT coalesce(sum(octet_length(o.flag_key) + octet_length(o.hash_key) + ${OVERRIDE_BYTES}), 0)
          FROM flag_hash_key_overrides o WHERE o.person_id = persons.id)`
      : sql``
  }`

const selectPersons = (
  db: Database,
  firstDistinctId = FIRST_DISTINCT_ID,
  { needsCohorts, needsOverrides } = ALL_RELATED,
  found = sql`1`,
) =>
  db
    .select({
      id: persons.id,
      uuid: persons.uuid,
      // Properties are read as text, so that an invalid document differs from a failure of the database.
      properties: sql<string>`persons.properties`.as('properties_text'),
      firstDistinctId: sql<string | null>`${firstDistinctId}`.as('first_distinct_id'),
      cohortIds: (needsCohorts ? cohortIdsOf(sql`persons.id`) : sql<string>`'[]'`).as('cohort_ids'),
      overrides: (needsOverrides ? overridesOf(sql`persons.id`) : sql<string>`'{}'`).as('overrides'),
      found: sql<number>`${found}`.as('found_rows'),
    })
    .from(persons)
    .$dynamic()

/**
 * Selects a person with everything that evaluation needs. A given distinct id is used for bucketing. Without one, the smallest of
 * possibly thousands is read.
 */
export const selectPerson = (db: Database, projectId: number, person: PersonReference) =>
  selectPersons(db, 'personId' in person ? undefined : sql`NULL`).where(personIs(projectId, person))

/** Selects the next persons by id, at most `limit` of them and MAX_PAGE_BYTES. `mayBeMore` says whether others may follow. */
export const selectPersonsAfter = (
  db: Database,
  projectId: number,
  related: RelatedRows,
  id: number,
  limit: number,
) =>
  selectPersonPage(
    db,
    related,
    sql`WHERE ${and(eq(persons.projectId, projectId), gt(persons.id, id))} ORDER BY persons.id LIMIT ${limit}`,
  ).orderBy(persons.id)

/** Selects persons in the other direction: the newest ones, or those before `id`. */
export const selectPersonsBefore = (
  db: Database,
  projectId: number,
  related: RelatedRows,
  id: number | null,
  limit: number,
) =>
  selectPersonPage(
    db,
    related,
    sql`WHERE ${and(eq(persons.projectId, projectId), id === null ? undefined : lt(persons.id, id))} ORDER BY persons.id DESC LIMIT ${limit}`,
  ).orderBy(desc(persons.id))

function selectPersonPage(db: Database, related: RelatedRows, which: SQL) {
  const page = sql`SELECT persons.id, ${personBytes(related)} AS bytes FROM persons ${which}`
  // Counting reads each row once more. Without related rows, the size of properties says whether a page ended early.
  const isCounted = related.needsCohorts || related.needsOverrides
  return selectPersons(db, undefined, related, isCounted ? sql`picked.found` : sql`0`).innerJoin(
    isCounted ? withRunningTotalAndCount(page) : withRunningTotal(page),
    sql`${persons.id} = picked.id AND ${isWithinBytes()}`,
  )
}

/** Whether rows may follow, because the limit or the size of rows may have ended the page. */
export function mayBeMore(rows: readonly { properties: string; found?: number }[], limit: number): boolean {
  const units = rows.reduce((sum, { properties }) => sum + properties.length, 0)
  // A UTF-16 unit has at most three bytes, and properties at most 500 KB.
  return rows.length === limit || units > MAX_PAGE_BYTES / 8 || rows.length < (rows[0]?.found ?? 0)
}

export type PersonRow = Awaited<ReturnType<typeof selectPerson>>[number]

export const selectGroups = (db: Database, projectId: number, keys: GroupKeys) =>
  db
    .select({
      type: sql<string>`gt.name`.as('type_name'),
      properties: sql<string>`groups.properties`.as('properties_text'),
    })
    .from(groupsWithKeys(projectId, JSON.stringify(textKeys(keys))))

/**
 * SQL that looks up the groups of a few keys. The other join order would read all groups.
 * @param keys by name of the group type, as JSON
 */
const groupsWithKeys = (projectId: number, keys: string): SQL =>
  sql`json_each(${keys}) wanted
    CROSS JOIN group_types gt ON gt.project_id = ${projectId} AND gt.name = wanted.key
    CROSS JOIN ${groups} ON groups.project_id = ${projectId} AND groups.type_index = gt.type_index
      AND groups.group_key = wanted.value`

export type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number]

/** Distinct ids and groups for which flags are evaluated, and the stored data that may decide. */
export interface SubjectQuery extends RelatedRows {
  distinctIds: readonly string[]
  personKeys: readonly string[]
  groups: GroupKeys
  groupKeys: readonly string[]
}

export interface StoredSubject {
  /** Persons by distinct id. */
  persons: ReadonlyMap<string, SubjectPerson>
  groups: GroupRow[]
}

/** A stored person. `properties` has those that the query names, and possibly others. */
export type SubjectPerson = Pick<PersonRow, 'id' | 'properties' | 'cohortIds' | 'overrides'>

interface SubjectRow extends SubjectPerson {
  kind: 'person' | 'group'
  name: string
}

const personTerm = (
  projectId: number,
  query: SubjectQuery,
) => sql`SELECT 'person' AS kind, d.distinct_id AS name, p.id AS id,
  ${propertiesNamed('p.properties', query.personKeys)} AS properties,
  ${query.needsCohorts ? cohortIdsOf(sql`p.id`) : sql`'[]'`} AS cohortIds,
  ${query.needsOverrides ? overridesOf(sql`p.id`) : sql`'{}'`} AS overrides
  FROM json_each(${JSON.stringify(query.distinctIds)}) wanted
  CROSS JOIN person_distinct_ids d ON d.project_id = ${projectId} AND d.distinct_id = wanted.value
  CROSS JOIN persons p ON p.id = d.person_id`

const groupTerm = (
  projectId: number,
  query: SubjectQuery,
) => sql`SELECT 'group' AS kind, gt.name AS name, 0 AS id,
  ${propertiesNamed('groups.properties', query.groupKeys)} AS properties, '[]' AS cohortIds, '{}' AS overrides
  FROM ${groupsWithKeys(projectId, JSON.stringify(textKeys(query.groups)))}`

/** Reads persons and groups in one statement, or nothing without distinct ids and groups. */
export async function readSubject(
  db: Database,
  projectId: number,
  query: SubjectQuery,
): Promise<StoredSubject> {
  const terms = [
    ...(query.distinctIds.length > 0 ? [personTerm(projectId, query)] : []),
    ...(Object.keys(query.groups).length > 0 ? [groupTerm(projectId, query)] : []),
  ]
  if (terms.length === 0) return { persons: new Map(), groups: [] }
  const rows = await db.all<SubjectRow>(sql.join(terms, sql` UNION ALL `))
  return {
    persons: new Map(rows.filter(({ kind }) => kind === 'person').map((row) => [row.name, row])),
    groups: rows
      .filter(({ kind }) => kind === 'group')
      .map(({ name, properties }) => ({ type: name, properties })),
  }
}

/** When more properties than this are needed, the whole document is read. */
const MAX_NAMED_PROPERTIES = 100
/** Whether a name can be the label of a JSON path without escapes. */
const isPlain = (name: string) => JSON.stringify(name) === `"${name}"`

/**
 * Returns JSON paths of the names. Returns null when there are many names, or some that JSON escapes: then the whole document is read.
 */
const pathsOf = (names: readonly string[]): string | null =>
  names.length > MAX_NAMED_PROPERTIES || !names.every(isPlain)
    ? null
    : JSON.stringify(Object.fromEntries(names.map((name) => [name, `$."${name}"`])))

/**
 * SQL of the named members of a document as a JSON object, because a document may have 500 KB. For a document that is no object it is
 * JSON null.
 */
function propertiesNamed(column: string, names: readonly string[]): SQL {
  const document = sql.raw(column)
  const paths = pathsOf(names)
  if (paths === null) return document
  return sql`CASE WHEN json_type(${document}) = 'object' THEN (SELECT json_group_object(named.key, ${document} -> named.value)
    FILTER (WHERE ${document} -> named.value IS NOT NULL) FROM json_each(${paths}) named) ELSE 'null' END`
}

/**
 * Selects the next persons in the order of the random end of their uuids, like `selectPersonsAfter`. The first ones are a stable sample.
 * @param after end of the last uuid
 */
export const selectSampledPersons = (
  db: Database,
  projectId: number,
  related: RelatedRows,
  after: string,
  limit: number,
) =>
  selectPersonPage(
    db,
    related,
    sql`WHERE ${eq(persons.projectId, projectId)} AND substr(uuid, 25) > ${after} ORDER BY substr(uuid, 25) LIMIT ${limit}`,
  )

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

export const countPersons = (db: Database, projectId: number) =>
  db.select({ total: projects.personCount }).from(projects).where(eq(projects.id, projectId))
export const countGroups = (db: Database, projectId: number, typeIndex: number) =>
  db
    .select({ total: groupTypes.groupCount })
    .from(groupTypes)
    .where(and(eq(groupTypes.projectId, projectId), eq(groupTypes.index, typeIndex)))

/** Returns group keys as text, as evaluation hashes them. Keys of other types are left out. */
export const textKeys = (keys: GroupKeys): Record<string, string> =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([type, key]) =>
      typeof key === 'string' || typeof key === 'number' ? [[type, textOf(key)]] : [],
    ),
  )

/** The properties and keys of a request. */
export interface SubjectInput {
  distinctId: string
  groups?: GroupKeys
  personProperties?: JsonObject
  groupProperties?: Readonly<Record<string, JsonObject>>
  anonDistinctId?: string | null
  deviceId?: string | null
}

/** Stored properties do not parse. */
export class UnreadableProperties extends Error {
  override readonly name = 'UnreadableProperties'
}

/** @throws UnreadableProperties */
export function parseProperties(text: string): JsonObject {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // The error is thrown below, as for JSON that is not an object.
  }
  if (!isObject(value)) throw new UnreadableProperties('stored properties are not a JSON object')
  return value
}

/** Returns the evaluation subject. Properties of the request take precedence over stored ones. @throws UnreadableProperties */
export function subjectFrom(
  person: Omit<SubjectPerson, 'id'> | undefined,
  groupRows: GroupRow[],
  sent: SubjectInput,
): Subject {
  const stored = person ? parseProperties(person.properties) : {}
  const storedGroups = Object.fromEntries(groupRows.map((row) => [row.type, parseProperties(row.properties)]))
  const keys = sent.groups ?? {}
  return {
    distinctId: sent.distinctId,
    anonDistinctId: sent.anonDistinctId,
    deviceId: sent.deviceId,
    personProperties: personPropertyMap(stored, sent.personProperties ?? {}, sent.distinctId),
    groups: keys,
    groupProperties: groupPropertyMaps(keys, storedGroups, sent.groupProperties ?? {}),
    staticCohorts: new Set(person ? (JSON.parse(person.cohortIds) as number[]) : []),
    continuityOverrides: new Map(
      Object.entries(person ? (JSON.parse(person.overrides) as Record<string, string>) : {}),
    ),
  }
}
