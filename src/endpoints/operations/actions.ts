import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id, pageQuery } from '../../http/fields'
import { operation, putOf } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { actionExample, ActionBody, ActionRecord, ActionUpdate } from '../actions/action-record'
import { createAction, findAction, listActions, updateAction } from '../actions/actions'

const ALL = '/api/projects/:project_id/actions/'
const ONE = `${ALL}:id/`

/** Actions have no tools in MCP, because an agent writes the conditions into its query. */
const tool = { isDuplicate: true } as const

const parameters = () => ({ id: { description: 'Id of the action.', example: actionExample().id } })

export const listActionsOperation = operation({
  id: 'actions_list',
  method: 'get',
  path: ALL,
  summary: 'List the actions of a project',
  description: 'Newest first, without deleted ones.',
  scope: 'action:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(ActionRecord) },
  handle: (context) => listActions(context, context.query),
})

export const listActionsDocs = (): OperationDocs => ({ tool })

export const createActionOperation = operation({
  id: 'actions_create',
  method: 'post',
  path: ALL,
  summary: 'Create an action',
  description:
    "Queries read it as `matchesAction(1)` or `matchesAction('Paid')`, insights as an `ActionsNode`.",
  scope: 'action:write',
  body: ActionBody,
  responses: { 201: ActionRecord },
  handle: (context) => createAction(context, context.body),
})

export const createActionDocs = (): OperationDocs => ({ tool })

export const retrieveActionOperation = operation({
  id: 'actions_retrieve',
  method: 'get',
  path: ONE,
  summary: 'Read an action',
  scope: 'action:read',
  params: z.object({ id: id() }),
  responses: { 200: ActionRecord },
  handle: (context) => findAction(context, context.params.id),
})

export const retrieveActionDocs = (): OperationDocs => ({ parameters: parameters(), tool })

export const patchActionOperation = operation({
  id: 'actions_partial_update',
  method: 'patch',
  path: ONE,
  summary: 'Change, delete or restore an action',
  description:
    'Fields that are absent stay the same. `deleted` deletes or restores it. Saved queries use the new steps at their next run.',
  scope: 'action:write',
  params: z.object({ id: id() }),
  body: ActionUpdate,
  responses: { 200: ActionRecord },
  handle: (context) => updateAction(context, context.params.id, context.body),
})

export const patchActionDocs = (): OperationDocs => ({ parameters: parameters(), tool })

export const putActionOperation = putOf(patchActionOperation, 'actions_update', 'Change an action')

export const putActionDocs = (): OperationDocs => patchActionDocs()
