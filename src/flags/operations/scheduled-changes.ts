import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id } from '../../http/fields'
import { operation, putOf } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import {
  ScheduledChange,
  ScheduledChangeBody,
  ScheduledChangeQuery,
  ScheduledChangeUpdate,
} from '../scheduled/schema'

// The code is loaded on demand, because an isolate that serves flags does not need it.
const reads = () => import('../scheduled/read-changes')

const PATH = '/api/projects/:project_id/scheduled_changes/'

/**
 * Impersonating staff cannot schedule a change: it runs in the name of the user after the impersonation, and then may make a change request
 * that staff approve as themselves.
 */
const write = { scope: 'feature_flag:write', impersonation: 'closed' } as const

const changeParameter = () => ({ id: { description: 'Id of the scheduled change.', example: 1 } })

export const listScheduledChangesOperation = operation({
  id: 'scheduled_changes_list',
  method: 'get',
  path: PATH,
  summary: 'List scheduled changes of flags',
  description: 'Newest first, with those that ended in the last 90 days.',
  scope: 'feature_flag:read',
  query: ScheduledChangeQuery,
  responses: { 200: pageOf(ScheduledChange) },
  handle: async (context) => (await reads()).listChanges(context, context.query, context.url),
})

export const listScheduledChangesDocs = (): OperationDocs => ({
  parameters: {
    model_name: 'Kind of object.',
    record_id: 'Id of a flag. Default: all flags.',
  },
})

export const createScheduledChangeOperation = operation({
  id: 'scheduled_changes_create',
  method: 'post',
  path: PATH,
  summary: 'Schedule a change of a flag',
  description:
    'It runs within a minute or so of its time, as an update by its author. A rejected run is not retried: `failure_reason` has the reason.',
  ...write,
  body: ScheduledChangeBody,
  responses: { 201: ScheduledChange },
  handle: async (context) => (await import('../scheduled/create-change')).createChange(context, context.body),
})

export const createScheduledChangeDocs = (): OperationDocs => ({
  sample: { into: { record_id: '$FLAG' } },
})

export const retrieveScheduledChangeOperation = operation({
  id: 'scheduled_changes_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a scheduled change',
  scope: 'feature_flag:read',
  params: z.object({ id: id() }),
  responses: { 200: ScheduledChange },
  handle: async (context) => (await reads()).getChange(context, context.params.id),
})

export const retrieveScheduledChangeDocs = (): OperationDocs => ({
  parameters: changeParameter(),
  // The tools of MCP leave this out, because the list shows as much.
  tool: { isDuplicate: true },
})

export const patchScheduledChangeOperation = operation({
  id: 'scheduled_changes_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change a scheduled change that waits',
  description: 'The last editor is the author of its runs.',
  ...write,
  params: z.object({ id: id() }),
  body: ScheduledChangeUpdate,
  responses: { 200: ScheduledChange },
  handle: async (context) =>
    (await import('../scheduled/update-change')).updateChange(context, context.params.id, context.body),
})

export const patchScheduledChangeDocs = (): OperationDocs => ({
  parameters: changeParameter(),
  // The tools of MCP leave this out, because deleting a change and creating another does the same.
  tool: { isDuplicate: true },
})

export const putScheduledChangeOperation = putOf(patchScheduledChangeOperation, 'scheduled_changes_update')

export const putScheduledChangeDocs = (): OperationDocs => patchScheduledChangeDocs()

export const destroyScheduledChangeOperation = operation({
  id: 'scheduled_changes_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Cancel a scheduled change',
  description: 'Also removes one that has ended.',
  scope: 'feature_flag:write',
  params: z.object({ id: id() }),
  responses: { 204: 'empty' },
  handle: async (context) =>
    (await import('../scheduled/cancel-change')).cancelChange(context, context.params.id),
})

export const destroyScheduledChangeDocs = (): OperationDocs => ({
  tool: { name: 'scheduled-changes-delete' },
  parameters: changeParameter(),
})
