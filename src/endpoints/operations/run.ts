import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { NoSuchVersion, RunBody, RunQuery, RunResult } from '../run/schema'
import { EndpointPath } from '../schema'

const PATH = '/api/projects/:project_id/endpoints/:name/run/'

const RESPONSES = {
  200: RunResult,
  400: z.union([ErrorBody, ErrorText]),
  404: z.union([ErrorBody, NoSuchVersion]),
  429: ErrorBody,
  503: ErrorBody,
}

export const runOperation = operation({
  id: 'endpoints_run_create',
  method: 'post',
  path: PATH,
  summary: 'Run an endpoint',
  description:
    'Rows may be as old as `data_freshness_seconds` of the version says, unless `refresh` is `force`. A query has 10 seconds, and gives ' +
    '50,000 rows at most; 100 where neither it nor the request has a LIMIT. A key may run 240 queries a minute and 2,400 an hour. Where the ' +
    'version is materialized, its rows answer as long as they are fresh and can tell what is asked: then every variable has to be given, ' +
    'and a key may run 1,200 a minute and 12,000 an hour. `refresh: direct` runs the query itself.',
  scope: 'endpoint:read',
  keyRate: null,
  params: EndpointPath,
  query: RunQuery,
  body: RunBody,
  responses: RESPONSES,
  async handle({ params, query, body, ...context }) {
    const { runEndpoint } = await import('../run/run')
    return runEndpoint(context, params.name, { query, body })
  },
})

export const runWithoutBodyOperation = operation({
  id: 'endpoints_run_retrieve',
  method: 'get',
  path: PATH,
  summary: 'Run an endpoint as it is',
  description: 'The same without a body: variables have the values that the query holds for them.',
  scope: 'endpoint:read',
  keyRate: null,
  params: EndpointPath,
  query: RunQuery,
  responses: RESPONSES,
  async handle({ params, query, ...context }) {
    const { runEndpoint } = await import('../run/run')
    return runEndpoint(context, params.name, { query, body: {} })
  },
})
