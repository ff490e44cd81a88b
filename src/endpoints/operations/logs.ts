import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { LogLine, LogQuery, readLog } from '../logs/list'
import { EndpointPath } from '../schema'

export const endpointLogOperation = operation({
  id: 'endpoints_logs_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/logs/',
  summary: 'Read the log of an endpoint',
  description: 'A line for each run, newest first; kept for 30 days.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: LogQuery,
  responses: { 200: pageOf(LogLine), 400: ErrorBody, 404: ErrorBody },
  async handle({ deps, project, params, query, url }) {
    const log = await readLog(deps, project, params.name, query)
    if (!log) throw notFound()
    return page(url, query, log.count, log.lines)
  },
})
