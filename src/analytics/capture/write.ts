// Applies events to persons, groups, property definitions and flags in one batch.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import {
  appliedEvents,
  featureFlags,
  groups,
  groupTypes,
  projects,
  propertyDefinitions,
} from '../../../drizzle'
import { databaseFull } from '../../errors'
import { type Database, guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { LearnedDefinition } from '../property-definitions/property-type'
import type { GroupChanges, GroupRow } from './group-changes'
import { jsonParameters } from '../../storage/json-parameters'
import { MAX_DEFINITIONS } from './learn-properties'
import type { CapturedEvent } from './parse-event'
import type { PersonChanges } from './person-changes'
import { isAlwaysRemembered } from './read-state'
import { type Move, selectMoves, writePersons } from './write-persons'

/** A flag's `last_called_at` may lag by this much, so that a busy flag is not written with every call. */
const CALLED_AT_RESOLUTION_MS = 60_000

export interface CaptureWrite {
  isFirst: boolean
  /** Whether the database accepts captured data (`isOpenToBulk`). */
  isOpen: boolean
  events: readonly CapturedEvent[]
  persons: PersonChanges
  groups: GroupChanges
  /** The definitions that the isolate's cache does not have. */
  definitions: readonly LearnedDefinition[]
  /** Statements that add outbox tasks. */
  tasks: readonly BatchItem<'sqlite'>[]
}

export interface Written {
  /** The project's `people_version` of this write. */
  version: number
  moves: readonly Move[]
}

/** Whether a write changes copies in analytics stores. */
export const changesCopies = ({
  persons,
  groups: { rows },
}: Pick<CaptureWrite, 'persons' | 'groups'>): boolean =>
  persons.rows.length + persons.newDistinctIds.length + persons.merges.length + rows.length > 0

/**
 * Writes everything in one round trip, or nothing without changes.
 * @throws 503 when something is to be added to a database that is not open; an error for which `isGuardFailure` or `isUniqueViolation` is true after a conflict; then nothing is written
 */
export async function writeCapture(
  db: Database,
  projectId: number,
  now: Date,
  write: CaptureWrite,
): Promise<Written> {
  const { isFirst, isOpen, events, persons, groups: groupChanges, definitions, tasks } = write
  const version = sql`(SELECT people_version FROM projects WHERE id = ${projectId})`
  const added = [
    ...insertGroupTypes(db, projectId, groupChanges.newTypes),
    ...writePersons(db, projectId, persons, version),
    ...writeGroups(db, projectId, groupChanges.rows, version),
    ...insertApplied(db, projectId, now, events, persons.copied),
    ...insertDefinitions(db, projectId, now, definitions),
    ...tasks,
  ]
  if (added.length > 0 && !isOpen) throw databaseFull()
  const changes = [
    ...(isFirst ? [db.update(projects).set({ ingestedEvent: true }).where(eq(projects.id, projectId))] : []),
    ...added,
    ...moveLastCalled(db, projectId, now, events),
  ]
  if (changes.length === 0) return { version: 0, moves: [] }
  const isUnchanged = sql`${personsAreUnchanged(persons.expected)} AND ${groupsAreUnchanged(projectId, groupChanges.rows)}`
  const [, bumped, moves] = await runBatch(db, [
    guard(db, isUnchanged),
    changesCopies(write) ? bumpPeopleVersion(db, projectId) : nothing(db),
    persons.merges.length > 0 ? selectMoves(db, persons.merges) : nothing(db),
    ...changes,
  ])
  const [project] = bumped as { version?: number }[]
  return { version: project?.version ?? 0, moves: persons.merges.length > 0 ? (moves as Move[]) : [] }
}

/** A statement that does nothing, where a batch needs one. */
const nothing = (db: Database) => db.select({ one: sql`1`.as('one') }).from(sql`(SELECT 1)`)

/** Begins a write of persons or groups, whose rows and copies carry the new version. */
export const bumpPeopleVersion = (db: Database, projectId: number) =>
  db
    .update(projects)
    .set({ peopleVersion: sql`people_version + 1` })
    .where(eq(projects.id, projectId))
    .returning({ version: projects.peopleVersion })

const personsAreUnchanged = (expected: PersonChanges['expected']): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(expected)}) e
    LEFT JOIN persons p ON p.id = (e.value ->> '$.personId')
    WHERE p.version IS NOT (e.value ->> '$.version'))`

/** Write guard: the groups were not changed. A new group has no expected version, and must still not exist. */
const groupsAreUnchanged = (projectId: number, rows: readonly GroupRow[]): SQL => {
  const expected = rows.map(({ typeIndex, key, expectedVersion }) => [typeIndex, key, expectedVersion])
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(expected)}) e
    LEFT JOIN ${groups} g ON g.project_id = ${projectId} AND g.type_index = (e.value ->> '$[0]')
      AND g.group_key = (e.value ->> '$[1]')
    WHERE g.version IS NOT (e.value ->> '$[2]'))`
}

