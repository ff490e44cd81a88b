// From a row to a flag as it is shown.
import { userSummaryFrom } from '../http/user-summary'
import { type Actor, ADMIN, type Project, userOf } from '../auth/actor'
import { shown, shownOrNull } from '../timestamps'
import { type FlagFilters, type Property, variantsOf } from './filters/shape'
import type { PayloadCipher } from './payload-cipher'
import { shownPayload } from './payloads'
import type { FlagRow } from './rows'
import type { FlagRecord } from './schema'
import { statusOf } from './status'

export interface Viewer {
  actor: Actor
  project: Pick<Project, 'membershipLevel'>
  now: Date
  cipher: PayloadCipher
}

/** A flag as `viewer` may see it: payloads that are encrypted at rest are readable with an API key only (reference §1.7). */
export async function recordFrom(row: FlagRow, viewer: Viewer): Promise<FlagRecord> {
  const filters = withCohortNames(row.filters, JSON.parse(row.cohortNames) as Record<string, string>)
  const variants = variantsOf(row.filters).length
  const experiments = JSON.parse(row.experiments) as FlagRecord['experiment_set_metadata']
  return {
    id: row.id,
    name: row.name,
    key: row.key,
    filters: row.hasEncryptedPayloads ? await withReadablePayloads(filters, viewer) : filters,
    deleted: row.deleted,
    active: row.active,
    archived: row.archived,
    created_by: userSummaryFrom(row.createdBy),
    created_at: shown(row.createdAt),
    updated_at: shown(row.updatedAt),
    version: row.version,
    last_modified_by: userSummaryFrom(row.lastModifiedBy),
    ensure_experience_continuity: row.ensureExperienceContinuity,
    experiment_set: experiments.map(({ id }) => id),
    experiment_set_metadata: experiments,
    surveys: JSON.parse(row.surveys) as FlagRecord['surveys'],
    features: JSON.parse(row.features) as FlagRecord['features'],
    rollback_conditions: row.rollbackConditions,
    performed_rollback: row.performedRollback,
    can_edit: true,
    tags: JSON.parse(row.tags) as string[],
    evaluation_contexts: JSON.parse(row.evaluationContexts) as string[],
    usage_dashboard: row.usageDashboardId,
    analytics_dashboards: JSON.parse(row.dashboards) as number[],
    has_enriched_analytics: row.hasEnrichedAnalytics,
    user_access_level: accessLevel(row, viewer),
    is_remote_configuration: row.isRemoteConfiguration,
    has_encrypted_payloads: row.hasEncryptedPayloads,
    status: statusOf(row, viewer.now).status.toUpperCase() as FlagRecord['status'],
    evaluation_runtime: row.evaluationRuntime as FlagRecord['evaluation_runtime'],
    bucketing_identifier: row.bucketingIdentifier as FlagRecord['bucketing_identifier'],
    last_called_at: shownOrNull(row.lastCalledAt),
    is_used_in_replay_settings: row.usedInReplay === 1,
    is_eligible_for_experiment: variants >= 2 && variants <= 20,
  }
}

/** Admins and the flag's creator manage it; every other member edits it. */
function accessLevel(row: FlagRow, { actor, project }: Viewer): FlagRecord['user_access_level'] {
  const isCreator = row.createdById !== null && row.createdById === userOf(actor)?.id
  return isCreator || project.membershipLevel >= ADMIN ? 'manager' : 'editor'
}

/** Display data for whoever edits the conditions; writes drop it again. */
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
