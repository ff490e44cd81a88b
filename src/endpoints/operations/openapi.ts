import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { describeEndpoint } from '../described'
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
  async handle(context) {
    const endpoint = await describeEndpoint(context, context.params.name, context.query.version)
    const { openApiOf } = await import('../openapi')
    return openApiOf(endpoint, context.url.origin)
  },
})
