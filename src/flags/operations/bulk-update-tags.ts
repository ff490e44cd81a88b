import * as z from 'zod'
import { authorOf } from '../../activity/record'
import { strictBody } from '../../http/body/strict-body'
import { integer, text } from '../../http/fields'
import { operation } from '../../http/operation'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { MAX_TAGS } from '../../tags'
import { FLAG_ID } from '../examples'

/** The body rejects other fields. Filters beside the ids, for example, are a mistake, and could widen what is changed. */
const BulkUpdateTagsBody = strictBody({
  ids: z.array(integer()).min(1).max(500),
  action: z.enum(['add', 'remove', 'set']),
  tags: z.array(text({ max: 255, blank: true })).max(MAX_TAGS),
}).meta({ id: 'BulkUpdateTags' })

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
  description: 'Deleted flags are updated too. A flag whose tags change gets a new version.',
  scope: 'feature_flag:write',
  body: BulkUpdateTagsBody,
  responses: { 200: BulkUpdateTagsResult },
  async handle(context) {
    const { deps, actor, project, body } = context
    const { mark, ...result } = await deps.projectObjects.updateTags({
      ...body,
      projectId: project.id,
      author: authorOf(actor),
      now: deps.clock.now().getTime(),
    })
    await deps.snapshots.leaveMark(project.id, mark)
    return result
  },
})

export const bulkUpdateTagsDocs = (): OperationDocs => ({
  body: {
    description: 'A change of the tags of flags.',
    fields: {
      ids: 'Ids of flags, 1 to 500.',
      action: '`add` adds the tags to each flag, `remove` removes them, `set` replaces all tags by them.',
      tags: 'At most 100 tags of at most 255 characters, and 4,000 bytes for a flag together; trimmed, lower-cased, each once. May be empty only with `set`.',
    },
    example: { ids: [FLAG_ID, 2], action: 'add', tags: ['spring'] },
  },
  response: {
    description: 'The result for each flag.',
    fields: {
      updated: 'Flags of the project, newest first, also those without a change.',
      'updated.id': 'Id of the flag.',
      'updated.tags': 'All tags of the flag, in alphabetical order.',
      skipped: 'Ids of no flag in this project.',
      'skipped.id': 'The id as sent.',
      'skipped.reason': 'Reason in English; always the same.',
    },
    example: {
      updated: [{ id: FLAG_ID, tags: ['checkout', 'spring'] }],
      skipped: [{ id: 2, reason: 'Not found or no edit access' }],
    },
  },
  sample: { body: { ids: ['#$FLAG'], action: 'add', tags: ['checkout'] } },
})
