// Flags on the wire, and their documentation: docs/reference/flags.md#fields-of-a-flag.
import * as z from 'zod'
import { UserSummary } from '../http/user-summary'
import {
  boolean,
  dateTime,
  dictionary,
  id,
  idIn,
  integer,
  text,
  timestamp,
  withDocumentedDefaults,
} from '../http/fields'
import { MAX_TAGS } from '../tags'
import { CHOICE_FIELDS, type ChoiceField, type ChoiceOf, choicesOf, FIELDS, fieldsWith } from '../flag-fields'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { conditionSetExample, createFlagExample, firstVersionExample, flagExample } from './examples'
import { documentedAs, Filters } from './filters/schema'
import { isKey, MALFORMED_KEY } from './keys/key'
import { NEW_FLAG, pick, TRACKED_FIELDS } from './state'

/** The fields with a few possible values. */
const choiceFields = Object.fromEntries(
  CHOICE_FIELDS.map((name) => [name, z.enum(choicesOf(name)).nullable()]),
) as { [Name in ChoiceField]: z.ZodNullable<z.ZodEnum<{ [Choice in ChoiceOf<Name>]: Choice }>> }

const CreationContext = z.enum([
  'feature_flags',
  'experiments',
  'surveys',
  'early_access_features',
  'web_experiments',
  'product_tours',
])

const TIMESTAMP = 'ISO 8601, UTC, to the microsecond'

/** Docs of fields that are both sent and shown. */
const {
  deleted: _deleted,
  version: _versionDocs,
  ...sharedDocs
} = Object.fromEntries(Object.entries(FIELDS).map(([name, { meaning }]) => [name, meaning])) as Record<
  keyof typeof FIELDS,
  string
>
const fieldDocs = () => sharedDocs

const writableFields = {
  name: text({ blank: true, max: 10_000 }),
  key: text({ max: 400 }),
  filters: documentedAs('FlagFilters'),
  deleted: boolean(),
  active: boolean(),
  archived: boolean(),
  created_at: timestamp(),
  ensure_experience_continuity: boolean().nullable(),
  rollback_conditions: z.unknown(),
  performed_rollback: boolean().nullable(),
  tags: z
    .array(text({ max: 255, blank: true }))
    .max(MAX_TAGS)
    .nullable(),
  // `cleanContexts` rejects invalid values after all other fields.
  evaluation_contexts: z.unknown().meta({
    anyOf: [
      { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 }, maxItems: 50 },
      { type: 'null' },
    ],
  }),
  analytics_dashboards: z.array(z.unknown().meta({ type: 'integer' })),
  has_enriched_analytics: boolean().nullable(),
  creation_context: CreationContext,
  is_remote_configuration: boolean().nullable(),
  has_encrypted_payloads: boolean().nullable(),
  ...choiceFields,
  last_called_at: timestamp().nullable(),
  _create_in_folder: text({ blank: true }),
  _should_create_usage_dashboard: boolean(),
}

/** The optional fields, in the order in which failures are reported. */
const optionalFields = z.object(writableFields).partial().shape

/** Docs of fields in bodies. */
const sentFieldDocs = () => {
  const { filters: _filters, ...docs } = fieldDocs()
  return {
    ...docs,
    name: `${docs.name} At most 10,000 characters; may be blank.`,
    key: `${docs.key} Letters, digits, \`-\` and \`_\`; at most 400 characters.`,
    created_at: 'Time of creation (ISO 8601; without an offset, UTC).',
    tags: `${docs.tags} Replaces the whole set; null leaves it unchanged.`,
    evaluation_contexts: `${docs.evaluation_contexts} Trimmed and lower-cased. Replaces the whole set; null leaves it unchanged.`,
    analytics_dashboards: `${docs.analytics_dashboards} Replaces the whole set.`,
    creation_context: 'What the flag was created for. Updates ignore it.',
    last_called_at:
      'Time of the last call (ISO 8601; without an offset, UTC). Captured `$feature_flag_called` events update it.',
    _create_in_folder: 'Folder of the flag. Updates ignore it.',
    _should_create_usage_dashboard:
      'Whether to create a usage dashboard with a new flag; an update ignores it.',
  }
}

const PAYLOADS = 'Payloads may be any JSON; other values than text become JSON text. At most 524,288 bytes.'

/** Defaults that NEW_FLAG does not contain. */
const defaultDocs = (): Readonly<Record<string, unknown>> => ({
  ...NEW_FLAG,
  name: 'blank',
  created_at: 'now',
  tags: 'none',
  analytics_dashboards: 'none',
  creation_context: '`feature_flags`',
  ...Object.fromEntries(
    CHOICE_FIELDS.map((name) => [name, `\`${FIELDS[name].initial}\`; null means the same`]),
  ),
  _create_in_folder: `\`${NEW_FLAG_FOLDER}\``,
  _should_create_usage_dashboard: 'true',
})

