import * as z from 'zod'
import { authorOf } from '../../activity/record'
import { LIST_OF_IDS } from '../../http/body/body'
import { ErrorText } from '../../http/error-body'
import { streamJson } from '../../http/stream-json'
import { operation } from '../../http/operation'
import { rejectUnknownExclusions } from '../bulk/exclusions'
import { parseBulkSelection } from '../bulk/selection'
import { resultText, withoutUnknownIds } from '../bulk/unknown-ids'
import { selectionFields, selectionParameters } from '../read/parse-selection'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'

const BulkDeleteBody = z
  .looseObject({
    ids: z
      .unknown()
      .optional()
      .meta({
        type: 'array',
        items: { type: 'integer' },
      }),
    filters: z
      .unknown()
      .optional()
      .meta({
        type: 'object',
        properties: Object.fromEntries(
          [...Object.keys(selectionFields), ...Object.keys(pageQuery)].map((key) => [key, {}]),
        ),
      }),
  })
  .meta({ id: 'BulkDelete' })

/** A flag of the result of a bulk delete or restore. */
export const FlagResult = z.object({
  id: z.int(),
  key: z.string(),
  rollout_state: z.enum(['fully_rolled_out', 'not_rolled_out', 'partial']),
  active_variant: z.string().nullable(),
})

/** A flag that was not changed, and why. */
export const FlagResultError = z.object({
  id: z.int().nullable(),
  key: z.string(),
  reason: z.string(),
})

const BulkDeleteResult = z
  .object({ deleted: z.array(FlagResult), errors: z.array(FlagResultError) })
  .meta({ id: 'BulkDeleteResult' })

export const bulkDeleteOperation = operation({
  id: 'feature_flags_bulk_delete_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/bulk_delete/',
  summary: 'Delete many flags at once',
  description: 'A flag that is still needed stays, with the reason. The others are deleted together.',
  scope: 'feature_flag:write',
  body: BulkDeleteBody,
  bodySize: LIST_OF_IDS,
  errorForm: 'error',
  responses: { 200: BulkDeleteResult, 400: ErrorText },
  async handle(context) {
    const { deps, actor, project, body } = context
    const sent = parseBulkSelection(body)
    await rejectUnknownExclusions(deps.db, project.id, sent)
    const { selection, errors } = await withoutUnknownIds(deps.db, project.id, sent)
    const { mark, ...result } = await deps.projectObjects.bulkDelete({
      projectId: project.id,
      author: authorOf(actor),
      membershipLevel: project.membershipLevel,
      selection,
      now: deps.clock.now().getTime(),
    })
    await deps.snapshots.leaveMark(project.id, mark)
    return errors ? streamJson(resultText(result, errors)) : result
  },
})

export const bulkDeleteDocs = (): OperationDocs => ({
  tool: { membersAs: { filters: 'the parameters of feature-flag-get-all' } },
  body: {
    isRequired: true,
    description: 'Flags to delete: by `ids` or by `filters`. An empty value counts as omitted.',
    fields: {
      ids: 'Ids of flags, as numbers or digits, as many as fit into 8 MiB. Archived flags too.',
      filters:
        'Filters of the list, without `order`. Empty ones, those that select every flag, and unknown tags or keys to exclude are a 400.',
      ...Object.fromEntries(
        Object.entries(selectionParameters()).map(([name, docs]) => [
          `filters.${name}`,
          typeof docs === 'string' ? docs : docs.description,
        ]),
      ),
      'filters.limit':
        'Deletes as many of these, newest first, at most 1,000. Default: all; 100 with `offset`.',
      'filters.offset': 'Newest of these to leave out. Default 0.',
    },
    example: { ids: [2, 3] },
  },
  response: {
    description: 'The result for each flag.',
    fields: {
      deleted: 'Deleted flags, by id.',
      'deleted.id': 'Id of the flag.',
      'deleted.key': 'Key of the flag before the deletion.',
      'deleted.rollout_state': 'Rollout before the deletion: full, none or partial.',
      'deleted.active_variant': 'Variant that everyone got; null for none.',
      errors: 'Flags that were not deleted: first unknown ids, then flags that are still needed.',
      'errors.id': 'Id of the flag; null for a member of `ids` that is no id.',
      'errors.key':
        'Key of the flag; blank for an unknown id. For a member of `ids` that is no id, that member as text, at most 400 characters.',
      'errors.reason': 'Reason in English.',
    },
    example: {
      deleted: [{ id: 2, key: 'banner', rollout_state: 'fully_rolled_out', active_variant: null }],
      errors: [{ id: 3, key: '', reason: 'Flag not found' }],
    },
  },
  sample: { body: { ids: ['#$FLAG'] } },
})
