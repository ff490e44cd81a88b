import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { operation } from '../../http/operation'
import { deleteEndpoint } from '../delete-endpoint'
import { EndpointPath } from '../endpoint-schema'

export const deleteEndpointOperation = operation({
  id: 'endpoints_destroy',
  method: 'delete',
  path: '/api/projects/:project_id/endpoints/:name/',
  summary: 'Delete an endpoint',
  description: 'Its name can be used again.',
  scope: 'endpoint:write',
  params: EndpointPath,
  responses: { 204: 'empty' },
  handle: (context) => deleteEndpoint(context, context.params.name),
})

export const deleteEndpointDocs = (): OperationDocs => ({
  parameters: { name: nameParameter() },
  tool: { name: 'endpoint-delete' },
})
