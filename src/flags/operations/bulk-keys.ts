import * as z from 'zod'
import { invalidErrorText } from '../../errors'
import { LIST_OF_IDS } from '../../http/body/body'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { valueJson } from '../../http/value-words'
import { splitIds } from '../bulk/selection'
import { readKeys } from '../keys/key-lookup'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { FLAG_ID, FLAG_KEY } from '../examples'

const BulkKeysBody = z
  .object({
    ids: z
      .unknown()
      .optional()
      .meta({ type: 'array', items: { type: 'integer' } }),
  })
  .meta({ id: 'BulkKeys' })

const BulkKeysResult = z
  .object({
    keys: z.record(z.string(), z.string()),
    warning: z.string().optional(),
  })
  .meta({ id: 'BulkKeysResult' })

export const bulkKeysOperation = operation({
  id: 'feature_flags_bulk_keys_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/bulk_keys/',
  summary: 'Look up the keys of many flags',
  scope: 'feature_flag:read',
  body: BulkKeysBody,
  bodySize: LIST_OF_IDS,
  errorForm: 'error',
  responses: { 200: BulkKeysResult, 400: ErrorText },
  async handle({ deps, project, body }) {
    const members = Array.isArray(body.ids)
      ? body.ids
      : body.ids === undefined || body.ids === null
        ? []
        : [body.ids]
    if (members.length === 0) return { keys: {} }
    const { ids, invalid } = splitIds(members)
    if (ids.length === 0) throw invalidErrorText('Invalid flag IDs provided')

    const keys = await readKeys(deps.db, project.id, ids)
    return {
      keys: Object.fromEntries(keys),
      ...(invalid.length > 0 ? { warning: `Invalid flag IDs ignored: ${valueJson(invalid)}` } : {}),
    }
  },
})

export const bulkKeysDocs = (): OperationDocs => ({
  tool: { name: 'feature-flags-bulk-keys-retrieve' },
  body: {
    description: 'Flags to look up.',
    fields: {
      ids: 'Ids of flags, as numbers or text of digits. Without any the result is empty; without a valid one, 400.',
    },
    example: { ids: [FLAG_ID, 2] },
  },
  response: {
    description: 'Keys by id.',
    fields: {
      keys: 'Key of each flag, by its id as text. Unknown and deleted flags are absent.',
      warning: 'Members of `ids` that are no ids, in a sentence; absent when all are ids.',
    },
    example: { keys: { [FLAG_ID]: FLAG_KEY, 2: 'banner' } },
  },
  sample: { body: { ids: ['#$FLAG'] } },
})
