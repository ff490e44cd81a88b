// Parses the `query` of a body, with every default.
import * as z from 'zod'
import { invalid, malformed } from '../../errors'
import { dictionary } from '../../http/fields'
import { firstFailure } from '../../http/validation'
import { FunnelsQuery, LifecycleQuery, RetentionQuery, TrendsQuery } from './insight-schemas'
import { commonKeys, DateRange, orNull, Properties } from './schema-parts'
import { type EndpointQuery, INSIGHT_KINDS } from './query-types'

const HogqlQuery = z.strictObject({
  ...commonKeys,
  connectionId: orNull(z.string()),
  explain: orNull(z.boolean()),
  filters: orNull(
    z.strictObject({
      dateRange: orNull(DateRange),
      filterTestAccounts: orNull(z.boolean()),
      properties: orNull(Properties),
    }),
  ),
  kind: z.literal('HogQLQuery'),
  name: orNull(z.string()),
  query: z.string(),
  sendRawQuery: orNull(z.boolean()),
  values: orNull(dictionary()),
  variables: orNull(
    z.record(
      z.string(),
      z.strictObject({
        code_name: z.string(),
        isNull: orNull(z.boolean()),
        value: z.unknown().default(null),
        variableId: z.string(),
      }),
    ),
  ),
})

const QUERIES = { HogQLQuery: HogqlQuery, TrendsQuery, LifecycleQuery, RetentionQuery, FunnelsQuery }

/** Kinds that upstream supports and this service does not. */
const NOT_RUN_HERE = new Set(['PathsQuery', 'StickinessQuery'])

const SUPPORTED = ['HogQLQuery', ...INSIGHT_KINDS].toSorted().join(', ')

/** Keys are sorted; a `response` is dropped. @throws 400, attr `query`, for an unsupported kind; 400 `parse_error` for an invalid query */
export function parseQuery(sent: Record<string, unknown>): EndpointQuery {
  const { kind } = sent
  if (typeof kind === 'string' && NOT_RUN_HERE.has(kind)) {
    throw invalid('query', `Query kind '${kind}' is not supported. Supported: ${SUPPORTED}.`)
  }
  if (typeof kind !== 'string' || !Object.hasOwn(QUERIES, kind)) {
    throw malformed(`query.kind: Input should be one of: ${SUPPORTED}.`)
  }
  const schema: z.ZodType = QUERIES[kind as keyof typeof QUERIES]
  const result = schema.safeParse({ ...sent, response: null })
  if (!result.success) {
    const { attr, detail } = firstFailure(result.error, sent)
    throw malformed(`${['query', ...(attr?.split('__') ?? [])].join('.')}: ${detail}`)
  }
  return inOrder(result.data as EndpointQuery)
}

const inOrder = (query: EndpointQuery): EndpointQuery =>
  Object.fromEntries(Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))) as EndpointQuery
