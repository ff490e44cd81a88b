import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { boolean, integer, pageQuery, searchTerm } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { listEndpoints } from '../list-endpoints'
import { EndpointRecord } from '../endpoint-schema'

export const listEndpointsOperation = operation({
  id: 'endpoints_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/',
  summary: 'List the endpoints of a project',
  description: 'Newest first, without deleted ones.',
  scope: 'endpoint:read',
  query: z.object({
    is_active: boolean().optional(),
    created_by: integer().optional(),
    search: searchTerm().optional(),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointRecord) },
  handle: (context) => listEndpoints(context, context.query),
})

export const listEndpointsDocs = (): OperationDocs => ({
  parameters: {
    is_active: 'True: only endpoints that can be run; false: only the others. Default: all.',
    created_by: 'Id of a user: only endpoints that this user created.',
    search: 'Text in the name, case-insensitive.',
  },
  tool: { name: 'endpoints-get-all' },
})
