import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { Success } from '../../http/plain-bodies'
import { operation } from '../../http/operation'
import {
  AnyEndpointRecord,
  EndpointPath,
  EndpointVersionRecord,
  UpdatedEndpointRecord,
  UpdateEndpointBody,
} from '../endpoint-schema'
import { updateEndpoint } from '../update/update-endpoint'

export const updateEndpointOperation = operation({
  id: 'endpoints_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/endpoints/:name/',
  summary: 'Update or delete an endpoint',
  description:
    'Fields that are left out keep their values. Only a query that differs from the current one creates a new version. ' +
    'With `version`, changes and returns that version instead of the current one. `deleted: true` deletes the endpoint.',
  scope: 'endpoint:write',
  params: EndpointPath,
  query: z.object({ version: z.string().optional().meta({ type: 'integer' }) }),
  body: UpdateEndpointBody,
  record: AnyEndpointRecord,
  errorForm: 'parse error',
  responses: {
    200: z.union([UpdatedEndpointRecord, EndpointVersionRecord, Success]),
  },
  handle: (context) => updateEndpoint(context, context.params.name, context.body, context.query.version),
})

export const replaceEndpointOperation = {
  ...updateEndpointOperation,
  id: 'endpoints_update',
  method: 'put' as const,
  description: `Same as PATCH. ${updateEndpointOperation.description}`,
}

const docs = (): OperationDocs => ({
  parameters: {
    name: nameParameter(),
    version:
      'Number of the version to change, unless the body has `version`. Default: the endpoint and its current version.',
  },
})

export const updateEndpointDocs = (): OperationDocs => ({ ...docs(), tool: { name: 'endpoint-update' } })
export const replaceEndpointDocs = (): OperationDocs => ({ ...docs(), tool: { isDuplicate: true } })
