// Flags as they were at a time: rebuilt from their activity logs, with the flags that they depended on then.
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
import { type DatedEntry, originOf, reconstruct, selectVersionEntries, versionAt } from '../read/versions'
import type { FlagState } from '../state'
import { attempt, failure, readStore } from './evaluation-errors'

/** Flags that one may have depended on, directly or not. */
const MAX_PAST_DEPENDENCIES = 50
/** Rounds in which they are read. Each round reads all that are known to be needed; one is enough while dependencies are as they were. */
const MAX_ROUNDS = 5

export const UNREADABLE_FLAG = 'Failed to reconstruct flag at specified timestamp.'
export const UNREADABLE_DEFINITION = 'Failed to prepare historical flag definition for evaluation.'

export type EntryRows = Awaited<ReturnType<typeof selectVersionEntries>>

/**
 * @param entries as `selectVersionEntries` reads them.
 * @returns null when the flag did not exist or was deleted.
 * @throws 400 when its log has a gap, 500 when it cannot be parsed.
 */
export function stateAt(row: FlagRow, entries: EntryRows, timestamp: string): FlagState | null {
  const steps = attempt(UNREADABLE_FLAG, () =>
    sortByPlace(entries).map(
      ({ detail, ...entry }): DatedEntry => ({ ...entry, changes: [...detail.changes] }) as DatedEntry,
    ),
  )
  const origin = originOf(row)
  const version = attempt(UNREADABLE_FLAG, () => versionAt(origin, steps, timestamp))
  if (version === null) return null
  const found = attempt(UNREADABLE_FLAG, () => reconstruct(origin, steps, version))
  if (found.kind !== 'found') {
    throw failure(400, 'Could not reconstruct flag at timestamp due to incomplete history.')
  }
  // A bulk delete makes no version: earlier ones appear deleted and renamed.
  return { ...found.state, key: originalKey(found.state.key, row.id), deleted: false }
}

export const definitionAt = (row: FlagRow, state: FlagState): FeedDefinition => ({
  ...state,
  id: row.id,
  evaluation_contexts: [],
  has_experiment: false,
  is_remote_configuration: state.is_remote_configuration ?? false,
})

/** The statement that reads the flags that one depends on now, directly or not: those that it most likely depended on then. */
export const selectDependencyIds = (db: Database, flagId: number) =>
  db.select({ id: sql<number>`flag`.as('dependency_id') }).from(
    sql`(WITH RECURSIVE reach(flag) AS (SELECT ${flagId} UNION
        SELECT d.depends_on_id FROM reach CROSS JOIN flag_dependencies d ON d.flag_id = flag LIMIT ${MAX_PAST_DEPENDENCIES + 1})
        SELECT flag FROM reach WHERE flag <> ${flagId})`,
  )

/**
 * The flags that a flag depended on at a time, directly or not. One that did not exist then is left out.
 * @param current ids that are read with the first: see `selectDependencyIds`.
 * @throws 400 when they are too many, or the log of one has a gap.
 */
export async function dependenciesAt(
  db: Database,
  projectId: number,
  root: { id: number; state: FlagState },
  current: readonly number[],
  timestamp: string,
): Promise<{ row: FlagRow; state: FlagState }[]> {
  const read = new Map<number, { row: FlagRow; state: FlagState } | null>()
  const needed = new Map<number, { row: FlagRow; state: FlagState }>()
  let likely = current
  let open = dependencyIds(root.state)
  for (let round = 0; ;) {
    const isNew = (id: number) => id !== root.id && !needed.has(id)
    const unread = open.filter((id) => isNew(id) && !read.has(id))
    if (unread.length > 0) {
      round += 1
      const ids = [...new Set([...unread, ...likely.filter((id) => !read.has(id))])]
      if (round > MAX_ROUNDS || read.size + unread.length > MAX_PAST_DEPENDENCIES)
        throw failure(400, TOO_MANY)
      likely = []
      for (const [id, flag] of await readFlags(db, projectId, ids, timestamp)) read.set(id, flag)
    }
    const found = [...new Set(open)].filter(isNew).flatMap((id) => read.get(id) ?? [])
    if (found.length === 0) return [...needed.values()]
    for (const flag of found) needed.set(flag.row.id, flag)
    open = found.flatMap(({ state }) => dependencyIds(state))
  }
}

const TOO_MANY =
  'The history of the flags that this flag depends on is too long to evaluate it at this timestamp: ' +
  `at most ${MAX_PAST_DEPENDENCIES} flags, of which ${MAX_ROUNDS} in a row have other dependencies now.`

const dependencyIds = (state: FlagState): number[] =>
  attempt(UNREADABLE_DEFINITION, () => referencesOf(state.filters).flagIds)

/** Null for a flag that was not there. The log of one may be as long as all of them together may be. */
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
        ...ids.map((id) => selectVersionEntries(db, projectId, id, ids.length)),
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
