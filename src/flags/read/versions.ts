// Earlier versions of a flag, rebuilt from its activity log by undoing one change after the other (reference/flags-api.md §7).
import type { ActivityVerb, Change } from '../../activity/entry'
import { MAX_LOG_BYTES, selectEntries } from '../../activity/list'
import { sortByPlace } from '../../storage/byte-page'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import type { FlagVersion } from '../schema'
import { type FlagState, NEW_FLAG, stateOf } from '../state'
import { flagById, type FlagRow, selectFlags } from './rows'

/** Entries that are read to rebuild a version. */
export const MAX_ENTRIES = 10_000

export interface VersionEntry {
  changes: Change[]
  createdAt: string
  userId: number | null
}

export interface DatedEntry extends VersionEntry {
  activity: ActivityVerb
}

/**
 * The entries of a flag that can carry a version, newest first.
 * @param share how many flags are read together: each gets its part of the limits.
 */
export const selectVersionEntries = (db: Database, projectId: number, flagId: number, share = 1) =>
  selectEntries(
    db,
    { projectId, scope: 'FeatureFlag', itemId: String(flagId) },
    ['updated', 'deleted', 'restored'],
    Math.floor(MAX_ENTRIES / share),
    Math.floor(MAX_LOG_BYTES / share),
  )

/** A flag, if it exists, and the entries that can carry its versions, newest first. */
export async function readHistory(
  db: Database,
  projectId: number,
  flagId: number,
): Promise<{ row: FlagRow | undefined; entries: VersionEntry[] }> {
  const [[row], entries] = await db.batch([
    selectFlags(db, flagById(projectId, flagId)),
    selectVersionEntries(db, projectId, flagId),
  ])
  return {
    row,
    entries: sortByPlace(entries).map(({ detail, ...entry }) => ({ ...entry, changes: detail.changes })),
  }
}

export type Reconstruction =
  | { kind: 'found'; state: FlagState; isHistorical: boolean; timestamp: string; modifiedBy: number | null }
  | { kind: 'unknown version' }
  | { kind: 'incomplete log' }

/** The current flag: where reconstruction starts. */
export interface Origin {
  state: FlagState
  created_at: string
  updated_at: string
  created_by_id: number | null
  last_modified_by_id: number | null
}

export const originOf = (row: FlagRow): Origin => ({ ...row, state: stateOf(row) })

/**
 * The flag at version `requested`.
 * @param entries newest first; those without a change of version are skipped.
 */
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
  for (const { changes, createdAt, userId } of entries) {
    const step = changes.find(({ field }) => field === 'version')
    if (!step) continue
    if (step.after !== state.version) return { kind: 'incomplete log' }
    if (step.after === requested) {
      return { kind: 'found', state, isHistorical: true, timestamp: createdAt, modifiedBy: userId }
    }
    state = undo(state, changes)
  }
  if (state.version !== requested || requested !== 1) return { kind: 'incomplete log' }
  const { created_at: timestamp, created_by_id: modifiedBy } = origin
  return { kind: 'found', state, isHistorical: true, timestamp, modifiedBy }
}

/** The log shows every empty value as null. */
const EMPTY: Partial<FlagState> = { name: '', filters: { groups: [] } }

function undo(state: FlagState, changes: readonly Change[]): FlagState {
  const before = changes
    .filter(({ field }) => field in NEW_FLAG)
    .map(({ field, before: old }) => [field, old ?? EMPTY[field as keyof FlagState] ?? null])
  return { ...state, ...(Object.fromEntries(before) as Partial<FlagState>) }
}

export function versionFrom(row: FlagRow, found: Extract<Reconstruction, { kind: 'found' }>): FlagVersion {
  const { archived: _archived, ...state } = found.state
  return {
    ...(state as Pick<FlagVersion, keyof typeof state>),
    id: row.id,
    filters: { ...state.filters, groups: state.filters?.groups ?? [] },
    last_called_at: toApiTimestampOrNull(state.last_called_at),
    created_at: toApiTimestamp(row.created_at),
    created_by: row.created_by_id,
    is_historical: found.isHistorical,
    version_timestamp: toApiTimestamp(found.timestamp),
    modified_by: found.modifiedBy,
  }
}

/**
 * The version that was current at `timestamp` (stored form), or null when the flag did not exist or was deleted (§11).
 * @param entries newest first, those that can carry a version.
 */
export function versionAt(origin: Origin, entries: readonly DatedEntry[], timestamp: string): number | null {
  if (timestamp < origin.created_at) return null
  const past = entries.filter(({ createdAt }) => createdAt <= timestamp)
  // A deleted flag can be updated, and stays deleted.
  if (past.find(({ activity }) => activity !== 'updated')?.activity === 'deleted') return null
  const step = past.flatMap(({ changes }) => changes).find(({ field }) => field === 'version')
  if (step) return Number(step.after)
  return timestamp >= origin.updated_at ? origin.state.version : 1
}
