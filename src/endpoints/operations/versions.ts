import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { boolean, integer, pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { listVersions } from '../list-endpoints'
import { EndpointPath, EndpointVersionRecord } from '../endpoint-schema'

export const listVersionsOperation = operation({
  id: 'endpoints_versions_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/versions/',
  summary: 'List the versions of an endpoint',
  description: 'Newest first. `is_active` and `created_by` are about the versions, not the endpoint.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object({
    is_active: boolean().optional(),
    created_by: integer().optional(),
    ...pageQuery,
  }),
  responses: { 200: pageOf(EndpointVersionRecord) },
  handle: (context) => listVersions(context, context.params.name, context.query),
})

export const listVersionsDocs = (): OperationDocs => ({
  parameters: {
    name: nameParameter(),
    is_active: 'True: only versions that can be run; false: only the others. Default: all.',
    created_by: 'Id of a user: only versions that this user created.',
  },
  tool: { name: 'endpoint-versions' },
})
