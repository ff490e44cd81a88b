import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { viewerOf } from '../context'
import { filtersExample, flagParameter } from '../examples'
import { placeInFlag } from '../misplaced-fields'
import { keyTaken } from '../keys/key'
import { getFlag } from '../read/find'
import { readFlagPage, readMatchingIds } from '../read/list'
import { recordFrom } from '../read/record'
import { selectionFields, selectionParameters } from '../read/parse-selection'
import { FlagStatus, statusOf } from '../read/status'
import { CreateFlagBody, FlagPath, FlagRecord, UpdateFlagBody } from '../schema'
import { submitWrite } from '../write/submit-write'

const PATH = '/api/projects/:project_id/feature_flags/'

/** Fields that applications set for themselves, or that describe the past. */
const NOT_FOR_MODELS = [
  'created_at',
  'creation_context',
  'last_called_at',
  '_create_in_folder',
  '_should_create_usage_dashboard',
]

export const listFlagsOperation = operation({
  id: 'feature_flags_list',
  method: 'get',
  path: PATH,
  summary: 'List the flags of a project',
  description:
    'Newest first by default. Filters combine with AND. Deleted flags are never listed, archived ones only on request.',
  scope: 'feature_flag:read',
  query: z.object({
    ...z.object(selectionFields).partial().shape,
    ...pageQuery,
    order: z.string().optional().meta({ default: '-created_at' }),
  }),
  responses: { 200: pageOf(FlagRecord) },
  handle: (context) => readFlagPage(context, context.query),
})

export const listFlagsDocs = (): OperationDocs => ({
  parameters: {
    ...selectionParameters(),
    order: {
      description:
        'Field to sort by, descending with `-` in front: `id`, `key`, `name`, `created_at`, `updated_at`, `last_called_at`, `active`, `version` or `created_by`. Default `-created_at`.',
      example: 'key',
    },
  },
  tool: {
    name: 'feature-flag-get-all',
    rowFields: ['id', 'key', 'name', 'active', 'updated_at', 'status', 'tags'],
  },
})

export const matchingIdsOperation = operation({
  id: 'feature_flags_matching_ids_retrieve',
  method: 'get',
  path: `${PATH}matching_ids/`,
  summary: 'List the ids of all flags that match the filters of the list',
  description: 'Not paged: input for a bulk operation. Newest first.',
  scope: 'feature_flag:read',
  query: z.object(selectionFields).partial(),
  responses: {
    200: z.object({ ids: z.array(z.int()), total: z.int() }).meta({ id: 'MatchingIds' }),
  },
  async handle(context) {
    const ids = await readMatchingIds(context, context.query)
    return { ids, total: ids.length }
  },
})

export const matchingIdsDocs = (): OperationDocs => ({
  parameters: selectionParameters(),
  response: {
    description: 'Ids of flags.',
    fields: { ids: 'Ids of all flags that match, newest flag first.', total: 'Number of ids.' },
    example: { ids: [2, 1], total: 2 },
  },
  tool: { fieldsAs: 'feature-flag-get-all' },
})

export const createFlagOperation = operation({
  id: 'feature_flags_create',
  method: 'post',
  path: PATH,
  summary: 'Create a flag',
  description:
    'In `filters`: conditions on people, a rollout in percent, variants and payloads. Only `key` is required. The key of a deleted flag can be used again.',
  scope: 'feature_flag:write',
  body: CreateFlagBody,
  placeOf: placeInFlag,
  responses: { 201: FlagRecord },
  handle: (context) => submitWrite(context, { kind: 'create', body: context.body }),
})

export const createFlagDocs = (): OperationDocs => ({
  errors: { 400: { 'The key is taken': keyTaken() } },
  tool: { name: 'create-feature-flag', omits: [...NOT_FOR_MODELS, 'deleted'] },
  sample: { into: { key: 'new-checkout-$N' } },
})

export const retrieveFlagOperation = operation({
  id: 'feature_flags_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a flag',
  description: 'Deleted flags too, with `deleted: true`.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: FlagRecord },
  handle: async (context) => recordFrom(await getFlag(context, context.params.id), viewerOf(context)),
})

export const retrieveFlagDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  tool: { name: 'feature-flag-get-definition' },
})

export const updateFlagOperation = operation({
  id: 'feature_flags_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Update, delete, restore or archive a flag',
  description:
    'Omitted fields keep their values. Every update increments `version`. `deleted: true` deletes the flag, `deleted: false` restores ' +
    'it. With `version` and `original_flag`, a field that another user changed is a 409.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: UpdateFlagBody,
  placeOf: placeInFlag,
  responses: { 200: FlagRecord, 409: ErrorBody },
  handle: (context) => submitWrite(context, { kind: 'update', id: context.params.id, body: context.body }),
})

export const updateFlagDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  response: {
    example: {
      filters: filtersExample(50),
      version: 2,
      updated_at: '2026-04-02T09:00:07.530000Z',
    },
  },
  tool: { name: 'update-feature-flag', fieldsAs: 'create-feature-flag', omits: NOT_FOR_MODELS },
})

export const destroyFlagOperation = operation({
  id: 'feature_flags_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Not allowed: update a flag to delete it',
  description:
    'Always 405 without a body, for unknown flags too. Send `{"deleted": true}` as an update instead.',
  scope: 'feature_flag:write',
  params: z.object({ id: z.string().meta({ type: 'integer', minimum: 1 }) }),
  responses: { 405: 'empty' },
  handle: async () => new Response(null, { status: 405, headers: { Allow: 'GET, PATCH' } }),
})

export const destroyFlagDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  tool: {
    name: 'delete-feature-flag',
    instead: {
      operation: 'feature_flags_partial_update',
      fixed: { deleted: true },
      description: 'Delete a flag. update-feature-flag with deleted: false restores it.',
    },
  },
})

export const flagStatusOperation = operation({
  id: 'feature_flags_status_retrieve',
  method: 'get',
  path: `${PATH}:id/status/`,
  summary: 'Read whether a flag is still in use',
  description:
    'A flag is stale when it was not called in 30 days, or when it was never called and is the same for everyone.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: FlagStatus },
  handle: async (context) => statusOf(await getFlag(context, context.params.id), context.deps.clock.now()),
})

export const flagStatusDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  tool: { name: 'feature-flags-status-retrieve' },
})
