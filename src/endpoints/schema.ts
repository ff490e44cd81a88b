// Endpoints on the wire: what a caller may send, and what the service answers (spec "Saved query endpoint",
// reference/endpoints-api.md §1.1, §2.1, §2.2).
import * as z from 'zod'
import { UserSummary } from '../http/user-summary'
import { boolean, dateTime, dictionary, integerIn } from '../http/fields'
import { INSIGHT_KINDS } from './query/shape'
import { strictBody } from './strict-body'

/**
 * The body of create and update: every field optional, an unknown one refused. What a field may hold beyond its type is checked by the
 * verbs, whose messages name the field.
 */
const writableFields = {
  name: z.string().nullish(),
  query: dictionary().nullish(),
  description: z.string().nullish(),
  data_freshness_seconds: z.int().nullish(),
  is_active: boolean().nullish(),
  is_materialized: boolean().nullish(),
  derived_from_insight: z.string().nullish(),
  version: z
    .unknown()
    .optional()
    .meta({ type: ['integer', 'null'] }),
  bucket_overrides: z.record(z.string(), z.string()).nullish(),
  deleted: boolean().nullish(),
  tags: z.array(z.string()).nullish(),
  optional_breakdown_properties: z.array(z.string()).nullish(),
}

export const CreateEndpointBody = strictBody(writableFields).meta({
  id: 'CreateEndpoint',
  required: ['name', 'query'],
})
export const UpdateEndpointBody = strictBody(writableFields).meta({ id: 'UpdateEndpoint' })
export type EndpointBody = z.output<typeof CreateEndpointBody>

/** What is kept ready of a version (reference/endpoints-api.md §5.7). */
export const MaterializationRecord = z
  .object({
    name: z.string(),
    enabled: z.boolean(),
    ready: z.boolean(),
    hibernated: z.boolean(),
    can_materialize: z.boolean(),
    /** Where none is attached. */
    reason: z.string().nullable().optional(),
    /** This and what follows: where one is attached. */
    status: z.enum(['Running', 'Completed', 'Failed', 'Cancelled', 'Modified', 'Unknown']).optional(),
    last_materialized_at: dateTime().nullable().optional(),
    error: z.string().optional(),
    saved_query_id: z.uuid().optional(),
  })
  .meta({ id: 'EndpointMaterialization' })
export type MaterializationRecord = z.output<typeof MaterializationRecord>

const shownFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  query: z.looseObject({ kind: z.enum(['HogQLQuery', ...INSIGHT_KINDS]) }),
  is_active: z.boolean(),
  data_freshness_seconds: z.int(),
  endpoint_path: z.string(),
  /** Null in a version, as is `ui_url`. */
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

/** An endpoint as it is shown; what belongs to a version is that of the current one. */
export const EndpointRecord = z.object(shownFields).meta({ id: 'Endpoint' })
export type EndpointRecord = z.output<typeof EndpointRecord>

/** The same behind an update. */
export const UpdatedEndpointRecord = EndpointRecord.extend({
  materialization_error: z.string().optional(),
}).meta({ id: 'UpdatedEndpoint' })
export type UpdatedEndpointRecord = z.output<typeof UpdatedEndpointRecord>

/** One version of an endpoint as it is shown. */
export const EndpointVersionRecord = z
  .object({
    ...shownFields,
    version: z.int(),
    version_id: z.uuid(),
    endpoint_is_active: z.boolean(),
    version_created_at: dateTime(),
    version_updated_at: dateTime().nullable(),
    version_created_by: UserSummary.nullable(),
  })
  .meta({ id: 'EndpointVersion' })
export type EndpointVersionRecord = z.output<typeof EndpointVersionRecord>

/** The path of one endpoint. Any text may stand there; what is no name names nothing. */
export const EndpointPath = z.object({ name: z.string() })

/** What is said of a version that is no number. */
export const notAnInteger = (value: unknown) =>
  `Must be an integer, got: ${typeof value === 'string' ? value : JSON.stringify(value)}`

/** `?version=`, in place of the current one. */
export const versionQuery = {
  version: z
    .string()
    .refine((value) => integerIn(value) !== null, { error: ({ input }) => notAnInteger(input) })
    .transform(Number)
    .optional()
    .meta({ type: 'integer' }),
}