/**
 * Adds group types. When two requests add types, they conflict on the primary key, and one of them retries. The generation increases,
 * because flag definitions include group types.
 */
const insertGroupTypes = (
  db: Database,
  projectId: number,
  types: GroupChanges['newTypes'],
): BatchItem<'sqlite'>[] =>
  types.length
    ? [
        db.insert(groupTypes).values(types.map(({ name, index }) => ({ projectId, name, index }))),
        bumpGeneration(db, projectId),
      ]
    : []

const writeGroups = (
  db: Database,
  projectId: number,
  rows: readonly GroupRow[],
  version: SQL,
): BatchItem<'sqlite'>[] =>
  jsonParameters(rows).map((json) =>
    db
      .insert(groups)
      .select(
        sql`SELECT ${projectId}, value ->> '$.typeIndex', value ->> '$.key', value -> '$.properties',
          value ->> '$.createdAt', ${version}, NULL FROM json_each(${json}) WHERE true`,
      )
      .onConflictDoUpdate({
        target: [groups.projectId, groups.typeIndex, groups.key],
        set: { properties: sql`excluded.properties`, version: sql`excluded.version` },
      }),
  )

/**
 * Remembers applied events. Two requests with the same event conflict on its primary key. One of them retries, and finds the event
 * applied.
 */
const insertApplied = (
  db: Database,
  projectId: number,
  now: Date,
  events: readonly CapturedEvent[],
  copied: ReadonlySet<string>,
): BatchItem<'sqlite'>[] => {
  const remembered = events.filter((event) => isAlwaysRemembered(event) || copied.has(event.uuid))
  return jsonParameters(remembered.map(({ uuid }) => [uuid, copied.has(uuid)])).map((json) =>
    db
      .insert(appliedEvents)
      .select(
        sql`SELECT ${projectId}, value ->> '$[0]', ${toStoredTimestamp(now)}, value ->> '$[1]' FROM json_each(${json})`,
      ),
  )
}

/** Moves `last_called_at` forward by more than a minute. The condition is in SQL, because requests race. */
function moveLastCalled(
  db: Database,
  projectId: number,
  now: Date,
  events: readonly CapturedEvent[],
): BatchItem<'sqlite'>[] {
  const calls = new Map<string, string>()
  for (const { flag, timestamp } of events) {
    // A clock that is ahead must not make a flag look called in the future.
    const at = timestamp < toStoredTimestamp(now) ? timestamp : toStoredTimestamp(now)
    if (flag && at > (calls.get(flag.key) ?? '')) calls.set(flag.key, at)
  }
  if (calls.size === 0) return []
  const rows = [...calls].map(([key, at]) => ({
    key,
    at,
    due: toStoredTimestamp(new Date(Date.parse(at) - CALLED_AT_RESOLUTION_MS)),
  }))
  return [
    db
      .update(featureFlags)
      .set({ lastCalledAt: sql`c.value ->> '$.at'` })
      .from(sql`json_each(${JSON.stringify(rows)}) c`)
      // The subquery looks up the flag of each call; a join would read every flag of the project.
      .where(
        sql`${featureFlags.id} = (SELECT f.id FROM feature_flags f WHERE f.project_id = ${projectId}
          AND f.key = (c.value ->> '$.key') AND f.deleted = 0
          AND (f.last_called_at IS NULL OR f.last_called_at < (c.value ->> '$.due')))`,
      ),
  ]
}

/** Adds missing definitions up to the limit. Existing ones are removed first, because they would count against it. */
const insertDefinitions = (
  db: Database,
  projectId: number,
  now: Date,
  definitions: readonly LearnedDefinition[],
): BatchItem<'sqlite'>[] =>
  jsonParameters(definitions.map((each) => ({ ...each, id: crypto.randomUUID() }))).map((json) =>
    db
      .insert(propertyDefinitions)
      .select(
        sql`SELECT ${projectId}, value ->> '$.owner', value ->> '$.name', value ->> '$.type',
            '', '[]', 0, 0, ${toStoredTimestamp(now)}, NULL, value ->> '$.id'
          FROM json_each(${json})
          WHERE NOT EXISTS (SELECT 1 FROM property_definitions p WHERE p.project_id = ${projectId}
            AND p.owner = (value ->> '$.owner') AND p.name = (value ->> '$.name'))
          LIMIT max(0, ${MAX_DEFINITIONS} - coalesce((SELECT sum(total) FROM property_definition_counts WHERE project_id = ${projectId}), 0))`,
      )
      .onConflictDoNothing(),
  )
