// A run on the wire (reference/endpoints-api.md §3.1, §3.5).
import * as z from 'zod'
import { boolean, dictionary, integer } from '../../http/fields'

/** What the body is held against once the endpoint is found: whether it exists is told first. */
export const StrictRunBody = z.strictObject({
  client_query_id: z.string().nullish(),
  debug: boolean().nullish(),
  filters_override: z
    .strictObject({
      date_from: z.string().nullish(),
      date_to: z.string().nullish(),
      properties: z.array(z.looseObject({})).nullish(),
    })
    .nullish(),
  limit: integer().nullish(),
  offset: integer().nullish(),
  refresh: z.enum(['cache', 'force', 'direct']).nullish(),
  variables: dictionary().nullish(),
  version: integer().nullish(),
})

/** A field as it is described, which anything passes. */
const described = (schema: Record<string, unknown>) => z.unknown().optional().meta(schema)
const optional = (type: string, description: string) => described({ type: [type, 'null'], description })

/** The body as it is described: nothing in it is refused before the endpoint is found. */
export const RunBody = z
  .looseObject({
    client_query_id: optional('string', "The caller's name for this run, for the engine's own log."),
    debug: optional('boolean', 'Tell more of how the answer came about.'),
    filters_override: described({
      type: ['object', 'null'],
      description: 'Deprecated, and for insights only: use `variables`.',
      properties: {
        date_from: { type: ['string', 'null'] },
        date_to: { type: ['string', 'null'] },
        properties: { type: ['array', 'null'], items: { type: 'object' } },
      },
    }),
    limit: described({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Rows to give at most. The LIMIT of the query bounds it. Not for insights.',
    }),
    offset: described({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Rows to skip. Needs `limit`.',
    }),
    refresh: described({
      type: ['string', 'null'],
      enum: ['cache', 'force', 'direct', null],
      default: 'cache',
      description:
        '`cache` takes an answer that is fresh enough, `force` computes a new one, `direct` leaves materialized rows aside as well.',
    }),
    variables: optional(
      'object',
      'Values by code name of the variable, or by breakdown property of an insight.',
    ),
    version: optional('integer', 'Version to run. Default: the current one.'),
  })
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
    endpoint_materialized: z.literal(true).optional().describe('Present where materialized rows answered.'),
    endpoint_materialized_at: moment().optional().describe('The moment that they are of.'),
  })
  .meta({ id: 'EndpointRun' })
