import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { dictionary } from '../../http/fields'
import { operation } from '../../http/operation'
import { describeEndpoint } from '../describe'
import { EndpointPath, versionQuery } from '../schema'

export const openApiOperation = operation({
  id: 'endpoints_openapi_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/openapi.json/',
  summary: 'Describe an endpoint as an OpenAPI document',
  description: 'OpenAPI 3.0.3, with the types of its variables: clients can be generated from it.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: {
    200: z.object({
      openapi: z.literal('3.0.3'),
      info: z.object({ title: z.string(), description: z.string(), version: z.string() }),
      servers: z.array(z.object({ url: z.string() })),
      paths: dictionary(),
      components: dictionary(),
    }),
    400: ErrorBody,
    404: z.union([ErrorBody, ErrorText]),
  },
  async handle(context) {
    const endpoint = await describeEndpoint(context, context.params.name, context.query.version)
    const { openApiOf } = await import('../openapi')
    return openApiOf(endpoint, context.url.origin)
  },
})
