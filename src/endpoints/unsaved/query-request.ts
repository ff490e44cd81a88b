// The body and the responses of a query that is not saved.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dictionary, dateTime } from '../../http/fields'
import { EXAMPLE_QUERY, EXAMPLE_RUN_AT } from '../endpoint-example'
import { Notice } from '../endpoint-schema'
import { strictBody } from '../../http/body/strict-body'
import { INSIGHT_KINDS } from '../query/query-types'
import { WRAPPER_KINDS } from '../query/source-query'
import { RunResponse, RunResponseDocs } from '../run/run-schema'

/** Kinds that describe or check something, and run nothing. */
const OTHER_KINDS = ['HogQLMetadata', 'DatabaseSchemaQuery'] as const

export const SUPPORTED_KINDS = ['HogQLQuery', ...INSIGHT_KINDS, ...WRAPPER_KINDS, ...OTHER_KINDS].toSorted()

const REFRESH = [
  'async',
  'async_except_on_cache_miss',
  'blocking',
  'force_async',
  'force_blocking',
  'force_cache',
  'lazy_async',
] as const

export const QueryRequest = strictBody({
  query: dictionary(),
  client_query_id: z.string().nullish(),
  name: z.string().nullish(),
  refresh: z.union([z.enum(REFRESH), z.boolean()]).nullish(),
}).meta({ id: 'QueryRequest' })
export type QueryRequest = z.output<typeof QueryRequest>

export const QueryRequestDocs = (): SchemaDocs => ({
  description: 'A query to run, to check, or for a description of the tables. Unknown fields are rejected.',
  fields: {
    query:
      'A `HogQLQuery`, whose `values` replace `{name}`, an insight, `{"kind": "HogQLMetadata", "language": "hogQL", "query": "SELECT 1"}` or `{"kind": "DatabaseSchemaQuery"}`.',
    client_query_id: "Your name for this run, for ClickHouse's query log.",
    name: 'No effect.',
    refresh: 'No effect: results are computed for each request, within the request.',
  },
  example: { query: { kind: 'HogQLQuery', query: EXAMPLE_QUERY } },
})

const ran = RunResponse.shape

export const QueryResult = z
  .object({
    results: ran.results,
    columns: ran.columns,
    types: ran.types,
    hasMore: ran.hasMore,
    limit: ran.limit,
    offset: ran.offset,
    is_cached: z.literal(false),
    last_refresh: dateTime(),
    next_allowed_client_refresh: dateTime(),
    cache_target_age: dateTime(),
    timezone: z.string(),
    error: z.null(),
    query: z.string().nullable(),
    hogql: z.string().nullable(),
    clickhouse: z.null(),
    metadata: ran.metadata,
    query_status: z.null(),
    cache_key: z.null(),
    timings: z.array(z.object({ k: z.string(), t: z.number() })),
  })
  .meta({ id: 'QueryResult' })

export const QueryResultDocs = (): SchemaDocs => {
  const { fields = {}, example } = RunResponseDocs()
  const names = Object.keys(QueryResult.shape)
  const {
    name: _n,
    execution_id: _e,
    endpoint_version: _v,
    endpoint_version_created_at: _c,
    ...rest
  } = example as Record<string, unknown>
  return {
    description: 'The result of a query that is not saved.',
    fields: {
      ...Object.fromEntries(Object.entries(fields).filter(([path]) => names.includes(path.split('.')[0]!))),
      hasMore: 'Whether more rows follow.',
      limit:
        'The default limit of 100 rows. Only for a `HogQLQuery` without a LIMIT of its own that can be paged.',
      offset: 'Always 0. Only with `limit`.',
      is_cached: 'Always false.',
      cache_target_age: 'Same as `last_refresh`: results are not cached.',
      next_allowed_client_refresh: 'Same as `last_refresh`.',
      hogql: 'Same as `query`.',
      cache_key: 'Always null.',
      timings: 'Duration of the parts of the run.',
    },
    example: {
      ...rest,
      limit: 100,
      next_allowed_client_refresh: EXAMPLE_RUN_AT,
      cache_target_age: EXAMPLE_RUN_AT,
      hogql: EXAMPLE_QUERY,
      cache_key: null,
      timings: [{ k: './execute', t: 0.012 }],
    },
  }
}

