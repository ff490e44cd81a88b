// The OpenAPI 3.0 document of one endpoint, from which clients can be generated. Variables that a run requires are required, and then the
// body is, too. Pure.
import { FILTER_OPERATORS } from '../hogql/resolve/filters/operators'
import type { JsonObject, JsonValue } from '../json'
import type { DescribedEndpoint } from './find-endpoint'
import { hasRows } from './materialization/materialization-record'
import { breakdownPropertiesOf, rangeVariablesOf } from './query/written-breakdowns'
import type { HogqlQuery, InsightQuery, SourceQuery, VariableType } from './query/query-types'
import { sourceOf } from './query/source-query'
import { runPathOf } from './endpoint-record'

/** JSON Schemas of the variables of a run, by name. */
export interface Variables {
  properties: Record<string, JsonObject>
  required: string[]
}

/** @param origin of this service, as the caller addresses it */
export function openApiOf(endpoint: DescribedEndpoint, origin: string): JsonObject {
  const { row } = endpoint
  const variables = variablesOf(endpoint)
  const isHogql = sourceOf(row.query).kind === 'HogQLQuery'
  const needsVariables = variables.required.length > 0
  return {
    openapi: '3.0.3',
    info: {
      title: row.name,
      description: row.description || `PostHog Endpoint: ${row.name}`,
      version: String(row.version),
    },
    servers: [{ url: origin }],
    paths: {
      [runPathOf(row.projectId, row.name)]: {
        post: {
          operationId: `run_${row.name.replaceAll('-', '_')}`,
          summary: `Execute ${row.name}`,
          ...(row.description ? { description: row.description } : {}),
          security: [{ PersonalAPIKey: [] }],
          requestBody: {
            required: needsVariables,
            content: { 'application/json': { schema: ref('EndpointRunRequest') } },
          },
          responses: {
            200: {
              description: 'Query executed successfully',
              content: { 'application/json': { schema: resultSchema(sourceOf(row.query)) } },
            },
            400: { description: 'Invalid request or variables' },
            401: { description: 'Authentication required' },
            404: { description: 'Endpoint not found or inactive' },
          },
        },
      },
    },
    components: {
      securitySchemes: { PersonalAPIKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        EndpointRunRequest: requestSchema(variables, isHogql),
        ...(isHogql ? {} : { DashboardFilter: DASHBOARD_FILTER, PropertyFilter: PROPERTY_FILTER }),
        ...(hasAny(variables) ? { Variables: variablesSchema(variables) } : {}),
      },
    },
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const hasAny = ({ properties }: Variables) => Object.keys(properties).length > 0

/** The schema of a run's body: for HogQL it has the rows of a page, for an insight other filters. */
const requestSchema = (variables: Variables, isHogql: boolean): JsonObject => ({
  type: 'object',
  properties: {
    client_query_id: { type: 'string', description: 'Name of this run.' },
    ...(isHogql ? PAGE : { filters_override: ref('DashboardFilter') }),
    refresh: {
      type: 'string',
      enum: ['cache', 'force', 'direct'],
      default: 'cache',
      description:
        '`cache` accepts a stored result, `force` computes a new one, `direct` also bypasses materialized rows.',
    },
    version: { type: 'integer', description: 'Number of a version. Default: the current one.' },
    debug: {
      type: 'boolean',
      default: false,
      description: 'Whether to return details of the computation.',
    },
    ...(hasAny(variables) ? { variables: ref('Variables') } : {}),
  },
  ...(variables.required.length > 0 ? { required: ['variables'] } : {}),
})

const PAGE: JsonObject = {
  limit: { type: 'integer', minimum: 1, description: 'Maximum number of rows.' },
  offset: { type: 'integer', minimum: 0, description: 'Rows to skip. Requires `limit`. Default 0.' },
}

const variablesSchema = ({ properties, required }: Variables): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})

