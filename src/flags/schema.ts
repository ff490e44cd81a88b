// Flags on the wire: what a caller may send, and what the service answers (spec "Feature flag", reference/flags-api.md §1.1, §3).
import * as z from 'zod'
import { UserSummary } from '../account/user-summary'
import { boolean, dictionary, id, text, timestamp } from '../http/fields'

const EXAMPLE_FILTERS = {
  groups: [
    {
      properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
      rollout_percentage: 50,
      variant: null,
    },
  ],
}

export const Runtime = z.enum(['server', 'client', 'all'])
export const BucketingIdentifier = z.enum(['distinct_id', 'device_id'])

/** What `filters` looks like when it is read; writes are checked by flags/filters, whose messages name the place. */
export const Filters = z
  .looseObject({
    groups: z
      .array(z.looseObject({}))
      .describe(
        'Condition sets, tried in order; the first that matches decides. Each has `properties`, `rollout_percentage` and `variant`.',
      ),
    multivariate: z
      .looseObject({ variants: z.array(z.looseObject({ key: z.string(), rollout_percentage: z.number() })) })
      .nullish()
      .describe('Variants with shares that sum to 100. Null: a boolean flag.'),
    payloads: z
      .record(z.string(), z.string())
      .nullish()
      .describe('JSON text by variant key, or under `true`.'),
    aggregation_group_type_index: z
      .int()
      .nullish()
      .describe('Group type that the flag is about. Null: persons, or mixed.'),
    holdout: z.looseObject({ id: z.int(), exclusion_percentage: z.number() }).nullish(),
    feature_enrollment: z.boolean().nullish(),
    early_exit: z.boolean().nullish().describe('A missed rollout ends the evaluation.'),
  })
  .meta({
    id: 'FlagFilters',
    description: 'Who gets the flag, and with which value.',
    examples: [EXAMPLE_FILTERS],
  })

const writableFields = {
  name: text({ blank: true, max: 10_000 }).describe('What the flag is for, in words.'),
  key: text({ max: 400 }).describe(
    'What code asks for. Letters, numbers, `-` and `_`; unique in the project.',
  ),
  filters: dictionary().meta({
    description: 'Who gets the flag, as in FlagFilters.',
    examples: [EXAMPLE_FILTERS],
  }),
  deleted: boolean().describe(
    'True deletes the flag, false restores it. This is the only way to delete one.',
  ),
  active: boolean().describe('An inactive flag is off for everybody. Default true.'),
  archived: boolean().describe('Hidden from lists. Only an inactive flag can be archived.'),
  created_at: timestamp().describe('Default: now.'),
  ensure_experience_continuity: boolean()
    .nullable()
    .describe('Keep the answer when an anonymous user signs in.'),
  rollback_conditions: z.unknown().describe('Opaque; kept as sent.'),
  performed_rollback: boolean().nullable(),
  tags: z
    .array(text({ max: 255, blank: true }))
    .nullable()
    .describe('Replaces the whole set. Lower-cased.'),
  evaluation_contexts: z
    .array(z.unknown())
    .nullable()
    .meta({
      description: 'Where the flag may evaluate; replaces the whole set. At most 50 names of 255 characters.',
      items: { type: 'string' },
    }),
  analytics_dashboards: z
    .array(z.unknown())
    .meta({ description: 'Ids of dashboards of the project.', items: { type: 'integer' } }),
  has_enriched_analytics: boolean().nullable(),
  creation_context: z
    .enum([
      'feature_flags',
      'experiments',
      'surveys',
      'early_access_features',
      'web_experiments',
      'product_tours',
    ])
    .describe('Where the flag was made. Write-only.'),
  is_remote_configuration: boolean().nullable().describe('The flag carries a payload and targets everybody.'),
  has_encrypted_payloads: boolean()
    .nullable()
    .describe('Payloads are encrypted at rest. Only with `is_remote_configuration`.'),
  evaluation_runtime: Runtime.nullable().describe('Where SDKs evaluate the flag. Default `all`.'),
  bucketing_identifier: BucketingIdentifier.nullable().describe(
    'What decides who is in a percentage. Default `distinct_id`.',
  ),
  last_called_at: timestamp().nullable(),
  _create_in_folder: text({ blank: true }).describe('Write-only. Default `Unfiled/Feature Flags`.'),
  _should_create_usage_dashboard: boolean().describe(
    'Write-only. Default true: a dashboard for the flag is made with it.',
  ),
}

/** Every field optional, in the order in which failures are told. */
const optionalFields = z.object(writableFields).partial().shape

/** The body of create. Only `key` is required. Unknown fields are ignored. */
export const CreateFlagBody = z.object({ ...optionalFields, key: writableFields.key }).meta({
  id: 'CreateFlag',
  examples: [{ key: 'new-checkout', name: 'New checkout', filters: EXAMPLE_FILTERS }],
})
export type CreateFlagBody = z.output<typeof CreateFlagBody>

/** The body of update. `version` and `original_flag` guard against overwriting what somebody else changed (reference §4.2). */
export const UpdateFlagBody = z
  .object({
    ...optionalFields,
    version: z
      .unknown()
      .optional()
      .meta({ description: 'The version that the caller read.', type: 'integer' }),
    original_flag: z
      .unknown()
      .optional()
      .meta({ description: 'The flag as the caller read it.', type: 'object' }),
  })
  .meta({ id: 'UpdateFlag', examples: [{ active: false }] })
export type UpdateFlagBody = z.output<typeof UpdateFlagBody>

const dateTime = () => z.string().meta({ format: 'date-time' })

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
    version: z.int().describe('Counts up by one with every update.'),
    last_modified_by: UserSummary.nullable(),
    ensure_experience_continuity: z.boolean().nullable(),
    experiment_set: z.array(z.int()).describe('Ids of the experiments that run on the flag.'),
    experiment_set_metadata: z.array(
      z.object({ id: z.int(), name: z.string(), is_running: z.boolean().describe('Started and not ended.') }),
    ),
    surveys: z.record(z.string(), z.unknown()).describe('Linked surveys by id.'),
    features: z.record(z.string(), z.unknown()).describe('Linked early-access features by id.'),
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
    is_eligible_for_experiment: z.boolean().describe('It has 2 to 20 variants.'),
  })
  .meta({ id: 'FeatureFlag' })
export type FlagRecord = z.output<typeof FlagRecord>

/** The path of one flag. */
export const FlagPath = z.object({ id: id().describe('Id of the flag.') })

/** The flag-shaped body that three operations take and ignore (spec "Feature flags", rule 5). */
export const FlagShapedBody = z
  .looseObject({})
  .meta({ id: 'FlagShapedBody', description: 'A flag, ignored.', examples: [{}] })
