// Earlier versions of a flag, rebuilt from its activity log by undoing one change after the other: docs/reference/flags.md#versions.
import type { ActivityVerb, Change } from '../../activity/entry'
import { changing, MAX_LOG_BYTES, selectEntriesBack, since, type Stop } from '../../activity/list'
import { and } from 'drizzle-orm'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import type { FlagVersion } from '../schema'
import { type LoggedState, stateOf, undo } from '../state'
import { flagById, type FlagRow, selectFlags } from './rows'

/** Maximum entries that are read to rebuild a version. */
export const MAX_ENTRIES = 10_000

export interface VersionEntry {
  activity: ActivityVerb
  changes: Change[]
  createdAt: string
  userId: number | null
}

/**
 * Selects the entries of a flag that can contain a version, from the newest back to where `stop` holds.
 * @param share how many flags are read together: each gets an equal part of the limits
 */
const selectVersionEntries = (db: Database, projectId: number, flagId: number, stop: Stop, share = 1) =>
  selectEntriesBack(
    db,
    { projectId, scope: 'FeatureFlag', itemId: String(flagId) },
    ['updated', 'deleted', 'restored'],
    stop,
    Math.floor(MAX_ENTRIES / share),
    Math.floor(MAX_LOG_BYTES / share),
  )

/** Selects the entries that `versionAt` and `reconstruct` need for a time: all since then, and the one that made the version. */
export const selectVersionEntriesSince = (
  db: Database,
  projectId: number,
  flagId: number,
  timestamp: string,
  share = 1,
) => selectVersionEntries(db, projectId, flagId, and(since(timestamp), changing('version'))!, share)

/** Returns a flag, if it exists, and the entries back to a version, newest first. */
export async function readHistory(
  db: Database,
  projectId: number,
  flagId: number,
  version: number,
): Promise<{ row: FlagRow | undefined; entries: VersionEntry[] }> {
  const [[row], entries] = await db.batch([
    selectFlags(db, flagById(projectId, flagId)),
    // The first entry made version 2. No entry made version 1.
    selectVersionEntries(db, projectId, flagId, changing('version', Math.max(version, 2))),
  ])
  return {
    row,
    entries: sortByPlace(entries).map(({ detail, activity, ...entry }) => ({
      ...entry,
      activity: activity as ActivityVerb,
      changes: detail.changes,
    })),
  }
}

export type Reconstruction =
  | { kind: 'found'; state: LoggedState; isHistorical: boolean; timestamp: string; modifiedBy: number | null }
  | { kind: 'unknown version' }
  | { kind: 'incomplete log' }

/** The current flag, from which reconstruction starts. */
export interface Origin {
  state: LoggedState
  updated_at: string
  created_by_id: number | null
  last_modified_by_id: number | null
}

export const originOf = (row: FlagRow): Origin => ({
  ...row,
  state: { ...stateOf(row), created_at: row.created_at },
})

/** The changes that a deletion makes. */
const DELETION: Change[] = [
  { type: 'FeatureFlag', action: 'changed', field: 'deleted', before: false, after: true },
]

/** Returns the flag at version `requested`. @param entries newest first; those without a change of version are skipped */
export function reconstruct(
  { state: current, ...origin }: Origin,
  entries: readonly VersionEntry[],
  requested: number,
): Reconstruction {
  if (requested < 1 || requested > current.version) return { kind: 'unknown version' }
  if (requested === current.version) {
    const { updated_at: timestamp, last_modified_by_id: modifiedBy } = origin
    return { kind: 'found', state: current, isHistorical: false, timestamp, modifiedBy }
  }

  let state = current
  for (const { activity, changes, createdAt, userId } of entries) {
    const step = changes.find(({ field }) => field === 'version')
    if (!step) {
      // A bulk delete of an earlier release logged no changes, and made no version.
      if (activity === 'deleted') state = undo(state, DELETION)
      continue
    }
    if (step.after !== state.version) return { kind: 'incomplete log' }
    if (step.after === requested) {
      return { kind: 'found', state, isHistorical: true, timestamp: createdAt, modifiedBy: userId }
    }
    state = undo(state, changes)
  }
  if (state.version !== requested || requested !== 1) return { kind: 'incomplete log' }
  const timestamp = state.created_at
  const { created_by_id: modifiedBy } = origin
  return { kind: 'found', state, isHistorical: true, timestamp, modifiedBy }
}

export function versionFrom(row: FlagRow, found: Extract<Reconstruction, { kind: 'found' }>): FlagVersion {
  const { archived: _archived, ...state } = found.state
  return {
    ...(state as Pick<FlagVersion, keyof typeof state>),
    id: row.id,
    filters: { ...state.filters, groups: state.filters?.groups ?? [] },
    last_called_at: toApiTimestampOrNull(state.last_called_at),
    created_at: toApiTimestamp(state.created_at),
    created_by: row.created_by_id,
    is_historical: found.isHistorical,
    version_timestamp: toApiTimestamp(found.timestamp),
    modified_by: found.modifiedBy,
  }
}

/**
 * Returns the version that was current at `timestamp` (stored form), or null when the flag did not exist or was deleted.
 * @param entries newest first, those that can contain a version: all since `timestamp`, and of those before it the first with a version
 */
export function versionAt(
  origin: Origin,
  entries: readonly VersionEntry[],
  timestamp: string,
): number | null {
  if (timestamp < origin.state.created_at) return null
  if (wasDeleted(origin, entries, timestamp)) return null
  const past = entries.filter(({ createdAt }) => createdAt <= timestamp)
  const step = past.flatMap(({ changes }) => changes).find(({ field }) => field === 'version')
  if (step) return Number(step.after)
  return timestamp >= origin.updated_at ? origin.state.version : 1
}

/**
 * Whether the flag was deleted then. A deleted flag can be updated and stays deleted, so that the next deletion or restoration decides.
 */
function wasDeleted({ state }: Origin, entries: readonly VersionEntry[], timestamp: string): boolean {
  const next = entries.findLast(({ activity, createdAt }) => createdAt > timestamp && activity !== 'updated')
  return next ? next.activity === 'restored' : state.deleted === true
}
