// The fields of a flag that its activity log tracks, under their names in the API, which are the names of their columns. Rows, records,
// versions, updates and the log are derived from `flag-fields.ts`.
import { featureFlags } from '../../drizzle'
import { diff } from '../activity/diff'
import type { Change } from '../activity/entry'
import { fieldsWith, type FieldWith, initialValues } from '../flag-fields'
import { valuesIn } from '../storage/columns'
import { toApiTimestamp, toApiTimestampOrNull } from '../timestamps'
import type { FilterAnalysis } from './filters/analysis'
import type { FlagRow } from './read/rows'
import { searchTextOf } from './read/name-search'

/** The values of a new flag. */
export const NEW_FLAG = initialValues('log')

type TrackedField = FieldWith<'log'>
export type FlagState = Pick<FlagRow, TrackedField>

export const TRACKED_FIELDS = fieldsWith('log')

export const stateOf = (row: FlagRow): FlagState => pick(row, TRACKED_FIELDS)

export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>
  for (const key of keys) picked[key] = from[key]
  return picked
}

/** Returns the tracked fields that a body sends, without those that have rules of their own: `filters` and `version`. */
export const sentFields = (body: object): Partial<FlagState> => {
  const { filters: _filters, version: _version, ...sent } = body as Partial<FlagState>
  return Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => field in NEW_FLAG && value !== undefined),
  )
}

/** Enabling a flag ends its rollback, as upstream. */
export const endRollback = <T extends Pick<FlagState, 'performed_rollback'>>(
  state: T,
  { active }: { active?: boolean | undefined },
): T =>
  active === true && state.performed_rollback === true ? { ...state, performed_rollback: false } : state

/** The state that the log has of a flag, from which its versions are rebuilt. */
export type LoggedState = FlagState & Pick<FlagRow, 'created_at'>

const LOGGED_FIELDS: readonly (keyof LoggedState)[] = [...TRACKED_FIELDS, 'created_at']

/** Fields that contain any JSON. Here the log distinguishes an empty list from null. */
const EXACT_FIELDS: ReadonlySet<string> = new Set(['rollback_conditions'])

/** Returns a state as the activity log shows it. */
const loggedState = (state: LoggedState): LoggedState => ({
  ...state,
  created_at: toApiTimestamp(state.created_at),
  last_called_at: toApiTimestampOrNull(state.last_called_at),
})

/** Returns the changes of an update, for its entry. */
export const diffOf = (before: LoggedState, after: LoggedState): Change[] =>
  diff('FeatureFlag', LOGGED_FIELDS, loggedState(before), loggedState(after), EXACT_FIELDS)

/** Returns the state before changes of the log. */
export function undo(state: LoggedState, changes: readonly Change[]): LoggedState {
  const before = changes
    .filter(({ field }) => (LOGGED_FIELDS as readonly string[]).includes(field))
    .map(({ field, before: old }) => [field, old ?? EMPTY[field as keyof FlagState] ?? null])
  return { ...state, ...(Object.fromEntries(before) as Partial<LoggedState>) }
}

/** The values that empty fields have in a state. The log shows every empty value of other fields as null. */
const EMPTY: Partial<FlagState> = { name: '', filters: { groups: [] } }

type Values = typeof featureFlags.$inferInsert

const searchColumns = (state: FlagState) => ({ searchText: searchTextOf(state) })

const rolloutColumns = ({ rollout }: FilterAnalysis) => ({
  variantCount: rollout.variantCount,
  fullyRolledOut: rollout.isListedAsRolledOut,
  rolloutState: rollout.state,
  decidedVariant: rollout.decidedVariant,
})

/** Returns the columns of a state, including the derived ones. */
export const columnsOf = (state: FlagState, analysis: FilterAnalysis) => ({
  ...(valuesIn(featureFlags, pick(state, TRACKED_FIELDS)) as Pick<Values, 'key' | 'filters'> &
    Partial<Values>),
  ...searchColumns(state),
  ...rolloutColumns(analysis),
})

/** Returns the columns that differ, because SQLite writes every index that contains a column which an update names. */
export function changedColumns(
  before: FlagState,
  after: FlagState,
  analysis: FilterAnalysis,
): Partial<Values> {
  const changed = TRACKED_FIELDS.filter((field) => after[field] !== before[field])
  return {
    ...(valuesIn(featureFlags, pick(after, changed)) as Partial<Values>),
    ...(changed.includes('key') || changed.includes('name') ? searchColumns(after) : {}),
    ...(changed.includes('filters') ? rolloutColumns(analysis) : {}),
  }
}
