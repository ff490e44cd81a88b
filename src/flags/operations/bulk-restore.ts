import * as z from 'zod'
import { invalidErrorText } from '../../errors'
import { LIST_OF_IDS } from '../../http/body/body'
import { ErrorText } from '../../http/error-body'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { parseIds } from '../bulk/selection'
import { MAX_RESTORED, restoreFlags } from '../bulk/restore'
import { FlagResult, FlagResultError } from './bulk-delete'

const BulkRestoreBody = z
  .looseObject({
    ids: z
      .unknown()
      .optional()
      .meta({ type: 'array', items: { type: 'integer' } }),
  })
  .meta({ id: 'BulkRestore' })

const BulkRestoreResult = z
  .object({ restored: z.array(FlagResult), errors: z.array(FlagResultError) })
  .meta({ id: 'BulkRestoreResult' })

export const bulkRestoreOperation = operation({
  id: 'feature_flags_bulk_restore_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/bulk_restore/',
  summary: 'Restore many deleted flags at once',
  description:
    'Takes back a bulk delete, by ids. Each flag is restored as an update with `deleted: false` would, those that others depend on first. ' +
    'A flag that cannot be restored is listed with the reason.',
  scope: 'feature_flag:write',
  body: BulkRestoreBody,
  bodySize: LIST_OF_IDS,
  errorForm: 'error',
  responses: { 200: BulkRestoreResult, 400: ErrorText },
  async handle(context) {
    const { deps, project, body } = context
    const selection = parseIds(body)
    const count = selection.ids.length + selection.invalid.length
    if (count > MAX_RESTORED)
      throw invalidErrorText(`At most ${MAX_RESTORED} flags can be restored at once. Got: ${count}.`)
    const { mark, ...result } = await restoreFlags(context, selection)
    await deps.snapshots.leaveMark(project.id, mark)
    return result
  },
})

export const bulkRestoreDocs = (): OperationDocs => ({
  // The tools of MCP leave this out, because `update-feature-flag` restores a flag.
  tool: { isDuplicate: true },
  body: {
    isRequired: true,
    description: 'Flags to restore.',
    fields: { ids: 'Ids of deleted flags, 1 to 500, as numbers or text of digits.' },
    example: { ids: [2, 3] },
  },
  response: {
    description: 'The result for each flag.',
    fields: {
      restored: 'Restored flags, by id.',
      'restored.id': 'Id of the flag.',
      'restored.key': 'Key of the flag; another one than before, with a number, if its key was taken.',
      'restored.rollout_state': 'Rollout of the flag: full, none or partial.',
      'restored.active_variant': 'Variant that everyone gets; null for none.',
      errors: 'Flags that were not restored.',
      'errors.id': 'Id of the flag; null for a member of `ids` that is no id.',
      'errors.key': 'Key of the flag; blank for an unknown id.',
      'errors.reason': 'Reason in English.',
    },
    example: {
      restored: [{ id: 2, key: 'banner', rollout_state: 'fully_rolled_out', active_variant: null }],
      errors: [{ id: 3, key: '', reason: 'Flag not found' }],
    },
  },
  sample: { body: { ids: ['#$FLAG'] } },
})
