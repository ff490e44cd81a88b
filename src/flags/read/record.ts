import { ADMIN, MEMBER, userOf } from '../../auth/actor'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import type { Viewer } from '../context'
import { type Rollout, rolloutOf } from '../filters/analysis'
import type { FlagFilters, Property } from '../filters/flag-filters'
import { shownPayload } from '../payloads'
import type { FlagRecord } from '../schema'
import { stateOf } from '../state'
import type { FlagRow } from './rows'
import { statusOf } from './status'

/**
 * Returns a flag as `viewer` may see it. Encrypted payloads are readable with an API key only.
 * @param row shared with other requests: the record refers to its sets, and changes nothing
 * @param rollout of the row's filters, if it is known
 */
export async function recordFrom(
  row: FlagRow,
  viewer: Viewer,
  rollout: Rollout = rolloutOf(row.filters),
): Promise<FlagRecord> {
  const state = stateOf(row)
  const filters = withCohortNames(row.filters, row.cohort_names)
  return {
    ...(state as Pick<FlagRecord, keyof typeof state>),
    id: row.id,
    filters: row.has_encrypted_payloads ? await withReadablePayloads(filters, viewer) : filters,
    created_by: row.created_by,
    created_at: toApiTimestamp(row.created_at),
    updated_at: toApiTimestamp(row.updated_at),
    last_modified_by:
      row.last_modified_by ?? (row.last_modified_by_id === row.created_by_id ? row.created_by : null),
    last_called_at: toApiTimestampOrNull(row.last_called_at),
    experiment_set: row.experiments.map(({ id }) => id),
    experiment_set_metadata: row.experiments,
    surveys: row.surveys,
    features: row.features,
    can_edit: viewer.project.membershipLevel >= MEMBER,
    tags: row.tags,
    evaluation_contexts: row.evaluation_contexts,
    usage_dashboard: row.usage_dashboard_id,
    analytics_dashboards: row.analytics_dashboards,
    user_access_level: accessLevel(row, viewer),
    status: statusOf(row, viewer.now, rollout).status.toUpperCase() as FlagRecord['status'],
    creation_context: row.creation_context as FlagRecord['creation_context'],
    _create_in_folder: row.folder,
    _should_create_usage_dashboard: row.should_create_usage_dashboard,
    is_used_in_replay_settings: row.used_in_replay === 1,
    is_eligible_for_experiment: rollout.variantCount >= 2 && rollout.variantCount <= 20,
  }
}

/** Returns the access level. Admins and the creator of the flag manage it, viewers read it, and every other member edits it. */
function accessLevel(row: FlagRow, { actor, project }: Viewer): FlagRecord['user_access_level'] {
  if (project.membershipLevel < MEMBER) return 'viewer'
  const isCreator = row.created_by_id !== null && row.created_by_id === userOf(actor)?.id
  return isCreator || project.membershipLevel >= ADMIN ? 'manager' : 'editor'
}

/** Adds names of cohorts for display. Writes drop them again. */
function withCohortNames(filters: FlagFilters, names: Record<string, string>): FlagFilters {
  if (Object.keys(names).length === 0) return filters
  const named = (property: Property): Property =>
    property.type === 'cohort' && Object.hasOwn(names, String(property.value))
      ? { ...property, cohort_name: names[String(property.value)] }
      : property
  return {
    ...filters,
    groups: filters.groups.map((set) => ({ ...set, properties: set.properties?.map(named) })),
  }
}

async function withReadablePayloads(filters: FlagFilters, viewer: Viewer): Promise<FlagFilters> {
  if (!filters.payloads) return filters
  const readable = Object.entries(filters.payloads).map(
    async ([key, value]) => [key, await shownPayload(value, viewer)] as const,
  )
  return { ...filters, payloads: Object.fromEntries(await Promise.all(readable)) as Record<string, string> }
}
