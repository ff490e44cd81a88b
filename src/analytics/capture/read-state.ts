// Reads everything that events need, in one round trip.
import { eq, type SQL, sql } from 'drizzle-orm'
import { appliedEvents, groups, groupTypes, personDistinctIds, persons, projects } from '../../../drizzle'
import type { JsonObject } from '../../json'
import { bytesOf, fitsInPage, MAX_PAGE_BYTES } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { groupNameText, type StoredGroup } from './group-changes'
import type { GroupName } from './event-parts'
import type { CapturedEvent } from './parse-event'
import { MAX_PROPERTIES_BYTES } from './property-bag'
import type { StoredPerson } from './person-changes'
import { parseStored, type StoredSize } from './stored-budget'

/** What is remembered of an event that an earlier request applied. */
export interface AppliedEvent {
  at: Date
  /** Whether properties of the event were copied to its person. */
  isCopied: boolean
}

export interface CaptureState {
  isFirst: boolean
  /** Remembered events by uuid. */
  applied: ReadonlyMap<string, AppliedEvent>
  /** Stored persons by distinct id. */
  people: ReadonlyMap<string, StoredPerson>
  /** Indexes of the project's group types. */
  groupTypes: ReadonlyMap<string, number>
  /** Stored groups by `groupNameText`. */
  groups: ReadonlyMap<string, StoredGroup>
  /** The size of all properties that events may change. Those of a single event are always read. */
  stored: StoredSize
}

/** Reads the state for a run of events. A run is small enough that each list of ids fits into one parameter. */
export async function readState(
  db: Database,
  projectId: number,
  events: readonly CapturedEvent[],
): Promise<CaptureState> {
  const [[project], applied, people, personProperties, types, groupRows] = await db.batch([
    db.select({ ingestedEvent: projects.ingestedEvent }).from(projects).where(eq(projects.id, projectId)),
    selectApplied(
      db,
      projectId,
      events.filter(mayBeRemembered).map(({ uuid }) => uuid),
    ),
    selectPeople(db, projectId, distinctIdsOf(events)),
    selectPersonProperties(db, projectId, distinctIdsOf(events.filter(mayChange))),
    db
      .select({ name: groupTypes.name, typeIndex: groupTypes.index })
      .from(groupTypes)
      .where(eq(groupTypes.projectId, projectId)),
    selectGroups(
      db,
      projectId,
      events.flatMap(({ groupIdentify, changesPeople }) => (changesPeople && groupIdentify) || []),
    ),
  ])
  const sizes: StoredSize[] = []
  const parsed = (text: string) => {
    const { properties, size } = parseStored(text)
    sizes.push(size)
    return properties
  }
  const byDistinctId = peopleIn(people, personProperties, parsed)
  const storedGroups = groupsIn(groupRows, parsed)
  const isWhole =
    distinctIdsOf(events.filter(mayChange)).every((id) => byDistinctId.get(id)?.properties !== null) &&
    [...storedGroups.values()].every(({ properties }) => properties !== null)
  return {
    isFirst: !project?.ingestedEvent,
    applied: new Map(
      applied.map(({ uuid, appliedAt, isCopied }) => [
        uuid,
        { at: new Date(appliedAt), isCopied: isCopied === 1 },
      ]),
    ),
    people: byDistinctId,
    groupTypes: new Map(types.map(({ name, typeIndex }) => [name, typeIndex])),
    groups: storedGroups,
    stored: {
      bytes: isWhole ? sizes.reduce((sum, { bytes }) => sum + bytes, 0) : Infinity,
      properties: sizes.reduce((sum, { properties }) => sum + properties, 0),
    },
  }
}

const distinctIdsOf = (events: readonly CapturedEvent[]): string[] => [
  ...new Set(
    events.flatMap(({ distinctId, person }) =>
      person ? [distinctId, ...(person.merge ? [person.merge.distinctId] : [])] : [],
    ),
  ),
]

/** Whether an event may change its person. Properties are read only then, because a person may have 500 KB. */
const mayChange = (event: CapturedEvent): boolean =>
  hasCopies(event) ||
  (event.person !== null && (event.setsProperties || event.person.identifies || event.person.merge !== null))

/**
 * Whether applying an event twice could change anything, because a later event may have set the same property since, or because its
 * timestamp depends on its arrival. Any other event is remembered only when properties of it are copied to its person.
 */
export const isAlwaysRemembered = (event: CapturedEvent): boolean =>
  (event.changesPeople && (event.setsProperties || event.groupIdentify !== null)) ||
  event.timestampAt !== null

const mayBeRemembered = (event: CapturedEvent): boolean => isAlwaysRemembered(event) || hasCopies(event)

const hasCopies = ({ person }: CapturedEvent): boolean => person !== null && person.copies !== null

