// Input and response of a run (docs/reference/endpoints.md#response-of-a-run).
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import {
  EXAMPLE_CREATED_AT,
  EXAMPLE_NAME,
  EXAMPLE_QUERY,
  EXAMPLE_RUN_AT,
  EXAMPLE_RUN_ID,
} from '../endpoint-example'
import { boolean, dateTime, dictionary, integer } from '../../http/fields'
import { strictBody } from '../../http/body/strict-body'
import { filterDescriptions } from '../query/filter-descriptions'
import { PropertyFilter } from '../../hogql/resolve/filters/strict-filter'

/** The body of a run. It is checked after the endpoint is found, because 404 takes precedence over 400. */
export const RunBody = strictBody({
  client_query_id: z.string().nullish(),
  debug: boolean().nullish().meta({ default: false }),
  filters_override: z
    .strictObject({
      date_from: z.string().nullish(),
      date_to: z.string().nullish(),
      properties: z.array(PropertyFilter).nullish(),
    })
    .nullish(),
  limit: integer().nullish().meta({ minimum: 1 }),
  offset: integer().nullish().meta({ minimum: 0, default: 0 }),
  refresh: z.enum(['cache', 'force', 'direct']).nullish().meta({ default: 'cache' }),
  variables: dictionary().nullish(),
  version: integer().nullish().meta({ minimum: 1 }),
}).meta({ id: 'RunEndpoint' })

const integerText = (bounds: { minimum: number; default?: number }) =>
  z
    .string()
    .optional()
    .meta({ type: 'integer', ...bounds })

/** The query string, whose values apply where the body has none. */
export const RunQuery = z.object({
  version: integerText({ minimum: 1 }),
  limit: integerText({ minimum: 1 }),
  offset: integerText({ minimum: 0, default: 0 }),
})

export const VERSION_DOCS = 'Number of the version to run, from 1. Default: the current one.'
export const LIMIT_DOCS =
  'Rows, from 1 to 50,000 and at most the LIMIT of the query. Default: that LIMIT, or 100. Rejected for insights.'
export const OFFSET_DOCS = 'Rows to skip, from 0. Default 0. Requires `limit`; rejected for insights.'

export const RunBodyDocs = (): SchemaDocs => ({
  description: 'How to run an endpoint. Every field is optional; unknown fields are rejected.',
  fields: {
    client_query_id: 'Your name for this run. Its first 200 characters are logged.',
    debug: 'True adds `hogql`, `cache_key` and `timings`. Default false.',
    filters_override: 'Deprecated: use `variables`. For insights: another date range, further filters.',
    'filters_override.date_from': 'Start: a date, or an offset such as `-7d`.',
    'filters_override.date_to': 'End: a date, or an offset such as `-1d`.',
    'filters_override.properties': 'Further property filters, such as `{"key": "plan", "value": "pro"}`.',
    ...filterDescriptions('filters_override.properties'),
    'filters_override.properties.type':
      '`event`, `person`, `group`, `session`, `cohort`, or `hogql` (`key` is a condition; needs `query:read`). Default `event`.',
    limit: LIMIT_DOCS,
    offset: OFFSET_DOCS,
    refresh:
      '`cache` returns a stored result that is fresh enough, `force` computes a new one, `direct` also bypasses materialized rows. Default `cache`.',
    variables:
      'Values by code name of the variable. Default: the value stored in the query, else the default of the variable. For insights: by breakdown property, and `date_from` and `date_to`.',
    version: VERSION_DOCS,
  },
  example: { limit: 2, refresh: 'force' },
})

export const RunResponse = z
  .object({
    results: z.union([z.array(z.unknown()), dictionary()]),
    columns: z.array(z.string()).optional(),
    types: z.array(z.tuple([z.string(), z.string()])).optional(),
    hasMore: z.boolean(),
    limit: z.int().optional(),
    offset: z.int().optional(),
    is_cached: z.boolean(),
    last_refresh: dateTime(),
    next_allowed_client_refresh: dateTime(),
    cache_target_age: dateTime(),
    timezone: z.string(),
    error: z.null(),
    query: z.string().nullable(),
    clickhouse: z.null(),
    metadata: z.object({ warnings: z.array(z.object({ message: z.string() })) }).nullable(),
    query_status: z.null(),
    calculation_trigger: z.null().optional(),
    cache_key: z.string().optional(),
    explain: z.null().optional(),
    modifiers: z.null().optional(),
    resolved_date_range: z.null().optional(),
    timings: z.array(z.object({ k: z.string(), t: z.number() })).optional(),
    hogql: z.string().nullable().optional(),
    name: z.string(),
    execution_id: z.uuid(),
    endpoint_version: z.int(),
    endpoint_version_created_at: dateTime(),
    endpoint_materialized: z.literal(true).optional(),
    endpoint_materialized_at: dateTime().optional(),
  })
  .meta({ id: 'EndpointRun' })

