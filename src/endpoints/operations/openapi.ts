import type { JsonObject } from '../../json'
import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import {
  EXAMPLE_NAME,
  EXAMPLE_ORIGIN,
  endpointExample,
  nameParameter,
  versionParameter,
} from '../endpoint-example'
import type { EndpointRow } from '../endpoint-rows'
import { openApiOf } from '../endpoint-openapi'
import { project } from '../../http/docs/examples'
import { ErrorText } from '../../http/error-body'
import { dictionary } from '../../http/fields'
import { operation } from '../../http/operation'
import { describeEndpoint } from '../find-endpoint'
import { EndpointPath, versionQuery } from '../endpoint-schema'

export const openApiOperation = operation({
  id: 'endpoints_openapi_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/openapi.json/',
  summary: 'Describe an endpoint as an OpenAPI document',
  description: 'OpenAPI 3.0.3, with the types of its variables. Generate clients from it.',
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
    404: ErrorText,
  },
  async handle(context) {
    const endpoint = await describeEndpoint(context, context.params.name, context.query.version)
    const document = await import('../endpoint-openapi')
    return document.openApiOf(endpoint, context.url.origin)
  },
})

/** The document with its references inlined. Inside the reference they would point into the reference itself. */
function dereferenced(document: JsonObject): unknown {
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return inline(schemas[String(value.$ref).slice('#/components/schemas/'.length)])
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each)]))
  }
  return inline(document)
}

export const openApiDocs = (): OperationDocs => ({
  parameters: { name: nameParameter(), version: versionParameter() },
  response: {
    description: 'An OpenAPI document with one operation: a run of the endpoint.',
    fields: {
      openapi: 'Version of OpenAPI.',
      info: 'About the document.',
      'info.title': 'Name of the endpoint.',
      'info.description': 'Description of the version, or a default sentence.',
      'info.version': 'Number of the version.',
      servers: 'This service, under the host of the request.',
      'servers.url': 'URL of the service.',
      paths: 'The one path with its one operation.',
      components: 'Input of a run: `EndpointRunRequest`, with the types of the variables in `Variables`.',
    },
    example: dereferenced(openApiOf({ row: exampleRow(), variableTypes: new Map() }, EXAMPLE_ORIGIN)),
  },
  tool: { name: 'endpoint-openapi' },
})

const exampleRow = () => {
  const { description, query } = endpointExample()
  return {
    projectId: project.id,
    name: EXAMPLE_NAME,
    version: 1,
    description,
    query,
    generation: null,
  } as unknown as EndpointRow
}
