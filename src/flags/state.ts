// A flag as the activity log knows it: the fields whose changes are tracked, by their wire names.
import { shownOrNull } from '../timestamps'
import { decidedVariant, isListedAsRolledOut, rolloutStateOf } from './filters/rollout'
import { type FlagFilters, variantsOf } from './filters/shape'
import type { FlagRow } from './rows'
import { searchTextOf } from './search'

export interface FlagState {
  key: string
  name: string
  filters: FlagFilters
  deleted: boolean
  active: boolean
  archived: boolean
  version: number
  rollback_conditions: unknown
  performed_rollback: boolean | null
  ensure_experience_continuity: boolean | null
  has_enriched_analytics: boolean | null
  is_remote_configuration: boolean | null
  has_encrypted_payloads: boolean | null
  evaluation_runtime: string | null
  bucketing_identifier: string | null
  last_called_at: string | null
}

/** In the order in which changes are listed (reference/flags-api.md §6.4). */
export const TRACKED_FIELDS = [
  'key',
  'name',
  'filters',
  'deleted',
  'active',
  'archived',
  'version',
  'rollback_conditions',
  'performed_rollback',
  'ensure_experience_continuity',
  'has_enriched_analytics',
  'is_remote_configuration',
  'has_encrypted_payloads',
  'evaluation_runtime',
  'bucketing_identifier',
  'last_called_at',
] as const satisfies readonly (keyof FlagState)[]

export const stateOf = (row: FlagRow): FlagState => ({
  key: row.key,
  name: row.name,
  filters: row.filters,
  deleted: row.deleted,
  active: row.active,
  archived: row.archived,
  version: row.version,
  rollback_conditions: row.rollbackConditions,
  performed_rollback: row.performedRollback,
  ensure_experience_continuity: row.ensureExperienceContinuity,
  has_enriched_analytics: row.hasEnrichedAnalytics,
  is_remote_configuration: row.isRemoteConfiguration,
  has_encrypted_payloads: row.hasEncryptedPayloads,
  evaluation_runtime: row.evaluationRuntime,
  bucketing_identifier: row.bucketingIdentifier,
  last_called_at: row.lastCalledAt,
})

/** A state as the activity log shows it. */
export const loggedState = (state: FlagState): FlagState => ({
  ...state,
  last_called_at: shownOrNull(state.last_called_at),
})

/** The columns that hold a state, the derived ones among them. */
export const columnsOf = (state: FlagState) => ({
  key: state.key,
  name: state.name,
  filters: state.filters,
  deleted: state.deleted,
  active: state.active,
  archived: state.archived,
  version: state.version,
  rollbackConditions: state.rollback_conditions,
  performedRollback: state.performed_rollback,
  ensureExperienceContinuity: state.ensure_experience_continuity,
  hasEnrichedAnalytics: state.has_enriched_analytics,
  isRemoteConfiguration: state.is_remote_configuration,
  hasEncryptedPayloads: state.has_encrypted_payloads,
  evaluationRuntime: state.evaluation_runtime,
  bucketingIdentifier: state.bucketing_identifier,
  lastCalledAt: state.last_called_at,
  searchText: searchTextOf(state),
  variantCount: variantsOf(state.filters).length,
  fullyRolledOut: isListedAsRolledOut(state.filters),
  rolloutState: rolloutStateOf(state.filters),
  decidedVariant: decidedVariant(state.filters),
})
