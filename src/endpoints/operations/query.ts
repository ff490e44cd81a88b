import * as z from 'zod'
import {
  queryCapacity,
  queryMemoryLimit,
  queryTimeout,
  queryTooLarge,
  tooManyQueries,
} from '../../analytics/engine/limits'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { throttled } from '../../http/limits/throttle'
import { DatabaseSchema, QueryCheck, QueryRequest, QueryResult } from '../unsaved/query-request'

export const queryOperation = operation({
  id: 'query_create',
  method: 'post',
  path: '/api/projects/:project_id/query/',
  summary: 'Run or check an unsaved query',
  description: '`HogQLMetadata` checks SQL, `DatabaseSchemaQuery` lists tables, fields and functions.',
  scope: 'query:read',
  keyRate: null,
  body: QueryRequest,
  responses: {
    200: z.union([QueryResult, QueryCheck, DatabaseSchema]),
  },
  async handle({ body, ...context }) {
    const { respondToQuery } = await import('../unsaved/run-unsaved')
    return respondToQuery(context, body)
  },
})

export const queryDocs = (): OperationDocs => ({
  errors: {
    400: {
      'The query takes too long': queryTimeout(),
      'The result is too large': queryTooLarge(),
      'The query needs too much memory': queryMemoryLimit(),
    },
    429: { 'Too many concurrent queries': tooManyQueries(), 'Too many runs': throttled(60) },
    503: { 'The database is at capacity': queryCapacity() },
  },
  response: {
    description: 'The result, the check or the description, by the kind of the query.',
  },
  tool: { name: 'query-run' },
})
