// Bodies, paths and records of endpoints (docs/reference/endpoints.md#fields-of-a-saved-query).
import * as z from 'zod'
import { MAX_TAGS } from '../tags'
import { strictBody } from '../http/body/strict-body'
import { UserSummary } from '../http/user-summary'
import { boolean, dateTime, dictionary, integerIn, withDocumentedDefaults } from '../http/fields'
import type { SchemaDocs } from '../http/docs/operation-docs'
import {
  createExample,
  endpointExample,
  EXAMPLE_CREATED_AT,
  EXAMPLE_NAME,
  EXAMPLE_VERSION_ID,
  updatedExample,
  updateExample,
} from './endpoint-example'
import { DEFAULT_FRESHNESS, MAX_INSIGHT_ID, MAX_TAG, NAME, notAnInteger } from './field-checks'
import { INSIGHT_KINDS } from './query/query-types'
import { WRAPPER_KINDS } from './query/source-query'

const QUERY_FORM =
  'Input should be an object such as {"kind": "HogQLQuery", "query": "SELECT count() FROM events"}.'

/** A schema that rejects text with an error that shows an example of a query. */
const queryObject = () =>
  z
    .unknown()
    .refine((value) => dictionary().nullish().safeParse(value).success, { error: QUERY_FORM })
    .transform((value) => value as Record<string, unknown> | null | undefined)

/** Fields of create and update. `field-checks.ts` checks their values beyond their types. */
const writableFields = {
  name: z.string().nullish().meta({ maxLength: 128, pattern: NAME.source }),
  query: queryObject()
    .optional()
    .meta({ type: ['object', 'null'], additionalProperties: true }),
  description: z.string().nullish(),
  data_freshness_seconds: z.int().nullish(),
  is_active: boolean().nullish(),
  is_materialized: boolean().nullish(),
  derived_from_insight: z.string().nullish().meta({ maxLength: MAX_INSIGHT_ID }),
  version: z
    .unknown()
    .optional()
    .meta({ type: ['integer', 'null'] }),
  bucket_overrides: z.record(z.string(), z.string()).nullish(),
  deleted: boolean().nullish(),
  tags: z
    .array(z.string().meta({ maxLength: MAX_TAG }))
    .nullish()
    .meta({ maxItems: MAX_TAGS }),
  optional_breakdown_properties: z.array(z.string()).nullish(),
}

const createFields = withDocumentedDefaults(writableFields, {
  description: '',
  data_freshness_seconds: DEFAULT_FRESHNESS,
  is_active: true,
  is_materialized: false,
  derived_from_insight: null,
  bucket_overrides: null,
  tags: [],
  optional_breakdown_properties: [],
})

export const CreateEndpointBody = strictBody(createFields).meta({
  id: 'CreateEndpoint',
  required: ['name', 'query'],
})
export type EndpointBody = z.output<typeof CreateEndpointBody>

const KINDS = ['HogQLQuery', ...INSIGHT_KINDS, ...WRAPPER_KINDS].map((kind) => `\`${kind}\``).join(', ')
const FRESHNESS = '900, 1800, 3600, 21600, 43200, 86400 or 604800'
const BUCKETS =
  'By column, the unit by whose periods materialized rows have it, for bounds of range variables that begin one: `minute`, `fifteen_minutes`, `hour`, `day`, `week` or `month`. Default of a datetime column: `day`'
const OPTIONAL_BREAKDOWNS =
  'Breakdowns of a `TrendsQuery` or `RetentionQuery` that a run of materialized rows may leave out; the run then aggregates over all their values'

