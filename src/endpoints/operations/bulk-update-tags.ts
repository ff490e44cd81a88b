import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { ApiError } from '../../errors'
import { operation } from '../../http/operation'

export const ErrorDetail = z.object({ detail: z.string() }).meta({ id: 'ErrorDetail' })

export const ErrorDetailDocs = (): SchemaDocs => ({
  description: 'An error in one sentence.',
  fields: { detail: 'Description of the error, in English.' },
  example: { detail: DETAIL },
})

const DETAIL = 'Bulk tag updates are not supported for endpoints.'

export const bulkUpdateTagsOperation = operation({
  id: 'endpoints_bulk_update_tags_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/bulk_update_tags/',
  summary: 'Not allowed: update the tags of one endpoint at a time',
  description: 'Always 405. Send `tags` in an update instead.',
  scope: 'endpoint:write',
  responses: { 405: ErrorDetail },
  handle: async () => {
    throw new ApiError({
      status: 405,
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail: DETAIL,
      shape: 'detail',
      headers: { Allow: '' },
    })
  },
})
