import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { boolean, integer, pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { listEndpoints } from '../list'
import { EndpointRecord } from '../schema'

export const listEndpointsOperation = operation({
  id: 'endpoints_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/',
  summary: 'List the endpoints of a project',
  description: 'Newest first. Deleted ones are never listed.',
  scope: 'endpoint:read',
  query: z.object({
    is_active: boolean().optional(),
    created_by: integer().optional(),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointRecord), 400: ErrorBody },
  handle: (context) => listEndpoints(context, context.query),
})
