// Reads all that events need, in one round trip.
import { eq, sql } from 'drizzle-orm'
import { appliedEvents, groups, groupTypes, personDistinctIds, persons, projects } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { groupNameText, type StoredGroup } from './group-changes'
import type { GroupName } from './event-parts'
import type { CapturedEvent } from './parse-event'
import { MAX_DISTINCT_IDS, type StoredPerson } from './person-changes'

export interface CaptureState {
  isFirst: boolean
  /** Times of application of applied events, by uuid. Only of those that `isRemembered`. */
  applied: ReadonlyMap<string, Date>
  /** By distinct id. */
  people: ReadonlyMap<string, StoredPerson>
  /** Number of distinct ids by id of a person, where an event may add one. */
  distinctIdCounts: ReadonlyMap<number, number>
  /** Indexes of the project's group types. */
  groupTypes: ReadonlyMap<string, number>
  /** By `groupNameText`. */
  groups: ReadonlyMap<string, StoredGroup>
}

/** Events of one run are few enough for lists of one parameter each. */
export async function readState(
  db: Database,
  projectId: number,
  events: readonly CapturedEvent[],
): Promise<CaptureState> {
  const [[project], applied, people, counts, types, groupRows] = await db.batch([
    db.select({ ingestedEvent: projects.ingestedEvent }).from(projects).where(eq(projects.id, projectId)),
    selectApplied(
      db,
      projectId,
      events.filter(isRemembered).map(({ uuid }) => uuid),
    ),
    selectPeople(db, projectId, distinctIdsOf(events)),
    selectDistinctIdCounts(db, projectId, events),
    db
      .select({ name: groupTypes.name, typeIndex: groupTypes.index })
      .from(groupTypes)
      .where(eq(groupTypes.projectId, projectId)),
    selectGroups(
      db,
      projectId,
      events.flatMap(({ groupIdentify }) => groupIdentify ?? []),
    ),
  ])
  return {
    isFirst: !project?.ingestedEvent,
    applied: new Map(applied.map(({ uuid, appliedAt }) => [uuid, new Date(appliedAt)])),
    people: peopleIn(people),
    distinctIdCounts: new Map(counts.map(({ id, total }) => [id, total])),
    groupTypes: new Map(types.map(({ name, typeIndex }) => [name, typeIndex])),
    groups: new Map(
      groupRows.map((row) => [
        groupNameText(row),
        { ...row, properties: JSON.parse(row.properties) as StoredGroup['properties'] },
      ]),
    ),
  }
}

const distinctIdsOf = (events: readonly CapturedEvent[]): string[] => [
  ...new Set(
    events.flatMap(({ distinctId, person }) =>
      person ? [distinctId, ...(person.merge ? [person.merge.distinctId] : [])] : [],
    ),
  ),
]

/**
 * Whether applying an event twice could change anything: a later event may have set the same property since, or its timestamp depends on its
 * arrival.
 */
export const isRemembered = ({ setsProperties, groupIdentify, timestampAt }: CapturedEvent): boolean =>
  setsProperties || groupIdentify !== null || timestampAt !== null

const selectApplied = (db: Database, projectId: number, uuids: readonly string[]) =>
  db
    .select({
      uuid: sql<string>`e.uuid`.as('uuid'),
      appliedAt: sql<string>`e.applied_at`.as('applied_at'),
    })
    .from(
      sql`json_each(${JSON.stringify(uuids)}) wanted
        CROSS JOIN ${appliedEvents} e ON e.project_id = ${projectId} AND e.uuid = wanted.value`,
    )

// CROSS JOIN keeps the written order: from the few wanted ids to their rows.
const selectPeople = (db: Database, projectId: number, distinctIds: readonly string[]) =>
  db
    .select({
      distinctId: sql<string>`d.distinct_id`.as('distinct_id'),
      id: sql<number>`p.id`.as('id'),
      uuid: sql<string>`p.uuid`.as('uuid'),
      // Once per person.
      properties: sql<string | null>`CASE WHEN row_number() OVER (PARTITION BY p.id) = 1
        THEN p.properties END`.as('properties'),
      isIdentified: sql<number>`p.is_identified`.as('is_identified'),
      createdAt: sql<string>`p.created_at`.as('created_at'),
      version: sql<number>`p.version`.as('version'),
    })
    .from(
      sql`json_each(${JSON.stringify(distinctIds)}) wanted
        CROSS JOIN ${personDistinctIds} d ON d.project_id = ${projectId} AND d.distinct_id = wanted.value
        CROSS JOIN ${persons} p ON p.id = d.person_id`,
    )

/** For the persons on both sides of a merge, unless they are the same. */
function selectDistinctIdCounts(db: Database, projectId: number, events: readonly CapturedEvent[]) {
  const pairs = events.flatMap(({ distinctId, person }) =>
    person?.merge ? [[distinctId, person.merge.distinctId]] : [],
  )
  const personOf = (place: '$[0]' | '$[1]') =>
    sql`(SELECT d.person_id FROM ${personDistinctIds} d
      WHERE d.project_id = ${projectId} AND d.distinct_id = pair.value ->> ${place})`
  const pairsOfPersons = sql`SELECT ${personOf('$[0]')} AS one, ${personOf('$[1]')} AS other
    FROM json_each(${JSON.stringify(pairs)}) pair`
  return db
    .select({
      id: sql<number>`merging.id`.as('id'),
      total: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${personDistinctIds} d
        WHERE d.person_id = merging.id LIMIT ${MAX_DISTINCT_IDS}))`.as('total'),
    })
    .from(
      sql`(WITH pairs AS MATERIALIZED (SELECT * FROM (${pairsOfPersons}) WHERE one IS NOT other)
        SELECT one AS id FROM pairs WHERE one IS NOT NULL UNION SELECT other FROM pairs WHERE other IS NOT NULL) merging`,
    )
}

function peopleIn(rows: Awaited<ReturnType<typeof selectPeople>>): Map<string, StoredPerson> {
  const byId = new Map<number, StoredPerson>()
  for (const { distinctId: _distinctId, isIdentified, properties, ...person } of rows) {
    if (properties === null) continue
    byId.set(person.id, {
      ...person,
      isIdentified: isIdentified === 1,
      properties: JSON.parse(properties) as StoredPerson['properties'],
    })
  }
  return new Map(rows.map(({ distinctId, id }) => [distinctId, byId.get(id)!]))
}

const selectGroups = (db: Database, projectId: number, names: readonly GroupName[]) =>
  db
    .select({
      type: sql<string>`t.name`.as('type'),
      key: sql<string>`g.group_key`.as('group_key'),
      properties: sql<string>`g.properties`.as('properties'),
      createdAt: sql<string>`g.created_at`.as('created_at'),
      version: sql<number>`g.version`.as('version'),
    })
    .from(
      sql`(SELECT DISTINCT value ->> '$.type' AS type, value ->> '$.key' AS key
          FROM json_each(${JSON.stringify(names.map(({ type, key }) => ({ type, key })))})) wanted
        CROSS JOIN ${groupTypes} t ON t.project_id = ${projectId} AND t.name = wanted.type
        CROSS JOIN ${groups} g ON g.project_id = ${projectId} AND g.type_index = t.type_index
          AND g.group_key = wanted.key`,
    )