/** Fields without a default to document: omitted filters depend on the kind of flag, and the time of creation on the clock. */
const {
  key: _key,
  filters: _filters,
  version: _version,
  rollback_conditions: _conditions,
  ...plainDefaults
} = NEW_FLAG

export const NEW_FLAG_FOLDER = 'Unfiled/Feature Flags'

const createFields = withDocumentedDefaults(optionalFields, {
  ...plainDefaults,
  tags: [],
  evaluation_contexts: [],
  analytics_dashboards: [],
  creation_context: 'feature_flags',
  _create_in_folder: NEW_FLAG_FOLDER,
  _should_create_usage_dashboard: true,
})

export const CreateFlagBody = z
  .object({
    ...createFields,
    // The key is checked here, so that its failure takes precedence over those of later fields.
    key: writableFields.key.refine(isKey, {
      error: MALFORMED_KEY.detail,
      params: { code: MALFORMED_KEY.code },
    }),
  })
  .meta({ id: 'CreateFlag' })
export type CreateFlagBody = z.output<typeof CreateFlagBody>

export const CreateFlagBodyDocs = (): SchemaDocs => ({
  description:
    'A new flag. Only `key` is required. Unknown fields are ignored, unless they are close to a known one (400).',
  fields: {
    ...Object.fromEntries(
      Object.entries(sentFieldDocs()).map(([field, meaning]) => [
        field,
        field === 'key' ? meaning : `${meaning} Default ${String(defaultDocs()[field])}.`,
      ]),
    ),
    filters: `Who gets the flag, and with which value; at least one condition set. Default: no one, or everyone with \`is_remote_configuration\`. ${PAYLOADS}`,
    deleted: 'True creates a deleted flag. Default false.',
    evaluation_contexts: `${sentFieldDocs().evaluation_contexts} Default none; a project may require one.`,
  },
  example: createFlagExample(),
})

export const UpdateFlagBody = z
  .object({
    ...optionalFields,
    version: integer().nullish(),
    original_flag: dictionary().nullish(),
  })
  .meta({ id: 'UpdateFlag' })
export type UpdateFlagBody = z.output<typeof UpdateFlagBody>

export const UpdateFlagBodyDocs = (): SchemaDocs => ({
  description:
    'Fields to change; the others keep their values. Unknown fields are ignored, unless they are close to a known one (400).',
  fields: {
    ...sentFieldDocs(),
    filters: `Replaces all filters, so that it has \`groups\`; an empty one is ignored. Without condition sets no one gets the flag. ${PAYLOADS}`,
    deleted: 'True deletes the flag, false restores it.',
    version:
      'The version that was read. With `original_flag`, a change of the same field by others is a 409; without it, the last write wins.',
    original_flag: 'The flag as it was read. Fields that equal it are not updated.',
  },
  example: { filters: { groups: [conditionSetExample(50)] } },
})

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
    creation_context: CreationContext,
    is_remote_configuration: z.boolean().nullable(),
    has_encrypted_payloads: z.boolean().nullable(),
    status: z.enum(['ACTIVE', 'STALE', 'ARCHIVED', 'DELETED', 'UNKNOWN']),
    ...choiceFields,
    last_called_at: dateTime().nullable(),
    _create_in_folder: z.string(),
    _should_create_usage_dashboard: z.boolean(),
    is_used_in_replay_settings: z.boolean(),
    is_eligible_for_experiment: z.boolean(),
  })
  .meta({ id: 'FeatureFlag' })
export type FlagRecord = z.output<typeof FlagRecord>

