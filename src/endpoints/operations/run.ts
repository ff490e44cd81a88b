import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import {
  queryCapacity,
  queryMemoryLimit,
  queryTimeout,
  queryTooLarge,
  tooManyQueries,
} from '../../analytics/engine/limits'
import { throttled } from '../../http/limits/throttle'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import {
  LIMIT_DOCS,
  NoSuchVersion,
  OFFSET_DOCS,
  VERSION_DOCS,
  RunBody,
  RunQuery,
  RunResponse,
} from '../run/run-schema'
import { EndpointPath } from '../endpoint-schema'

const PATH = '/api/projects/:project_id/endpoints/:name/run/'

const RESPONSES = {
  200: RunResponse,
  400: ErrorText,
  404: NoSuchVersion,
}

export const runOperation = operation({
  id: 'endpoints_run_create',
  method: 'post',
  path: PATH,
  summary: 'Run an endpoint',
  description:
    'Returns a stored result up to `data_freshness_seconds` of the version old, unless `refresh` is `force`. A query may take 10 seconds and ' +
    'return 50,000 rows; 100 where neither it nor the request has a LIMIT. A materialized version is read from its rows while they are ' +
    'fresh and have what the request needs: then every variable is required. A key may run 240 queries a minute, and 1,200 a minute ' +
    'from materialized rows.',
  scope: 'endpoint:read',
  keyRate: null,
  params: EndpointPath,
  query: RunQuery,
  body: z.unknown(),
  responses: RESPONSES,
  async handle({ params, query, body, ...context }) {
    const { runEndpoint } = await import('../run/run-endpoint')
    return runEndpoint(context, params.name, { query, body })
  },
})

export const runWithoutBodyOperation = operation({
  id: 'endpoints_run_retrieve',
  method: 'get',
  path: PATH,
  summary: 'Run an endpoint without a body',
  description: 'As POST without a body: variables have the values that the query stores.',
  scope: 'endpoint:read',
  keyRate: null,
  params: EndpointPath,
  query: RunQuery,
  responses: RESPONSES,
  async handle({ params, query, ...context }) {
    const { runEndpoint } = await import('../run/run-endpoint')
    return runEndpoint(context, params.name, { query, body: {} })
  },
})

const errors = (): OperationDocs['errors'] => ({
  400: {
    'The query takes too long': queryTimeout(),
    'The result is too large': queryTooLarge(),
    'The query needs too much memory': queryMemoryLimit(),
  },
  429: { 'Too many concurrent queries': tooManyQueries(), 'Too many runs': throttled(60) },
  503: { 'The database is at capacity': queryCapacity() },
})

const unlessInBody = (text: string) => `${text} A value in the body takes precedence.`

export const runDocs = (): OperationDocs => ({
  parameters: {
    name: nameParameter(),
    version: unlessInBody(VERSION_DOCS),
    limit: unlessInBody(LIMIT_DOCS),
    offset: unlessInBody(OFFSET_DOCS),
  },
  body: { schema: RunBody },
  errors: errors(),
  tool: { name: 'endpoint-run' },
  sample: { needs: ['a query of a variable'], body: { variables: { plan_$N: 'free' } } },
})

export const runWithoutBodyDocs = (): OperationDocs => ({
  parameters: { name: nameParameter(), version: VERSION_DOCS, limit: LIMIT_DOCS, offset: OFFSET_DOCS },
  errors: errors(),
  tool: { isDuplicate: true },
})
