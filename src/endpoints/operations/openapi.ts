import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { describeEndpoint } from '../described'
import { openApiOf } from '../openapi'
import { EndpointPath, versionQuery } from '../schema'

export const openApi = operation({
  id: 'endpoints_openapi_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/openapi.json/',
  summary: 'Describe an endpoint as an OpenAPI document',
  description: 'OpenAPI 3.0.3, with the types of its variables: clients can be generated from it.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: {
    200: z.looseObject({ openapi: z.literal('3.0.3') }),
    400: ErrorBody,
    404: z.union([ErrorBody, ErrorText]),
  },
  handle: async (context) =>
    openApiOf(
      await describeEndpoint(context, context.params.name, context.query.version),
      context.url.origin,
    ),
})