export const FlagRecordDocs = (): SchemaDocs => ({
  description: 'A feature flag: a switch that code reads by key, and rules for who gets it.',
  fields: {
    ...fieldDocs(),
    id: 'Id of the flag, unique in the service. Read-only.',
    deleted: 'Whether the flag is deleted. A deleted flag is in no list and is not evaluated.',
    created_by: 'User who created the flag; null if unknown. Read-only.',
    created_at: `Time of creation (${TIMESTAMP}).`,
    updated_at: `Time of the last update (${TIMESTAMP}). Read-only.`,
    version: 'Number of the version: 1 for a new flag, one more with each update. Read-only.',
    last_modified_by: 'User who last updated the flag; null if unknown. Read-only.',
    experiment_set: 'Ids of the experiments on the flag. Read-only.',
    experiment_set_metadata: 'The same experiments, by id. Read-only.',
    'experiment_set_metadata.id': 'Id of the experiment.',
    'experiment_set_metadata.name': 'Name of the experiment.',
    'experiment_set_metadata.is_running': 'Whether it has started and not ended.',
    surveys: 'Surveys that the flag targets, by id. Read-only.',
    'surveys.id': 'Id of the survey.',
    'surveys.name': 'Name of the survey.',
    features: 'Early-access features that the flag controls, by id. Read-only.',
    'features.id': 'Id of the feature.',
    'features.name': 'Name of the feature.',
    'features.stage': 'Stage of the feature, such as `alpha` or `beta`.',
    can_edit: 'Whether the caller may update the flag: false for viewers. Read-only.',
    usage_dashboard: 'Id of the usage dashboard; null for none. Read-only.',
    user_access_level:
      'Access of the caller: `viewer` for viewers, `manager` for admins and the creator of the flag, else `editor`. Read-only.',
    status:
      'Status in capitals; the operation `status` gives the reason. `STALE`: not called in 30 days, or never called, older than 30 days and fully rolled out. Read-only.',
    creation_context: 'What the flag was created for.',
    _create_in_folder: 'The folder that was sent with the new flag.',
    _should_create_usage_dashboard: 'Whether the new flag was to get a usage dashboard.',
    is_used_in_replay_settings: 'Whether session replay records only people with the flag. Read-only.',
    is_eligible_for_experiment: 'Whether the flag has 2 to 20 variants. Read-only.',
  },
  example: flagExample(),
})

const DEFINITION_FIELDS = ['id', ...fieldsWith('public')] as const

/** Fields of a public definition. */
export const definitionFields = { ...pick(FlagRecord.shape, DEFINITION_FIELDS), team_id: z.int() }

/** Documentation of a public definition that is `field` of another schema. */
export const describeDefinition = (field: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    DEFINITION_FIELDS.map((each) => [`${field}.${each}`, FlagRecordDocs().fields![each]!]),
  ),
  [`${field}.team_id`]: 'Id of the project.',
  [`${field}.deleted`]: 'Always false: deleted flags are excluded.',
})

export const FlagVersion = z
  .object({
    id: z.int(),
    ...z.object(pick(FlagRecord.shape, TRACKED_FIELDS)).omit({ archived: true }).shape,
    created_at: dateTime(),
    created_by: z.int().nullable(),
    is_historical: z.boolean(),
    version_timestamp: dateTime(),
    modified_by: z.int().nullable(),
  })
  .meta({ id: 'FeatureFlagVersion' })
export type FlagVersion = z.output<typeof FlagVersion>

export const FlagVersionDocs = (): SchemaDocs => ({
  description:
    'A flag at one of its versions, rebuilt from the activity log. Fields that the log does not have, such as tags, are absent. Read-only.',
  fields: {
    ...pick(
      fieldDocs(),
      TRACKED_FIELDS.filter(
        (field) => field in FlagVersion.shape && field in fieldDocs(),
      ) as (keyof ReturnType<typeof fieldDocs>)[],
    ),
    id: 'Id of the flag.',
    deleted: 'Whether the flag was deleted.',
    version: 'Number of this version, from 1.',
    created_at: `Time of creation of the flag, as it was at this version (${TIMESTAMP}).`,
    created_by: 'Id of the user who created the flag; null if unknown.',
    is_historical: 'False for the current version.',
    version_timestamp: `Time of creation of this version (${TIMESTAMP}).`,
    modified_by: 'Id of the user who made this version; null if unknown.',
  },
  example: firstVersionExample(),
})

/** The id of a flag in a path. People send the key instead, so that the error says what the path takes. */
const flagId = () =>
  z.preprocess((segment, context) => {
    if (!/^\d{1,15}$/.test(String(segment)))
      context.addIssue({
        code: 'custom',
        message: 'Not found. The path takes the id of a flag, not its key: bulk_keys and the list show both.',
      })
    return segment
  }, id())

export const FlagPath = z.object({ id: flagId() })

/** A path segment where anything but an id is a 404 without a body. */
export const idOrNone = () => z.preprocess((segment) => idIn(String(segment)), z.int()).meta({ minimum: 1 })

/** A body that clients send where it is ignored. The schema is documentation only, and accepts anything. */
export const FlagShapedBody = z
  .looseObject({
    ...optionalFields,
    version: z.int().default(0),
    _should_create_usage_dashboard: boolean().default(true),
  })
  .meta({ id: 'FlagShapedBody' })

export const IgnoredBody = z.looseObject({})

export const FlagShapedBodyDocs = (): SchemaDocs => ({
  description: 'Clients send the flag here; the content is ignored.',
  fields: {
    ...sentFieldDocs(),
    filters: 'Who gets the flag, and with which value.',
    deleted: 'Whether the flag is deleted.',
    version: 'Number of the version.',
  },
  example: {},
})
