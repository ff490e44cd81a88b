import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter, versionParameter } from '../endpoint-example'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { findEndpoint } from '../find-endpoint'
import { recordFrom, versionRecordFrom } from '../endpoint-record'
import { EndpointPath, EndpointRecord, EndpointVersionRecord, versionQuery } from '../endpoint-schema'

export const retrieveEndpointOperation = operation({
  id: 'endpoints_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/',
  summary: 'Read an endpoint',
  description:
    'With `version` the response is the record of that version, else that of the endpoint at its current version.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: {
    200: z.union([EndpointRecord, EndpointVersionRecord]),
    404: ErrorText,
  },
  async handle(context) {
    const { params, query, url } = context
    const row = await findEndpoint(context, params.name, query.version)
    return query.version === undefined ? recordFrom(row, url) : versionRecordFrom(row, url)
  },
})

export const retrieveEndpointDocs = (): OperationDocs => ({
  parameters: { name: nameParameter(), version: versionParameter() },
  tool: { name: 'endpoint-get' },
})
