import * as z from 'zod'
import { userOf } from '../../auth/actor'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { parseBulkSelection } from '../bulk/selection'
import { viewerOf } from '../context'
import { checkSelection, selectionFields } from '../selection'

const BulkDeleteBody = z
  .object({
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
        properties: Object.fromEntries(Object.keys(selectionFields).map((key) => [key, {}])),
      }),
  })
  .meta({ id: 'BulkDelete' })

const BulkDeleteResult = z
  .object({
    deleted: z.array(
      z.object({
        id: z.int(),
        key: z.string(),
        rollout_state: z.enum(['fully_rolled_out', 'not_rolled_out', 'partial']),
        active_variant: z.string().nullable(),
      }),
    ),
    errors: z.array(
      z.object({
        id: z.unknown(),
        key: z.string().optional(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'BulkDeleteResult' })

export const bulkDeleteOperation = operation({
  id: 'feature_flags_bulk_delete_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/bulk_delete/',
  summary: 'Delete many flags at once',
  description:
    'By ids without limit, or by the filters of the list. A flag that something still needs stays, and the answer says why. ' +
    'Work that is cut short is finished in the background; asking again tells how things stand.',
  scope: 'feature_flag:write',
  body: BulkDeleteBody,
  responses: { 200: BulkDeleteResult, 400: ErrorText },
  async handle(context) {
    const { deps, actor, project, body } = context
    const selection = parseBulkSelection(body)
    const { now } = viewerOf(context)
    // The project object would refuse it too, but only after the call has waited in its queue.
    if (selection.kind === 'filters') checkSelection(selection.filters)
    const result = await deps.projects.bulkDelete({
      projectId: project.id,
      userId: userOf(actor)?.id ?? null,
      selection,
      now: now.toISOString(),
    })
    if (result.deleted.length > 0) await deps.snapshots.adopt(project.id)
    return result
  },
})
