// Rebuilds flags at a past time from their activity logs, with the flags that they depended on then.
import { and, sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import type { FeedDefinition } from '../../snapshots/definitions'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { belongsTo } from '../../storage/id-predicates'
import { runBatch } from '../../storage/run-batch'
import { referencesOf } from '../filters/analysis'
import { originalKey } from '../keys/key'
import { type FlagRow, selectFlags } from '../read/rows'
import {
  originOf,
  reconstruct,
  selectVersionEntriesSince,
  type VersionEntry,
  versionAt,
} from '../read/versions'
import type { FlagState } from '../state'
import { attempt, failure, readStore } from './evaluation-errors'
import { MAX_REACHABLE, MAX_ROUNDS, readReachable } from './read-reachable'

export const UNREADABLE_FLAG = 'Failed to reconstruct flag at specified timestamp.'
export const UNREADABLE_DEFINITION = 'Failed to prepare historical flag definition for evaluation.'

export type EntryRows = Awaited<ReturnType<typeof selectVersionEntriesSince>>

/**
 * @param entries as `selectVersionEntriesSince` reads them
 * @returns null when the flag did not exist or was deleted
 * @throws 400 when its log has a gap, 500 when it cannot be parsed
 */
export function stateAt(row: FlagRow, entries: EntryRows, timestamp: string): FlagState | null {
  const steps = attempt(UNREADABLE_FLAG, () =>
    sortByPlace(entries).map(
      ({ detail, ...entry }): VersionEntry => ({ ...entry, changes: [...detail.changes] }) as VersionEntry,
    ),
  )
  const origin = originOf(row)
  const version = attempt(UNREADABLE_FLAG, () => versionAt(origin, steps, timestamp))
  if (version === null) return null
  const found = attempt(UNREADABLE_FLAG, () => reconstruct(origin, steps, version))
  if (found.kind !== 'found') {
    throw failure(400, 'Could not reconstruct flag at timestamp due to incomplete history.')
  }
  // A bulk delete makes no version, so that earlier versions appear deleted and renamed.
  return { ...found.state, key: originalKey(found.state.key, row.id), deleted: false }
}

export const definitionAt = (row: FlagRow, state: FlagState): FeedDefinition => ({
  ...state,
  id: row.id,
  evaluation_contexts: [],
  has_experiment: false,
  is_remote_configuration: state.is_remote_configuration ?? false,
})

/** The statement that reads the flags on which a flag depends now, directly or not. It most likely depended on the same ones then. */
export const selectDependencyIds = (db: Database, flagId: number) =>
  db.select({ id: sql<number>`flag`.as('dependency_id') }).from(
    sql`(WITH RECURSIVE reach(flag) AS (SELECT ${flagId} UNION
        SELECT d.depends_on_id FROM reach CROSS JOIN flag_dependencies d ON d.flag_id = flag LIMIT ${MAX_REACHABLE + 1})
        SELECT flag FROM reach WHERE flag <> ${flagId})`,
  )

/**
 * Returns the flags on which a flag depended at a time, directly or not. A flag that did not exist then is left out.
 * @param current ids that are read first: see `selectDependencyIds`
 * @throws 400 when they are too many, or the log of one has a gap
 */
export async function dependenciesAt(
  db: Database,
  projectId: number,
  root: { id: number; state: FlagState },
  current: readonly number[],
  timestamp: string,
): Promise<{ row: FlagRow; state: FlagState }[]> {
  const isOther = (id: number) => id !== root.id
  const flags = await readReachable(
    dependencyIds(root.state).filter(isOther),
    current,
    (ids) => readFlags(db, projectId, ids, timestamp),
    ({ state }) => dependencyIds(state).filter(isOther),
    () => failure(400, TOO_MANY),
  )
  return [...flags.values()]
}

const TOO_MANY =
  'The history of the flags that this flag depends on is too long to evaluate it at this timestamp: ' +
  `at most ${MAX_REACHABLE} flags, of which ${MAX_ROUNDS} in a row have other dependencies now.`

const dependencyIds = (state: FlagState): number[] =>
  attempt(UNREADABLE_DEFINITION, () => referencesOf(state.filters).flagIds)

/** Returns null for a flag that did not exist. The log of one flag may be as long as the limit for all logs together. */
async function readFlags(db: Database, projectId: number, ids: readonly number[], timestamp: string) {
  const [rows, ...logs] = (await readStore(
    () =>
      runBatch(db, [
        selectFlags(
          db,
          and(
            belongsTo(projectId, featureFlags.projectId),
            sql`${featureFlags.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
          ),
        ),
        ...ids.map((id) => selectVersionEntriesSince(db, projectId, id, timestamp, ids.length)),
      ]),
    { malformed: UNREADABLE_FLAG },
  )) as [FlagRow[], ...EntryRows[]]
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id, index) => {
    const row = byId.get(id)
    const state = row ? stateAt(row, logs[index]!, timestamp) : null
    return [id, row && state ? { row, state } : null] as const
  })
}
