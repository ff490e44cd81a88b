// A flag as it was at an earlier version, rebuilt from its activity log by undoing one change after the other (reference/flags-api.md §7).
import * as z from 'zod'
import type { Change } from '../activity/entry'
import { selectEntries } from '../activity/list'
import { dateTime } from '../http/fields'
import type { Database } from '../storage/database'
import { shown, shownOrNull } from '../timestamps'
import type { FlagRow } from './rows'
import { BucketingIdentifier, Filters, Runtime } from './schema'
import { type FlagState, stateOf, TRACKED_FIELDS } from './state'

/** How far back a version is looked for. */
export const MAX_ENTRIES = 10_000

export const FlagVersion = z
  .object({
    id: z.int(),
    key: z.string(),
    name: z.string(),
    filters: Filters,
    active: z.boolean(),
    deleted: z.boolean(),
    version: z.int(),
    rollback_conditions: z.unknown(),
    performed_rollback: z.boolean().nullable(),
    ensure_experience_continuity: z.boolean().nullable(),
    has_enriched_analytics: z.boolean().nullable(),
    is_remote_configuration: z.boolean().nullable(),
    has_encrypted_payloads: z.boolean().nullable(),
    evaluation_runtime: Runtime.nullable(),
    bucketing_identifier: BucketingIdentifier.nullable(),
    last_called_at: dateTime().nullable(),
    created_at: dateTime(),
    created_by: z.int().nullable(),
    is_historical: z.boolean(),
    version_timestamp: dateTime(),
    modified_by: z.int().nullable(),
  })
  .meta({ id: 'FeatureFlagVersion' })
export type FlagVersion = z.output<typeof FlagVersion>

/** What reconstruction needs of an entry of the activity log. */
export interface VersionEntry {
  changes: Change[]
  createdAt: string
  userId: number | null
}

/** The statement that reads the entries of a flag that can carry a version, newest first. */
export const selectVersionEntries = (db: Database, projectId: number, flagId: number) =>
  selectEntries(
    db,
    { projectId, scope: 'FeatureFlag', itemId: String(flagId) },
    ['updated', 'deleted', 'restored'],
    MAX_ENTRIES,
  )

export type Reconstruction =
  | { kind: 'found'; state: FlagState; isHistorical: boolean; timestamp: string; modifiedBy: number | null }
  | { kind: 'unknown version' }
  | { kind: 'incomplete log' }

/** Where a flag stands, for reconstruction to start from. */
export interface Origin {
  state: FlagState
  createdAt: string
  updatedAt: string
  createdById: number | null
  lastModifiedById: number | null
}

/**
 * The flag at version `wanted`.
 * @param entries newest first; those without a change of version are passed over.
 */
export function reconstruct(
  origin: Origin,
  entries: readonly VersionEntry[],
  wanted: number,
): Reconstruction {
  const { state: current } = origin
  if (wanted < 1 || wanted > current.version) return { kind: 'unknown version' }
  if (wanted === current.version) {
    const { updatedAt: timestamp, lastModifiedById: modifiedBy } = origin
    return { kind: 'found', state: current, isHistorical: false, timestamp, modifiedBy }
  }

  let state = current
  for (const { changes, createdAt, userId } of entries) {
    const step = changes.find(({ field }) => field === 'version')
    if (!step) continue
    if (step.after !== state.version) return { kind: 'incomplete log' }
    if (step.after === wanted) {
      return { kind: 'found', state, isHistorical: true, timestamp: createdAt, modifiedBy: userId }
    }
    state = undo(state, changes)
  }
  if (state.version !== wanted || wanted !== 1) return { kind: 'incomplete log' }
  const { createdAt: timestamp, createdById: modifiedBy } = origin
  return { kind: 'found', state, isHistorical: true, timestamp, modifiedBy }
}

/** The log shows nothing as null, whatever kind of nothing it was. */
const NOTHING: Partial<FlagState> = { name: '', filters: { groups: [] } }

function undo(state: FlagState, changes: readonly Change[]): FlagState {
  const tracked: readonly string[] = TRACKED_FIELDS
  const before = changes
    .filter(({ field }) => tracked.includes(field))
    .map(({ field, before: old }) => [field, old ?? NOTHING[field as keyof FlagState] ?? null])
  return { ...state, ...(Object.fromEntries(before) as Partial<FlagState>) }
}

/** A reconstruction as it is shown. */
export function versionFrom(row: FlagRow, found: Extract<Reconstruction, { kind: 'found' }>): FlagVersion {
  const { archived: _archived, last_called_at: lastCalledAt, ...state } = found.state
  return {
    id: row.id,
    ...state,
    filters: { ...state.filters, groups: state.filters?.groups ?? [] },
    evaluation_runtime: state.evaluation_runtime as FlagVersion['evaluation_runtime'],
    bucketing_identifier: state.bucketing_identifier as FlagVersion['bucketing_identifier'],
    last_called_at: shownOrNull(lastCalledAt),
    created_at: shown(row.createdAt),
    created_by: row.createdById,
    is_historical: found.isHistorical,
    version_timestamp: shown(found.timestamp),
    modified_by: found.modifiedBy,
  }
}

/** Where reconstruction starts for a row. */
export const originOf = (row: FlagRow): Origin => ({ ...row, state: stateOf(row) })
