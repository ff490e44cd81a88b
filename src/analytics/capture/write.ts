// The one batch that writes a run of events and all that it changes: together, or not at all.
import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { events as eventTable, featureFlags, groups, groupTypes } from '../../../drizzle'
import { bumpGeneration } from '../../snapshots/generation'
import { type Database, guard } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { type GroupChanges, type GroupRow, withGroupIndexes } from './group-changes'
import { jsonParameters } from './json-parameters'
import type { CapturedEvent } from './parse-event'
import type { PersonChanges } from './person-changes'
import type { PropertyDefinition } from '../property-type'
import { type Moves, movesIn, selectMoves } from '../warehouse/moves'
import { insertDefinitions } from './write-definitions'
import { writePersons } from './write-persons'

/** How far a flag's `last_called_at` may lag, so that a busy flag is not rewritten with every call. */
const CALLED_AT_RESOLUTION_MS = 60_000

export interface CaptureWrite {
  /** Events that are not stored yet, each once. */
  events: readonly CapturedEvent[]
  persons: PersonChanges
  groups: GroupChanges
  /** Of properties that were not seen before, as far as is known. */
  definitions: readonly PropertyDefinition[]
  /** Whether it is written elsewhere as well, so that what merges of persons move has to be known. */
  isMirrored: boolean
}

/**
 * Writes everything in one round trip.
 * @returns what merges of persons moved; null unless it is mirrored.
 * @throws an error for which `isGuardFailure` or `isUniqueViolation` is true when somebody else was first; then nothing is written.
 */
export async function writeCapture(
  db: Database,
  projectId: number,
  now: Date,
  { events, persons, groups: groupChanges, definitions, isMirrored }: CaptureWrite,
): Promise<Moves | null> {
  const [, moves] = await runBatch(db, [
    guard(
      db,
      sql`${personsAreUnchanged(persons.expected)} AND ${groupsAreUnchanged(projectId, groupChanges.rows)}`,
    ),
    ...(isMirrored ? [selectMoves(db, persons.merges)] : []),
    ...insertGroupTypes(db, projectId, groupChanges.newTypes),
    ...writePersons(db, projectId, persons),
    ...writeGroups(db, projectId, groupChanges.rows),
    ...insertEvents(db, projectId, now, events, groupChanges.typeIndexes),
    ...insertDefinitions(db, projectId, definitions),
    ...moveLastCalled(db, projectId, now, events),
  ])
  return isMirrored ? movesIn(moves) : null
}

const personsAreUnchanged = (expected: PersonChanges['expected']): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(expected)}) e
    LEFT JOIN persons p ON p.id = (e.value ->> '$.personId')
    WHERE p.version IS NOT (e.value ->> '$.version'))`

/** A group that was not there has no version, and must still not be there. */
const groupsAreUnchanged = (projectId: number, rows: readonly GroupRow[]): SQL => {
  const expected = rows.map(({ typeIndex, key, expectedVersion }) => [typeIndex, key, expectedVersion])
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(expected)}) e
    LEFT JOIN ${groups} g ON g.project_id = ${projectId} AND g.type_index = (e.value ->> '$[0]')
      AND g.group_key = (e.value ->> '$[1]')
    WHERE g.version IS NOT (e.value ->> '$[2]'))`
}

/**
 * The statements that number group types. Two requests that number at once collide on the primary key, and one of them decides anew.
 * Flag definitions show group types, so the project's generation goes up with them.
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

const writeGroups = (db: Database, projectId: number, rows: readonly GroupRow[]): BatchItem<'sqlite'>[] =>
  jsonParameters(rows).map((json) =>
    db
      .insert(groups)
      .select(
        sql`SELECT ${projectId}, value ->> '$.typeIndex', value ->> '$.key', value -> '$.properties',
          value ->> '$.createdAt', 0 FROM json_each(${json}) WHERE true`,
      )
      .onConflictDoUpdate({
        target: [groups.projectId, groups.typeIndex, groups.key],
        set: { properties: sql`excluded.properties`, version: sql`${groups.version} + 1` },
      }),
  )

const insertEvents = (
  db: Database,
  projectId: number,
  now: Date,
  events: readonly CapturedEvent[],
  typeIndexes: ReadonlyMap<string, number>,
): BatchItem<'sqlite'>[] =>
  jsonParameters(
    events.map((each) => ({
      uuid: each.uuid,
      event: each.event,
      distinctId: each.distinctId,
      properties: withGroupIndexes(each, typeIndexes),
      timestamp: each.timestamp,
      setsProperties: each.setsProperties,
      flagKey: each.flag?.key ?? null,
      flagResponse: each.flag?.response ?? null,
    })),
  ).map((json) =>
    db.insert(eventTable).select(
      sql`SELECT ${projectId}, value ->> '$.uuid', value ->> '$.event', value ->> '$.distinctId',
        value -> '$.properties', value ->> '$.timestamp', ${stored(now)}, value ->> '$.setsProperties',
        value ->> '$.flagKey', value ->> '$.flagResponse' FROM json_each(${json})`,
    ),
  )

/** Notes when flags were last called. Only forward, and only when that is more than a minute: the condition is in SQL, so races do no harm. */
function moveLastCalled(
  db: Database,
  projectId: number,
  now: Date,
  events: readonly CapturedEvent[],
): BatchItem<'sqlite'>[] {
  const calls = new Map<string, string>()
  for (const { flag, timestamp } of events) {
    // A clock that runs ahead must not keep a flag fresh into the future.
    const at = timestamp < stored(now) ? timestamp : stored(now)
    if (flag && at > (calls.get(flag.key) ?? '')) calls.set(flag.key, at)
  }
  if (calls.size === 0) return []
  const rows = [...calls].map(([key, at]) => ({
    key,
    at,
    due: stored(new Date(Date.parse(at) - CALLED_AT_RESOLUTION_MS)),
  }))
  const json = JSON.stringify(rows)
  return [
    db
      .update(featureFlags)
      .set({
        lastCalledAt: sql`(SELECT c.value ->> '$.at' FROM json_each(${json}) c
          WHERE (c.value ->> '$.key') = ${featureFlags.key})`,
      })
      // From the few calls to their flags by key: joined the other way round, every flag of the project would be read.
      .where(
        sql`${featureFlags.id} IN (SELECT f.id FROM json_each(${json}) c
          CROSS JOIN ${featureFlags} f ON f.project_id = ${projectId} AND f.key = (c.value ->> '$.key')
          WHERE f.deleted = 0 AND (f.last_called_at IS NULL OR f.last_called_at < (c.value ->> '$.due')))`,
      ),
  ]
}
