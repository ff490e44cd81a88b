import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { readMaterializationStatus } from '../materialization/status'
import { EndpointPath, MaterializationRecord, versionQuery } from '../schema'

export const materializationStatusOperation = operation({
  id: 'endpoints_materialization_status_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/materialization_status/',
  summary: 'How the materialization of an endpoint stands',
  description:
    'Of the current version, or of `version`. `ready` says whether runs can be answered from rows that are kept; `status` is that of the last ' +
    'build, whose failure leaves the rows of the one before it. Where nothing is materialized, `reason` says why it cannot be.',
  scope: 'endpoint:read',
  params: EndpointPath,
  query: z.object(versionQuery),
  responses: { 200: MaterializationRecord, 400: ErrorBody, 404: z.union([ErrorBody, ErrorText]) },
  handle: (context) => readMaterializationStatus(context, context.params.name, context.query.version),
})
