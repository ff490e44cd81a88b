import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { listVersions } from '../list'
import { EndpointPath, EndpointVersionRecord } from '../schema'

export const listVersionsOperation = operation({
  id: 'endpoints_versions_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/versions/',
  summary: 'List the versions of an endpoint',
  description: 'The current one first. `is_active` and `created_by` are taken and have no effect.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object({
    is_active: z.unknown().optional().meta({ type: 'boolean' }),
    created_by: z.unknown().optional().meta({ type: 'integer' }),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointVersionRecord), 404: ErrorBody },
  handle: (context) => listVersions(context, context.params.name, context.query),
})
