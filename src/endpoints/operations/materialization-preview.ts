import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter } from '../endpoint-example'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { previewMaterialization } from '../materialization/preview-materialization'
import { PreviewBody, PreviewResult } from '../materialization/preview-schema'
import { EndpointPath } from '../endpoint-schema'

export const materializationPreviewOperation = operation({
  id: 'endpoints_materialization_preview_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_preview/',
  summary: 'Preview the materialized rows of a query and how runs read them',
  description: 'Changes nothing. For a query that cannot be materialized, the response has only the reason.',
  scope: 'endpoint:read',
  params: EndpointPath,
  body: PreviewBody,
  responses: { 200: PreviewResult, 404: ErrorText },
  handle: ({ params, body, ...context }) => previewMaterialization(context, params.name, body),
})

export const materializationPreviewDocs = (): OperationDocs => ({
  parameters: { name: nameParameter() },
  tool: { name: 'endpoints-materialization-preview' },
})