export const NoSuchVersion = z
  .object({ error: z.string(), current_version: z.int().optional() })
  .meta({ id: 'NoSuchVersion' })

export const NoSuchVersionDocs = (): SchemaDocs => ({
  description: 'The endpoint exists, but not this version.',
  fields: {
    error: 'Description of the error, in English.',
    current_version: 'Number of the current version. Only where a version was requested.',
  },
  example: { error: "Version 9 not found for endpoint 'top-events'", current_version: 1 },
})

const ONLY_WITH_DEBUG = 'Only with `debug`'

export const RunResponseDocs = (): SchemaDocs => ({
  description: 'The result of an endpoint, its source and its freshness.',
  fields: {
    results:
      'Rows, each a list of values in the order of `columns`. For insights their own result: a list of series, steps or table rows, or for a funnel with `time_to_convert` an object with `bins` and `average_conversion_time`.',
    columns:
      'Names of the columns. Of insights only for `EventsQuery`, `ActorsQuery` and `WebStatsTableQuery`.',
    types: 'Name and ClickHouse type of each column, in order. Not for insights.',
    hasMore:
      'Whether more rows follow: past the `limit` of the request, past the 100 rows that a query and a run without a limit give, or past 50,000, which `metadata` reports. A LIMIT of the query is its end. For trends, whether a breakdown has more values than its limit.',
    limit:
      'The `limit` of the request, at most 50,000, or that of an `EventsQuery`, `ActorsQuery` or `WebStatsTableQuery`.',
    offset: 'The `offset` of the request or the query, or 0. Only with `limit`.',
    is_cached: 'Whether this is a stored result.',
    last_refresh: 'When the rows were computed (ISO 8601, UTC, microseconds).',
    next_allowed_client_refresh: 'Same as `cache_target_age`.',
    cache_target_age: 'Expiry of this result for the same request (ISO 8601, UTC, microseconds).',
    timezone: 'IANA name of the time zone of the project, in which dates of the query are interpreted.',
    error: 'Always null: a run that fails responds with an error.',
    query: 'The SQL of the query, as written; null for insights.',
    clickhouse: 'Always null.',
    metadata: 'Warnings; null when there are none.',
    'metadata.warnings': 'Misspelt names, sums of texts, and rows that were cut off.',
    'metadata.warnings.message': 'The warning, in English.',
    query_status: 'Always null: runs do not continue in the background.',
    calculation_trigger: `${ONLY_WITH_DEBUG}. Always null.`,
    cache_key: `${ONLY_WITH_DEBUG}: the key of the stored result, a digest of the request.`,
    explain: `${ONLY_WITH_DEBUG}. Always null.`,
    modifiers: `${ONLY_WITH_DEBUG}. Always null.`,
    resolved_date_range: `${ONLY_WITH_DEBUG}. Always null.`,
    timings: `${ONLY_WITH_DEBUG}: duration of the parts of the run.`,
    'timings.k': 'The part.',
    'timings.t': 'Its duration in seconds.',
    hogql: `${ONLY_WITH_DEBUG}: same as \`query\`.`,
    name: 'Name of the endpoint.',
    execution_id: 'Id of this run: `instance_id` in the log.',
    endpoint_version: 'Number of the version that ran.',
    endpoint_version_created_at: 'Time of creation of that version (ISO 8601, UTC).',
    endpoint_materialized: 'True for a result of materialized rows; left out otherwise.',
    endpoint_materialized_at: 'Time of the materialized rows (ISO 8601, UTC). Only for their results.',
  },
  example: {
    results: [
      ['$pageview', 1204],
      ['$feature_flag_called', 871],
    ],
    columns: ['event', 'total'],
    types: [
      ['event', 'String'],
      ['total', 'Int64'],
    ],
    hasMore: true,
    limit: 2,
    offset: 0,
    last_refresh: EXAMPLE_RUN_AT,
    next_allowed_client_refresh: '2026-04-03T09:31:12.846000Z',
    cache_target_age: '2026-04-03T09:31:12.846000Z',
    timezone: 'UTC',
    query: EXAMPLE_QUERY,
    metadata: null,
    name: EXAMPLE_NAME,
    execution_id: EXAMPLE_RUN_ID,
    endpoint_version: 1,
    endpoint_version_created_at: EXAMPLE_CREATED_AT,
  },
})
