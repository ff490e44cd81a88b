import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { notFound } from '../../errors'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { LogRecord, LogQuery, readLog } from '../logs/read-log'
import { EndpointPath } from '../endpoint-schema'

export const endpointLogOperation = operation({
  id: 'endpoints_logs_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/logs/',
  summary: 'Read the log of an endpoint',
  description: 'One entry for each run, newest first, of the last 30 days.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: LogQuery,
  responses: { 200: pageOf(LogRecord) },
  async handle({ deps, project, params, query, url }) {
    const log = await readLog(deps, project, params.name, query)
    if (!log) throw notFound()
    return page(url, query, log.count, log.entries)
  },
})

export const endpointLogDocs = (): OperationDocs => ({
  parameters: {
    name: nameParameter(),
    limit: 'Entries per page, from 1 to 500. Default 50.',
    after: 'Only entries after this time (ISO 8601; UTC unless it has an offset).',
    before: 'Only entries before this time (ISO 8601; UTC unless it has an offset).',
    level: {
      description:
        'Only entries of these levels: DEBUG, LOG, INFO, WARN or ERROR, separated by commas, case-insensitive. Default: all.',
      example: 'INFO,ERROR',
    },
    search: 'Only entries whose message contains this text, case-insensitive.',
    instance_id: 'Only the entry of the run with this `execution_id`.',
  },
  tool: { name: 'endpoint-logs' },
})