export const QueryCheck = z
  .object({
    query: z.string(),
    isValid: z.boolean(),
    isUsingIndices: z.literal('undecisive'),
    errors: z.array(Notice),
    warnings: z.array(Notice),
    notices: z.array(Notice),
    table_names: z.array(z.string()),
  })
  .meta({ id: 'HogQLMetadataResult' })
export type QueryCheck = z.output<typeof QueryCheck>

export const QueryCheckDocs = (): SchemaDocs => ({
  description: 'What is wrong with a query, or with that in `sourceQuery`, and where.',
  fields: {
    query: 'The text that was checked, as sent.',
    isValid: 'Whether the query can be run and saved.',
    isUsingIndices: 'Always `undecisive`.',
    errors: 'The first error, if any.',
    'errors.message': 'What is wrong, in English.',
    'errors.start':
      'Offset of the first character in the SQL, in UTF-16 units; null for the query as a whole.',
    'errors.end': 'Offset after the last character.',
    'errors.fix': 'Text that may replace the part from `start` to `end`; null without a suggestion.',
    warnings: 'Misspelt names of properties and events, and sums of texts. The query can be run.',
    'warnings.message': 'As in `errors`.',
    'warnings.start': 'As in `errors`.',
    'warnings.end': 'As in `errors`.',
    'warnings.fix': 'As in `errors`.',
    notices: 'Always empty.',
    'notices.message': 'As in `errors`.',
    'notices.start': 'As in `errors`.',
    'notices.end': 'As in `errors`.',
    'notices.fix': 'As in `errors`.',
    table_names: 'Tables that the query reads. Empty where it cannot be parsed.',
  },
  example: {
    query: 'SELECT evnt FROM events',
    errors: [
      { message: "Unable to resolve field: evnt (did you mean 'event'?)", start: 7, end: 11, fix: 'event' },
    ],
    table_names: ['events'],
  },
})

const SchemaField = z.object({
  name: z.string(),
  hogql_value: z.string(),
  type: z.enum([
    'integer',
    'float',
    'string',
    'datetime',
    'date',
    'boolean',
    'array',
    'json',
    'expression',
    'virtual_table',
    'unknown',
  ]),
  schema_valid: z.literal(true),
  fields: z.array(z.string()).optional(),
})
export type SchemaField = z.output<typeof SchemaField>

export const DatabaseSchema = z
  .object({
    tables: z.record(
      z.string(),
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.literal('posthog'),
        fields: z.record(z.string(), SchemaField),
      }),
    ),
    joins: z.array(z.never()),
    functions: z.array(z.string()),
  })
  .meta({ id: 'DatabaseSchema' })
export type DatabaseSchema = z.output<typeof DatabaseSchema>

export const DatabaseSchemaDocs = (): SchemaDocs => ({
  description: 'The tables, fields and functions that a query may name.',
  fields: {
    tables: 'Tables by name.',
    'tables.id': 'Same as `name`.',
    'tables.name': 'Name of the table.',
    'tables.type': 'Always `posthog`.',
    'tables.fields': 'Fields by name.',
    'tables.fields.name': 'Name of the field.',
    'tables.fields.hogql_value': 'The field as a query writes it.',
    'tables.fields.type':
      'Type of its values; `expression` for one that is computed, `virtual_table` for one with fields of its own.',
    'tables.fields.schema_valid': 'Always true.',
    'tables.fields.fields': 'Names of its own fields. Only of a `virtual_table`.',
    joins: 'Always empty.',
    functions: 'Names of the functions that a query may call, in alphabetical order.',
  },
  example: {
    tables: {
      cohort_people: {
        id: 'cohort_people',
        name: 'cohort_people',
        fields: { person_id: { name: 'person_id', hogql_value: 'person_id', type: 'string' } },
      },
    },
    functions: ['abs', 'count'],
  },
})
