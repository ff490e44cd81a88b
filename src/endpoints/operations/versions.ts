import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { listVersions } from '../list-endpoints'
import { EndpointPath, EndpointVersionRecord } from '../endpoint-schema'

export const listVersionsOperation = operation({
  id: 'endpoints_versions_list',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/versions/',
  summary: 'List the versions of an endpoint',
  description: 'The current one first. `is_active` and `created_by` are accepted without effect.',
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

export const listVersionsDocs = (): OperationDocs => ({
  parameters: {
    name: nameParameter(),
    is_active: 'No effect, as upstream: all versions are listed.',
    created_by: 'No effect, as upstream: all versions are listed.',
  },
  tool: { name: 'endpoint-versions' },
})