export const CreateEndpointBodyDocs = (): SchemaDocs => ({
  description: 'A new endpoint. `name` and `query` are required; unknown fields are rejected.',
  fields: {
    name: 'Name in the path; cannot be changed. A letter, then letters, digits, `-` and `_`, at most 128 characters. Unique in the project; not `last_execution_times`, `materialization_conditions` or `bulk_update_tags`.',
    query: `An object whose \`kind\` is one of ${KINDS}; a \`HogQLQuery\` has its SQL in \`query\`, where \`{variables.code_name}\` reads a variable of the project.`,
    description: 'Purpose of the endpoint. Default: empty.',
    data_freshness_seconds: `Maximum age of a result in seconds: ${FRESHNESS}. Default 86400 (a day). Materialized rows are rebuilt at this interval.`,
    is_active: 'Whether the endpoint can be run. Default true.',
    is_materialized:
      'Whether the rows are stored in a table that is built in the background. Default false. Rejected for a query that cannot be materialized.',
    derived_from_insight: 'Short id of the insight that the query comes from, at most 12 characters.',
    version: 'Must be an integer. It has no effect: the first version is 1.',
    bucket_overrides: `${BUCKETS}. Default: none.`,
    deleted: 'True is rejected: a new endpoint exists.',
    tags: 'At most 100 labels of at most 255 characters. Stored trimmed, in lower case, without duplicates. Default: none.',
    optional_breakdown_properties: `${OPTIONAL_BREAKDOWNS}. Default: none.`,
  },
  example: createExample(),
})

/** See docs/reference/endpoints.md#life-cycle-of-materialized-rows. */
export const MaterializationRecord = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    ready: z.boolean(),
    hibernated: z.boolean(),
    can_materialize: z.boolean(),
    /** This field is present only while `enabled` is false. */
    reason: z.string().nullable().optional(),
    /** This field and all below are present only while `enabled` is true. */
    status: z.enum(['Running', 'Completed', 'Failed', 'Cancelled', 'Modified', 'Unknown']).optional(),
    last_materialized_at: dateTime().nullable().optional(),
    error: z.string().optional(),
    saved_query_id: z.uuid().optional(),
  })
  .meta({ id: 'EndpointMaterialization' })
export type MaterializationRecord = z.output<typeof MaterializationRecord>

export const MaterializationRecordDocs = (): SchemaDocs => ({
  description: 'State of the materialization of a version, and of its last build.',
  fields: {
    name: 'Name of the endpoint.',
    enabled: 'Whether the rows are materialized: built in the background, and rebuilt when they are stale.',
    ready: 'Whether runs can read materialized rows. A later build that fails does not remove them.',
    hibernated:
      'Whether the rows were dropped because no key ran the version for 30 days. The next run by a key rebuilds them.',
    can_materialize: 'Whether the query can be materialized.',
    reason: 'Why the query cannot be materialized; null when it can. Only where `enabled` is false.',
    status: 'Status of the last build. Only where `enabled` is true.',
    last_materialized_at:
      'Time of the rows (ISO 8601, UTC); null before the first build is complete. Only where `enabled` is true.',
    error: 'Why the last build failed; empty when it did not. Only where `enabled` is true.',
    saved_query_id: 'Id of the materialization in the activity log. Only where `enabled` is true.',
  },
  example: {
    name: EXAMPLE_NAME,
    enabled: true,
    ready: true,
    can_materialize: true,
    status: 'Completed',
    last_materialized_at: '2026-04-02T09:50:00.603000Z',
    error: '',
    saved_query_id: '019d4d99-8540-734f-b0f4-c305d04e25b6',
  },
})

const recordFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  query: z.looseObject({ kind: z.enum(['HogQLQuery', ...INSIGHT_KINDS, ...WRAPPER_KINDS]) }),
  is_active: z.boolean(),
  data_freshness_seconds: z.int(),
  endpoint_path: z.string(),
  url: z.string().nullable(),
  ui_url: z.string().nullable(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: UserSummary.nullable(),
  is_materialized: z.boolean(),
  current_version: z.int(),
  current_version_id: z.uuid(),
  versions_count: z.int(),
  derived_from_insight: z.string().nullable(),
  last_executed_at: dateTime().nullable(),
  materialization: MaterializationRecord,
  bucket_overrides: z.record(z.string(), z.string()).nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['integer', 'float', 'string', 'datetime', 'date', 'boolean', 'array', 'json', 'unknown']),
    }),
  ),
  tags: z.array(z.string()),
  optional_breakdown_properties: z.array(z.string()),
}

export const EndpointRecord = z.object(recordFields).meta({ id: 'Endpoint' })
export type EndpointRecord = z.output<typeof EndpointRecord>

