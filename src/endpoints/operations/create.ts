import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { createEndpoint } from '../create'
import { CreateEndpointBody, EndpointRecord } from '../schema'

export const createEndpointOperation = operation({
  id: 'endpoints_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/',
  summary: 'Create an endpoint',
  description:
    '`name` and `query` are required. A name that a deleted endpoint had can be used again. The query is checked, and is version 1.',
  scope: 'endpoint:write',
  body: CreateEndpointBody,
  refusals: 'parse error',
  responses: { 201: EndpointRecord, 400: ErrorBody },
  handle: (context) => createEndpoint(context, context.body),
})
