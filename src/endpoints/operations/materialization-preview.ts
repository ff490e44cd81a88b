import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { PreviewBody, previewMaterialization, PreviewResult } from '../materialization/preview'
import { EndpointPath } from '../schema'

export const materializationPreviewOperation = operation({
  id: 'endpoints_materialization_preview_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_preview/',
  summary: 'Preview what is kept of a query, and how runs read it',
  description:
    'Nothing is changed. A query that cannot be materialized is answered with the reason, and with nothing else.',
  scope: 'endpoint:read',
  params: EndpointPath,
  body: PreviewBody,
  responses: { 200: PreviewResult, 400: ErrorBody, 404: z.union([ErrorBody, ErrorText]) },
  handle: ({ params, body, ...context }) => previewMaterialization(context, params.name, body),
})
