// A run on the wire (reference/endpoints-api.md §3.1, §3.5).
import * as z from 'zod'
import { boolean, dictionary, integer } from '../../http/fields'

const REFRESH = ['cache', 'force', 'direct'] as const

const FiltersOverride = z
  .strictObject({
    date_from: z.string().nullish(),
    date_to: z.string().nullish(),
    properties: z.array(z.looseObject({})).nullish(),
  })
  .meta({ id: 'EndpointFiltersOverride' })

const fields = {
  client_query_id: z.string().nullish().describe("The caller's name for this run, for the engine's own log."),
  debug: boolean().nullish().describe('Tell more of how the answer came about.'),
  filters_override: FiltersOverride.nullish().describe('Deprecated, and for insights only: use `variables`.'),
  limit: integer()
    .nullish()
    .describe('Rows to give at most, 1 or more. The LIMIT of the query bounds it. Not for insights.'),
  offset: integer().nullish().describe('Rows to skip. Needs `limit`.'),
  refresh: z.enum(REFRESH).nullish().meta({
    description:
      '`cache` takes an answer that is fresh enough, `force` computes a new one, `direct` leaves materialized rows aside as well.',
    default: 'cache',
  }),
  variables: dictionary()
    .nullish()
    .describe('Values by code name of the variable, or by breakdown property of an insight.'),
  version: integer().nullish().describe('Version to run. Default: the current one.'),
}

/** What the body is held against once the endpoint is found: whether it exists is told first. */
export const StrictRunBody = z.strictObject(fields)

/** The body as it is described. Of a body of this shape nothing is refused before the endpoint is found. */
export const RunBody = z
  .looseObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [
        name,
        z
          .unknown()
          .optional()
          .meta(z.toJSONSchema(schema, { io: 'output' }) as Record<string, unknown>),
      ]),
    ),
  )
  .meta({ id: 'RunEndpoint', examples: [{ variables: { country: 'NL' }, limit: 20 }] })

/** Taken where the body does not say. */
export const RunQuery = z.object({
  version: z
    .string()
    .optional()
    .meta({ type: 'integer', description: 'Version to run. Default: the current one.' }),
  limit: z.string().optional().meta({ type: 'integer', description: 'Rows to give at most.' }),
  offset: z.string().optional().meta({ type: 'integer', description: 'Rows to skip. Needs `limit`.' }),
})

const moment = () => z.string().meta({ format: 'date-time' })

export const RunResult = z
  .looseObject({
    results: z.array(z.unknown()).describe('Rows, each a list of values; for insights their own result.'),
    columns: z.array(z.string()).optional().describe('Names of the columns.'),
    types: z
      .array(z.tuple([z.string(), z.string()]))
      .optional()
      .describe('Of each column its name and its type in ClickHouse.'),
    hasMore: z.boolean().describe('Whether there are rows after these.'),
    limit: z.int().optional(),
    offset: z.int().optional(),
    is_cached: z.boolean(),
    last_refresh: moment().describe('When the rows were computed.'),
    next_allowed_client_refresh: moment(),
    cache_target_age: moment().describe('When they are too old.'),
    timezone: z.string(),
    error: z.null(),
    query: z.unknown().describe('What was run.'),
    clickhouse: z.null(),
    metadata: z
      .object({ warnings: z.array(z.object({ message: z.string() })) })
      .nullable()
      .describe('Says so when rows were cut off.'),
    query_status: z.null(),
    name: z.string(),
    execution_id: z.uuid().describe('The `instance_id` of the line in the log.'),
    endpoint_version: z.int(),
    endpoint_version_created_at: moment(),
  })
  .meta({ id: 'EndpointRun' })
