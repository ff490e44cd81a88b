import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { integer, text } from '../../http/fields'
import { operation } from '../../http/operation'
import { updateTags } from '../bulk/update-tags'

const BulkUpdateTagsBody = z
  .object({
    ids: z.array(integer()).min(1).max(500),
    action: z.enum(['add', 'remove', 'set']),
    tags: z.array(text({ max: 255, blank: true })).max(100),
  })
  .meta({ id: 'BulkUpdateTags' })
export type BulkUpdateTagsBody = z.output<typeof BulkUpdateTagsBody>

const BulkUpdateTagsResult = z
  .object({
    updated: z.array(z.object({ id: z.int(), tags: z.array(z.string()) })),
    skipped: z.array(z.object({ id: z.int(), reason: z.string() })),
  })
  .meta({ id: 'BulkUpdateTagsResult' })

export const bulkUpdateTagsOperation = operation({
  id: 'feature_flags_bulk_update_tags_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/bulk_update_tags/',
  summary: 'Add, remove or replace the tags of many flags',
  description: 'Deleted flags are updated too. The version of a flag does not change.',
  scope: 'feature_flag:write',
  body: BulkUpdateTagsBody,
  responses: { 200: BulkUpdateTagsResult, 400: ErrorBody },
  handle: (context) => updateTags(context, context.body),
})
