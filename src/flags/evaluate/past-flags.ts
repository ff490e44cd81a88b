// Rebuilds flags at a past time from their activity logs, with the flags that they depended on then.
import { sql } from 'drizzle-orm'
import type { FeedDefinition } from '../../snapshots/definitions'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { referencesOf } from '../filters/analysis'
import { originalKey } from '../keys/key'
import { type FlagRow, flagsByIds, selectFlags } from '../read/rows'
import {
  originOf,
  reconstruct,
  selectVersionEntriesSince,
  type VersionEntry,
  versionAt,
} from '../read/versions'
import type { FlagState } from '../state'
import { attempt, failure } from './evaluation-errors'
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
export function dependenciesAt(
  db: Database,
  projectId: number,
  root: { id: number; state: FlagState },
  current: readonly number[],
  timestamp: string,
): Promise<{ row: FlagRow; state: FlagState }[]> {
  const isOther = (id: number) => id !== root.id
  return readReachable(db, dependencyIds(root.state).filter(isOther), current, {
    rowsOf: (ids) => selectFlags(db, flagsByIds(projectId, ids)),
    logOf: (id, share) => selectVersionEntriesSince(db, projectId, id, timestamp, share),
    stateAt(row: FlagRow, entries: EntryRows) {
      const state = stateAt(row, entries, timestamp)
      return state && { row, state }
    },
    referencesOf: ({ state }) => dependencyIds(state).filter(isOther),
    malformed: UNREADABLE_FLAG,
    tooMany: TOO_MANY,
  })
}

const TOO_MANY =
  'The history of the flags that this flag depends on is too long to evaluate it at this timestamp: ' +
  `at most ${MAX_REACHABLE} flags, of which ${MAX_ROUNDS} in a row have other dependencies now.`

const dependencyIds = (state: FlagState): number[] =>
  attempt(UNREADABLE_DEFINITION, () => referencesOf(state.filters).flagIds)