/** A remark about a position in a query. */
export const Notice = z.object({
  message: z.string(),
  start: z.int().nullable(),
  end: z.int().nullable(),
  fix: z.string().nullable(),
})

export const CreatedEndpointRecord = EndpointRecord.extend({
  warnings: z.array(Notice).optional(),
}).meta({ id: 'CreatedEndpoint' })
export type CreatedEndpointRecord = z.output<typeof CreatedEndpointRecord>

export const UpdatedEndpointRecord = CreatedEndpointRecord.extend({
  materialization_error: z.string().optional(),
}).meta({ id: 'UpdatedEndpoint' })
export type UpdatedEndpointRecord = z.output<typeof UpdatedEndpointRecord>

const TIME = 'ISO 8601, UTC, microseconds'

const sharedFieldDocs = () => ({
  id: 'Id of the endpoint, the same for all its versions. Read-only.',
  name: 'Name in the path. Cannot be changed.',
  description: 'Purpose of the endpoint; may be empty.',
  query: 'The query with every key of its kind; keys that were not sent have their default, mostly null.',
  'query.kind': 'Kind of the query; it determines the other keys.',
  data_freshness_seconds:
    'Maximum age of a result in seconds, and the rebuild interval of materialized rows.',
  endpoint_path: 'Path that runs the endpoint. Read-only.',
  created_at: `Time of creation (${TIME}). Read-only.`,
  updated_at: `Time of the last change to the endpoint or one of its versions (${TIME}). Read-only.`,
  created_by: 'Creator of the endpoint; null when it was no user. Read-only.',
  is_materialized:
    'Whether a table with the rows exists. False until the first build is complete. An update sets whether there should be one.',
  versions_count:
    'Number of versions the endpoint has had: the number of the current one. Old versions are deleted. Read-only.',
  derived_from_insight: 'Short id of the insight that the query comes from; null for none.',
  materialization: 'State of the materialization of the version. Read-only.',
  bucket_overrides:
    'By column, the unit to which materialized rows round the bounds of range variables; null for the default.',
  columns:
    'Columns of the result, in order, as of the creation of the version. Empty for insights, whose results have their own shape. Read-only.',
  'columns.name': 'Name of the column: its alias, else the text of its expression.',
  'columns.type': 'Type of its values; `unknown` for a column that is always NULL.',
  tags: 'Labels, in alphabetical order. They belong to the endpoint, not to a version.',
  optional_breakdown_properties: 'Breakdowns that a run of materialized rows may leave out.',
})

const endpointFieldDocs = () => ({
  ...sharedFieldDocs(),
  is_active: 'Whether the endpoint can be run. A run of an inactive one responds with 404.',
  url: 'URL that runs the endpoint. Read-only.',
  ui_url: 'Page of the endpoint on this service, for signed-in users. Read-only.',
  current_version: 'Number of the version that runs by default, from 1. Read-only.',
  current_version_id: 'Id of that version. Read-only.',
  last_executed_at:
    'Time of the last run of any version by a key (ISO 8601, UTC, microseconds); null for never. Written right after the response of the run. Runs of sessions do not count. Read-only.',
})

export const EndpointRecordDocs = (): SchemaDocs => ({
  description: 'A named query that can be run. Fields of a version are those of the current one.',
  fields: endpointFieldDocs(),
  example: endpointExample(),
})

const writtenFieldDocs = () => ({
  ...endpointFieldDocs(),
  warnings:
    'Misspelt names of properties and events, and sums of texts, in a new query. Only when there are any.',
  'warnings.message': 'The warning, in English.',
  'warnings.start': 'Offset of the first character in the text of the query, in UTF-16 units.',
  'warnings.end': 'Offset after the last character.',
  'warnings.fix': 'Text that may replace the part from `start` to `end`; null without a suggestion.',
})

export const CreatedEndpointRecordDocs = (): SchemaDocs => ({
  description: 'An endpoint after its creation.',
  fields: writtenFieldDocs(),
  example: endpointExample(),
})