const selectApplied = (db: Database, projectId: number, uuids: readonly string[]) =>
  db
    .select({
      uuid: sql<string>`e.uuid`.as('uuid'),
      appliedAt: sql<string>`e.applied_at`.as('applied_at'),
      isCopied: sql<number>`e.is_copied`.as('is_copied'),
    })
    .from(
      sql`json_each(${JSON.stringify(uuids)}) wanted
        CROSS JOIN ${appliedEvents} e ON e.project_id = ${projectId} AND e.uuid = wanted.value`,
    )

// CROSS JOIN keeps the written order, so that SQLite looks up the rows of a few ids.
const selectPeople = (db: Database, projectId: number, distinctIds: readonly string[]) =>
  db
    .select({
      distinctId: sql<string>`d.distinct_id`.as('distinct_id'),
      id: sql<number>`p.id`.as('id'),
      uuid: sql<string>`p.uuid`.as('uuid'),
      isIdentified: sql<number>`p.is_identified`.as('is_identified'),
      createdAt: sql<string>`p.created_at`.as('created_at'),
      distinctIdCount: sql<number>`p.distinct_id_count`.as('distinct_id_count'),
      version: sql<number>`p.version`.as('version'),
    })
    .from(
      sql`json_each(${JSON.stringify(distinctIds)}) wanted
        CROSS JOIN ${personDistinctIds} d ON d.project_id = ${projectId} AND d.distinct_id = wanted.value
        CROSS JOIN ${persons} p ON p.id = d.person_id`,
    )

/** Selects properties once per person. No row has properties when they are too large together. */
function selectPersonProperties(db: Database, projectId: number, distinctIds: readonly string[]) {
  const changing = sql`(SELECT DISTINCT d.person_id AS id FROM json_each(${JSON.stringify(distinctIds)}) wanted
    CROSS JOIN ${personDistinctIds} d ON d.project_id = ${projectId} AND d.distinct_id = wanted.value) changing
    CROSS JOIN ${persons} p ON p.id = changing.id`
  return db
    .select({ id: sql<number>`p.id`.as('id'), properties: sql<string>`p.properties`.as('properties') })
    .from(changing)
    .where(
      fitTogether(distinctIds.length, sql`SELECT ${bytesOf(sql`p.properties`)} AS bytes FROM ${changing}`),
    )
}

/** So many persons or groups need not be measured, because each has at most 500 KB. */
const MAX_UNMEASURED = Math.floor(MAX_PAGE_BYTES / MAX_PROPERTIES_BYTES)

const fitTogether = (count: number, sizes: SQL): SQL =>
  count <= MAX_UNMEASURED ? sql`true` : fitsInPage(sizes)

function peopleIn(
  rows: Awaited<ReturnType<typeof selectPeople>>,
  propertyRows: Awaited<ReturnType<typeof selectPersonProperties>>,
  parsed: (text: string) => JsonObject,
): Map<string, StoredPerson> {
  const properties = new Map(propertyRows.map(({ id, properties: text }) => [id, parsed(text)]))
  return new Map(
    rows.map(({ distinctId, isIdentified, ...person }) => [
      distinctId,
      { ...person, isIdentified: isIdentified === 1, properties: properties.get(person.id) ?? null },
    ]),
  )
}

/** Selects groups. No row has properties when they are too large together. */
function selectGroups(db: Database, projectId: number, names: readonly GroupName[]) {
  const found = sql`(SELECT DISTINCT value ->> '$.type' AS type, value ->> '$.key' AS key
      FROM json_each(${JSON.stringify(names.map(({ type, key }) => ({ type, key })))})) wanted
    CROSS JOIN ${groupTypes} t ON t.project_id = ${projectId} AND t.name = wanted.type
    CROSS JOIN ${groups} g ON g.project_id = ${projectId} AND g.type_index = t.type_index
      AND g.group_key = wanted.key`
  const fits = fitTogether(names.length, sql`SELECT ${bytesOf(sql`g.properties`)} AS bytes FROM ${found}`)
  return db
    .select({
      type: sql<string>`t.name`.as('type'),
      key: sql<string>`g.group_key`.as('group_key'),
      properties: sql<string | null>`CASE WHEN ${fits} THEN g.properties END`.as('properties'),
      createdAt: sql<string>`g.created_at`.as('created_at'),
      version: sql<number>`g.version`.as('version'),
    })
    .from(found)
}

const groupsIn = (
  rows: Awaited<ReturnType<typeof selectGroups>>,
  parsed: (text: string) => JsonObject,
): Map<string, StoredGroup> =>
  new Map(
    rows.map((row) => [
      groupNameText(row),
      { ...row, properties: row.properties === null ? null : parsed(row.properties) },
    ]),
  )
