import * as z from 'zod'
import { ApiError } from '../../errors'
import { operation } from '../../http/operation'

const ErrorDetail = z.object({ detail: z.string() }).meta({ id: 'ErrorDetail' })

export const bulkUpdateTagsOperation = operation({
  id: 'endpoints_bulk_update_tags_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/bulk_update_tags/',
  summary: 'Not allowed: tags are changed one endpoint at a time',
  description: 'Always 405. Send `tags` as an update instead.',
  scope: 'endpoint:write',
  responses: { 405: ErrorDetail },
  handle: async () => {
    throw new ApiError({
      status: 405,
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail: 'Bulk tag updates are not supported for endpoints.',
      shape: 'detail',
      // No method does.
      headers: { Allow: '' },
    })
  },
})
