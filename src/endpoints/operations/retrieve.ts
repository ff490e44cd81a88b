import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { findEndpoint } from '../find'
import { recordFrom, versionRecordFrom } from '../record'
import { EndpointPath, EndpointRecord, EndpointVersionRecord, versionQuery } from '../schema'

export const retrieveEndpointOperation = operation({
  id: 'endpoints_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/',
  summary: 'Read an endpoint',
  description:
    'With `version` the answer is the record of that version, without it that of the endpoint at its current one.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: {
    200: z.union([EndpointRecord, EndpointVersionRecord]),
    400: ErrorBody,
    404: z.union([ErrorBody, ErrorText]),
  },
  async handle(context) {
    const { params, query, url } = context
    const row = await findEndpoint(context, params.name, query.version)
    return query.version === undefined ? recordFrom(row, url) : versionRecordFrom(row, url)
  },
})
