// Endpoints on the wire: what a caller may send, and what the service answers (spec "Saved query endpoint",
// reference/endpoints-api.md §1.1, §2.1, §2.2).
import * as z from 'zod'
import { UserSummary } from '../account/user-summary'
import { boolean, dictionary } from '../http/fields'

const EXAMPLE_QUERY = {
  kind: 'HogQLQuery',
  query:
    'SELECT event, count() AS total FROM events WHERE timestamp >= now() - INTERVAL 7 DAY GROUP BY event ORDER BY total DESC LIMIT 10',
}

const EXAMPLE_ENDPOINT = { name: 'top-events', description: 'What happened most.', query: EXAMPLE_QUERY }

/**
 * The body of create and update: every field optional, an unknown one refused. What a field may hold beyond its type is checked by the
 * verbs, whose messages name the field.
 */
const writableFields = {
  name: z
    .string()
    .nullish()
    .describe(
      'What stands in the path: a letter, then letters, digits, `-` and `_`, 128 at most. Cannot be changed.',
    ),
  query: dictionary()
    .nullish()
    .meta({
      description:
        'What is run: a `HogQLQuery`, `TrendsQuery`, `LifecycleQuery`, `RetentionQuery` or `FunnelsQuery`. Another query makes a new version.',
      examples: [EXAMPLE_QUERY],
    }),
  description: z.string().nullish().describe('In words. Belongs to the version.'),
  data_freshness_seconds: z
    .int()
    .nullish()
    .describe(
      'How old an answer may be: 900, 1800, 3600, 21600, 43200, 86400 or 604800. Default 86400. Belongs to the version.',
    ),
  is_active: boolean().nullish().describe('An inactive endpoint does not run. Default true.'),
  is_materialized: boolean().nullish().describe('Whether rows are kept ready in a table of their own.'),
  derived_from_insight: z
    .string()
    .nullish()
    .describe('Short id of the insight that it was made from. Read at creation only.'),
  version: z.unknown().optional().meta({
    description: 'The version to change in place of the current one. Its query stays.',
    type: 'integer',
  }),
  bucket_overrides: z
    .record(z.string(), z.string())
    .nullish()
    .describe(
      'By column: minute, fifteen_minutes, hour, day, week or month. Counts where rows are materialized.',
    ),
  deleted: boolean().nullish().describe('True deletes the endpoint.'),
  tags: z.array(z.string()).nullish().describe('Replaces the whole set. Lower-cased.'),
  optional_breakdown_properties: z
    .array(z.string())
    .nullish()
    .describe('Breakdowns of a trends or retention query that a run may leave out.'),
}

export const CreateEndpointBody = z
  .strictObject(writableFields)
  .meta({ id: 'CreateEndpoint', examples: [EXAMPLE_ENDPOINT] })
export const UpdateEndpointBody = z
  .strictObject(writableFields)
  .meta({ id: 'UpdateEndpoint', examples: [{ description: 'What happens most.' }] })
export type EndpointBody = z.output<typeof CreateEndpointBody>

const moment = () => z.string().meta({ format: 'date-time' })

/** What is kept ready of a version (reference/endpoints-api.md §5.7). */
export const MaterializationRecord = z
  .object({
    name: z.string(),
    enabled: z.boolean().describe('A materialization is attached.'),
    ready: z.boolean().describe('It has rows that a run may be answered from.'),
    hibernated: z.boolean().describe('It was put to sleep because nobody ran the version.'),
    can_materialize: z.boolean(),
    reason: z
      .string()
      .nullable()
      .optional()
      .describe('Why the query cannot be materialized; null when it can. Where none is attached.'),
    status: z
      .enum(['Running', 'Completed', 'Failed', 'Cancelled', 'Modified', 'Unknown'])
      .optional()
      .describe('Of the last build of the rows. This and what follows: where one is attached.'),
    last_materialized_at: moment().nullable().optional().describe('The moment that the rows are of.'),
    error: z.string().optional().describe('Why the last build failed; empty when it did not.'),
    saved_query_id: z.uuid().optional(),
  })
  .meta({ id: 'EndpointMaterialization' })
export type MaterializationRecord = z.output<typeof MaterializationRecord>

const shownFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  query: z
    .looseObject({ kind: z.string() })
    .describe('With every key of its kind, those that were not sent among them.'),
  is_active: z.boolean(),
  data_freshness_seconds: z.int(),
  endpoint_path: z.string().describe('Where it runs, as a path.'),
  url: z.string().nullable().describe('Where it runs. Null in a version.'),
  ui_url: z.string().nullable().describe('Its page on this service. Null in a version.'),
  created_at: moment(),
  updated_at: moment(),
  created_by: UserSummary.nullable(),
  is_materialized: z.boolean().describe('The rows of the version are there.'),
  current_version: z.int(),
  current_version_id: z.uuid(),
  versions_count: z.int(),
  derived_from_insight: z.string().nullable(),
  last_executed_at: moment()
    .nullable()
    .describe('When a key last ran it, give or take half an hour; null if never.'),
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

/** An endpoint as it is shown; what belongs to a version is that of the current one. */
export const EndpointRecord = z.object(shownFields).meta({ id: 'Endpoint' })
export type EndpointRecord = z.output<typeof EndpointRecord>

/** The same behind an update. */
export const UpdatedEndpointRecord = EndpointRecord.extend({
  materialization_error: z
    .string()
    .optional()
    .describe('Why the new version was not materialized as the one before it; only where that went wrong.'),
}).meta({ id: 'UpdatedEndpoint' })
export type UpdatedEndpointRecord = z.output<typeof UpdatedEndpointRecord>

/** One version of an endpoint as it is shown. */
export const EndpointVersionRecord = z
  .object({
    ...shownFields,
    version: z.int(),
    version_id: z.uuid(),
    endpoint_is_active: z.boolean(),
    version_created_at: moment(),
    version_updated_at: moment().nullable(),
    version_created_by: UserSummary.nullable(),
  })
  .meta({ id: 'EndpointVersion' })
export type EndpointVersionRecord = z.output<typeof EndpointVersionRecord>

/** The path of one endpoint. Any text may stand there; what is no name names nothing. */
export const EndpointPath = z.object({ name: z.string().describe('Name of the endpoint.') })

const INTEGER = /^\s*[+-]?\d{1,15}\s*$/

/** @throws nothing: the number that `value` is or spells, or null. */
export const versionIn = (value: unknown): number | null => {
  if (typeof value === 'string' && INTEGER.test(value)) return Number(value)
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** What is said of a version that is no number. */
export const notAnInteger = (value: unknown) =>
  `Must be an integer, got: ${typeof value === 'string' ? value : JSON.stringify(value)}`

/** `?version=`, in place of the current one. */
export const versionQuery = {
  version: z
    .string()
    .regex(INTEGER, { error: ({ input }) => notAnInteger(input) })
    .transform(Number)
    .optional()
    .meta({ type: 'integer', description: 'Number of a version. Default: the current one.' }),
}