export const UpdatedEndpointRecordDocs = (): SchemaDocs => ({
  description: 'An endpoint after an update.',
  fields: {
    ...writtenFieldDocs(),
    materialization_error:
      'Why the new version was not materialized although the previous one was. Only then; all other changes were made.',
  },
  example: updatedExample(),
})

export const EndpointVersionRecord = z
  .object({
    ...recordFields,
    version: z.int(),
    version_id: z.uuid(),
    endpoint_is_active: z.boolean(),
    version_created_at: dateTime(),
    version_updated_at: dateTime().nullable(),
    version_created_by: UserSummary.nullable(),
  })
  .meta({ id: 'EndpointVersion' })
export type EndpointVersionRecord = z.output<typeof EndpointVersionRecord>

/** Every field of the records of endpoints and of their versions. */
export const AnyEndpointRecord = UpdatedEndpointRecord.extend(EndpointVersionRecord.shape)

/** The body of an update. Clients send whole records back, so that the read-only fields of records are ignored. */
export const UpdateEndpointBody = strictBody(
  writableFields,
  Object.keys(AnyEndpointRecord.shape).filter((field) => !(field in writableFields)),
).meta({ id: 'UpdateEndpoint' })

export const UpdateEndpointBodyDocs = (): SchemaDocs => ({
  description:
    'Fields to change; the others keep their values. Read-only fields of the record are ignored; unknown fields are rejected.',
  fields: {
    name: 'No effect: a name cannot be changed. Accepted so that a whole record can be sent back.',
    query:
      'New query, as for creating an endpoint. A query that differs from the current one becomes a new version. With `version`, only the query of that version is accepted.',
    description: 'Purpose of the endpoint; null keeps it. Belongs to the version.',
    data_freshness_seconds: `Maximum age of a result in seconds: ${FRESHNESS}; null means 86400. Belongs to the version.`,
    is_active:
      'Whether the endpoint, or with `version` that version, can be run. False also ends its materialization. Null keeps it.',
    is_materialized:
      'True stores the rows of the version in a table, false ends that; null keeps it. A new version is materialized when the previous one was.',
    derived_from_insight: 'No effect: read at creation only.',
    version:
      'Number of the version to change and return instead of the current one. Takes precedence over `version` in the URL.',
    bucket_overrides: `${BUCKETS}. Null removes all; a change rebuilds the rows. Belongs to the version.`,
    deleted: 'True deletes the endpoint, not a version. The response is then `{"success": true}`.',
    tags: 'Replaces all labels: at most 100 of at most 255 characters; null keeps them. Stored trimmed, in lower case, without duplicates.',
    optional_breakdown_properties: `${OPTIONAL_BREAKDOWNS}. Null means none. Belongs to the version.`,
  },
  example: updateExample(),
})

export const EndpointVersionRecordDocs = (): SchemaDocs => ({
  description:
    'An endpoint at one of its versions. A version has no URL of its own: run the endpoint with `version`.',
  fields: {
    ...sharedFieldDocs(),
    is_active: 'Whether this version can be run.',
    url: 'Always null.',
    ui_url: 'Always null.',
    current_version: 'Number of the current version of the endpoint. Read-only.',
    current_version_id: 'Id of this version, as `version_id`. Read-only.',
    last_executed_at:
      'Time of the last run of this version by a key (ISO 8601, UTC, microseconds); null for never. Read-only.',
    version: 'Number of this version, from 1. Read-only.',
    version_id: 'Id of this version. Read-only.',
    endpoint_is_active: 'Whether the endpoint can be run at all.',
    version_created_at: `Time of creation of this version (${TIME}). Read-only.`,
    version_updated_at: `Time of the last change to this version (${TIME}); null for never. Read-only.`,
    version_created_by: 'Creator of this version; null when it was no user. Read-only.',
  },
  example: {
    ...endpointExample(),
    url: null,
    ui_url: null,
    version: 1,
    version_id: EXAMPLE_VERSION_ID,
    endpoint_is_active: true,
    version_created_at: EXAMPLE_CREATED_AT,
  },
})

export const EndpointPath = z.object({ name: z.string() })

export const versionQuery = {
  version: z
    .string()
    .refine((value) => integerIn(value) !== null, { error: ({ input }) => notAnInteger(input) })
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1 }),
}
