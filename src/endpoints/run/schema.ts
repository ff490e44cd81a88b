// A run on the wire (reference/endpoints-api.md §3.1, §3.5).
import * as z from 'zod'
import { boolean, dateTime, dictionary, integer } from '../../http/fields'
import { strictBody } from '../strict-body'

/** What the body is held against once the endpoint is found: whether it exists is told first. */
export const StrictRunBody = strictBody({
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

const optional = (type: string) => ({ type: [type, 'null'] })

/** The body as it is described: nothing of it is refused before the endpoint is found. */
export const RunBody = z.unknown().meta({
  id: 'RunEndpoint',
  type: 'object',
  properties: {
    client_query_id: optional('string'),
    debug: optional('boolean'),
    filters_override: {
      ...optional('object'),
      properties: {
        date_from: optional('string'),
        date_to: optional('string'),
        properties: { ...optional('array'), items: { type: 'object' } },
      },
    },
    limit: { ...optional('integer'), minimum: 1 },
    offset: { ...optional('integer'), minimum: 0 },
    refresh: { ...optional('string'), enum: ['cache', 'force', 'direct', null], default: 'cache' },
    variables: optional('object'),
    version: optional('integer'),
  },
  additionalProperties: {},
})

const integerText = () => z.string().optional().meta({ type: 'integer' })

/** Taken where the body does not say. */
export const RunQuery = z.object({ version: integerText(), limit: integerText(), offset: integerText() })

export const RunResult = z
  .object({
    results: z.array(z.unknown()),
    /** Not of insights, as `types`. */
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
    /** This and what follows, up to `hogql`: with `debug`. */
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
    /** Where materialized rows answered. */
    endpoint_materialized: z.literal(true).optional(),
    endpoint_materialized_at: dateTime().optional(),
  })
  .meta({ id: 'EndpointRun' })

/** Why a run gave nothing: the endpoint does not have the version, and this is the one that it is at. */
export const NoSuchVersion = z
  .object({ error: z.string(), current_version: z.int().optional() })
  .meta({ id: 'NoSuchVersion' })
