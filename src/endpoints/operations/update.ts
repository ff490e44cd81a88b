import * as z from 'zod'
import { Success } from '../../http/plain-bodies'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { EndpointPath, EndpointVersionRecord, UpdatedEndpointRecord, UpdateEndpointBody } from '../schema'
import { updateEndpoint } from '../update'

export const updateEndpointOperation = operation({
  id: 'endpoints_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/endpoints/:name/',
  summary: 'Update or delete an endpoint',
  description:
    'Fields that are left out stay as they are. A query that differs from the current one becomes a new version; nothing else does. ' +
    'With `version` that version is changed, and answered, in place of the current one. `deleted: true` deletes the endpoint.',
  scope: 'endpoint:write',
  params: EndpointPath,
  query: z.object({ version: z.string().optional().meta({ type: 'integer' }) }),
  body: UpdateEndpointBody,
  refusals: 'parse error',
  responses: {
    200: z.union([UpdatedEndpointRecord, EndpointVersionRecord, Success]),
    400: ErrorBody,
    404: ErrorBody,
  },
  handle: (context) => updateEndpoint(context, context.params.name, context.body, context.query.version),
})

/** The same under another method: clients of upstream send both. */
export const replaceEndpointOperation = {
  ...updateEndpointOperation,
  id: 'endpoints_update',
  method: 'put' as const,
  description: `As PATCH. ${updateEndpointOperation.description}`,
}
