// Flags on the wire: what a caller may send, and what the service answers (spec "Feature flag", reference/flags-api.md §1.1, §3).
import * as z from 'zod'
import { UserSummary } from '../http/user-summary'
import { boolean, dateTime, dictionary, id, idIn, text, timestamp } from '../http/fields'
import { isKey, MISSPELT } from './key'

export const Runtime = z.enum(['server', 'client', 'all'])
export const BucketingIdentifier = z.enum(['distinct_id', 'device_id'])

const percentage = () => z.number().min(0).max(100)
const index = () => z.int().nullish()

const PropertyFilter = z
  .looseObject({
    key: z.string(),
    type: z.enum(['person', 'cohort', 'group', 'flag']),
    operator: z.string().nullish(),
    value: z.unknown().optional(),
    group_type_index: index(),
  })
  .meta({ id: 'PropertyFilter' })

const ConditionSet = z
  .looseObject({
    properties: z.array(PropertyFilter).nullish(),
    rollout_percentage: percentage().nullish(),
    variant: z.string().nullish(),
    aggregation_group_type_index: index(),
  })
  .meta({ id: 'ConditionSet' })

/** What `filters` looks like when it is read; writes are checked by flags/filters, whose messages name the place. */
export const Filters = z
  .looseObject({
    groups: z.array(ConditionSet),
    multivariate: z
      .looseObject({
        variants: z.array(z.looseObject({ key: z.string(), rollout_percentage: percentage() })),
      })
      .nullish(),
    payloads: z.record(z.string(), z.string()).optional(),
    aggregation_group_type_index: index(),
    holdout: z.looseObject({ id: z.int(), exclusion_percentage: percentage() }).nullish(),
    feature_enrollment: z.boolean().nullish(),
    early_exit: z.boolean().nullish(),
  })
  .meta({ id: 'FlagFilters' })

/** An object that is checked elsewhere; the document shows it as one of its schemas. */
export const shapedLike = (name: 'FlagFilters' | 'ConditionSet') =>
  dictionary().meta({ $ref: `#/components/schemas/${name}` })

const writableFields = {
  name: text({ blank: true, max: 10_000 }),
  key: text({ max: 400 }),
  filters: shapedLike('FlagFilters'),
  deleted: boolean(),
  active: boolean(),
  archived: boolean(),
  created_at: timestamp(),
  ensure_experience_continuity: boolean().nullable(),
  rollback_conditions: z.unknown(),
  performed_rollback: boolean().nullable(),
  tags: z.array(text({ max: 255, blank: true })).nullable(),
  // What is no list of names is told when every field is in order (reference §1.6).
  evaluation_contexts: z.unknown().meta({
    anyOf: [
      { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 }, maxItems: 50 },
      { type: 'null' },
    ],
  }),
  analytics_dashboards: z.array(z.unknown().meta({ type: 'integer' })),
  has_enriched_analytics: boolean().nullable(),
  creation_context: z.enum([
    'feature_flags',
    'experiments',
    'surveys',
    'early_access_features',
    'web_experiments',
    'product_tours',
  ]),
  is_remote_configuration: boolean().nullable(),
  has_encrypted_payloads: boolean().nullable(),
  evaluation_runtime: Runtime.nullable(),
  bucketing_identifier: BucketingIdentifier.nullable(),
  last_called_at: timestamp().nullable(),
  _create_in_folder: text({ blank: true }),
  _should_create_usage_dashboard: boolean(),
}

/** Every field optional, in the order in which failures are told. */
const optionalFields = z.object(writableFields).partial().shape

/** The body of create. Only `key` is required. Unknown fields are ignored. */
export const CreateFlagBody = z
  .object({
    ...optionalFields,
    // Here, and not where keys are looked up, so that it is told before what is wrong with later fields.
    key: writableFields.key.refine(isKey, { error: MISSPELT.detail, params: { code: MISSPELT.code } }),
  })
  .meta({ id: 'CreateFlag' })
export type CreateFlagBody = z.output<typeof CreateFlagBody>

/** The body of update. `version` and `original_flag` guard against overwriting what somebody else changed (reference §4.2). */
export const UpdateFlagBody = z
  .object({
    ...optionalFields,
    version: z.unknown().optional().meta({ type: 'integer' }),
    original_flag: z.unknown().optional().meta({ type: 'object' }),
  })
  .meta({ id: 'UpdateFlag' })
export type UpdateFlagBody = z.output<typeof UpdateFlagBody>

/** A flag as every read answers it. */
export const FlagRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    key: z.string(),
    filters: Filters,
    deleted: z.boolean(),
    active: z.boolean(),
    archived: z.boolean(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
    updated_at: dateTime(),
    version: z.int(),
    last_modified_by: UserSummary.nullable(),
    ensure_experience_continuity: z.boolean().nullable(),
    experiment_set: z.array(z.int()),
    experiment_set_metadata: z.array(z.object({ id: z.int(), name: z.string(), is_running: z.boolean() })),
    surveys: z.record(z.string(), z.object({ id: z.string(), name: z.string() })),
    features: z.record(z.string(), z.object({ id: z.string(), name: z.string(), stage: z.string() })),
    rollback_conditions: z.unknown(),
    performed_rollback: z.boolean().nullable(),
    can_edit: z.boolean(),
    tags: z.array(z.string()),
    evaluation_contexts: z.array(z.string()),
    usage_dashboard: z.int().nullable(),
    analytics_dashboards: z.array(z.int()),
    has_enriched_analytics: z.boolean().nullable(),
    user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']),
    is_remote_configuration: z.boolean().nullable(),
    has_encrypted_payloads: z.boolean().nullable(),
    status: z.enum(['ACTIVE', 'STALE', 'ARCHIVED', 'DELETED', 'UNKNOWN']),
    evaluation_runtime: Runtime.nullable(),
    bucketing_identifier: BucketingIdentifier.nullable(),
    last_called_at: dateTime().nullable(),
    is_used_in_replay_settings: z.boolean(),
    is_eligible_for_experiment: z.boolean(),
  })
  .meta({ id: 'FeatureFlag' })
export type FlagRecord = z.output<typeof FlagRecord>

/** The path of one flag. */
export const FlagPath = z.object({ id: id() })

/** A path segment of which anything but an id names nobody's, where a 404 has no body (spec "Errors"). */
export const idOrNone = () => z.preprocess((segment) => idIn(String(segment)), z.int()).meta({ minimum: 1 })

/** The flag-shaped body that three operations take and ignore (spec "Feature flags", rule 5). */
export const FlagShapedBody = z.looseObject({}).meta({ id: 'FlagShapedBody' })
