import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameTaken } from '../field-checks'
import { operation } from '../../http/operation'
import { createEndpoint } from '../create-endpoint'
import { CreatedEndpointRecord, CreateEndpointBody } from '../endpoint-schema'

export const createEndpointOperation = operation({
  id: 'endpoints_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/',
  summary: 'Create an endpoint',
  description: 'Saves a query under a name, as version 1. The name of a deleted endpoint can be used again.',
  scope: 'endpoint:write',
  body: CreateEndpointBody,
  errorForm: 'parse error',
  responses: { 201: CreatedEndpointRecord },
  handle: (context) => createEndpoint(context, context.body),
})

export const createEndpointDocs = (): OperationDocs => ({
  errors: { 400: { 'The name is taken': nameTaken() } },
  tool: { name: 'endpoint-create' },
  sample: { into: { name: 'events_by_name_$N' } },
})