const resultSchema = (query: SourceQuery): JsonObject => ({
  type: 'object',
  properties: {
    results:
      query.kind === 'FunnelsQuery' && query.funnelsFilter?.funnelVizType === 'time_to_convert'
        ? { type: 'object', description: '`bins` and `average_conversion_time`.' }
        : { type: 'array', items: {}, description: 'Rows.' },
    columns: { type: 'array', items: { type: 'string' }, description: 'Names of the columns of a row.' },
    hasMore: { type: 'boolean', description: 'Whether more rows follow.' },
  },
  required: ['results'],
})

const DASHBOARD_FILTER: JsonObject = {
  type: 'object',
  properties: {
    date_from: { type: 'string', nullable: true, example: '-7d' },
    date_to: { type: 'string', nullable: true },
    properties: { type: 'array', items: ref('PropertyFilter') },
  },
}

const PROPERTY_FILTER: JsonObject = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    value: {
      oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
    },
    operator: {
      type: 'string',
      enum: [...FILTER_OPERATORS],
    },
    type: {
      type: 'string',
      enum: ['event', 'person', 'session', 'cohort', 'group', 'element', 'flag', 'hogql'],
    },
  },
  required: ['key'],
}

function variablesOf({ row, variableTypes }: DescribedEndpoint): Variables {
  const query = sourceOf(row.query)
  return query.kind === 'HogQLQuery'
    ? hogqlVariables(query, variableTypes, hasRows(row))
    : insightVariables(query, row.optionalBreakdownProperties, hasRows(row))
}

/**
 * The schemas of a query's variables. A stored value is the example. Where a run computes the query, a variable with one is optional;
 * materialized rows require all variables.
 */
function hogqlVariables(
  { variables }: HogqlQuery,
  types: DescribedEndpoint['variableTypes'],
  isMaterialized: boolean,
): Variables {
  const all = Object.values(variables ?? {}).map(({ code_name: name, value }) => ({
    name,
    value: value ?? null,
    schema: schemaOf(types.get(name)),
  }))
  return {
    properties: Object.fromEntries(
      all.map(({ name, value, schema }) => [
        name,
        fits(value, schema) ? { ...schema, example: value as JsonValue } : schema,
      ]),
    ),
    required: all.filter(({ value }) => isMaterialized || value === null).map(({ name }) => name),
  }
}

/** Whether a stored value can be the example: the variable's type may have changed since. */
function fits(value: unknown, { type }: JsonObject): boolean {
  return type === 'array'
    ? Array.isArray(value) && value.every((each) => typeof each === 'string')
    : typeof value === type
}

function schemaOf(type: VariableType | undefined): JsonObject {
  switch (type) {
    case 'Number':
      return { type: 'number' }
    case 'Boolean':
      return { type: 'boolean' }
    case 'List':
      return { type: 'array', items: { type: 'string' } }
    case 'Date':
      return { type: 'string', format: 'date' }
    case 'String':
    case undefined:
      return { type: 'string' }
  }
}

/** A run can choose a value of each breakdown, and another date range. */
const insightVariables = (
  query: InsightQuery,
  optional: readonly string[],
  isMaterialized: boolean,
): Variables => ({
  properties: Object.fromEntries([
    ...breakdownPropertiesOf(query).map((property) => [
      property,
      {
        type: 'string',
        description: `Only rows where the breakdown ${property} has this value.${optional.includes(property) ? ' Optional.' : ''}`,
      },
    ]),
    ...(isMaterialized ? [] : RANGE.filter(([name]) => rangeVariablesOf(query).includes(name))),
  ]),
  required: isMaterialized
    ? breakdownPropertiesOf(query).filter((property) => !optional.includes(property))
    : [],
})

/** The variables of the date range. Materialized rows have the range of the query, and do not take them. */
const RANGE: [name: string, schema: JsonObject][] = [
  [
    'date_from',
    { type: 'string', description: 'Start of the range, such as `-7d` or a date.', example: '-7d' },
  ],
  ['date_to', { type: 'string', description: 'End of the range.' }],
]
