import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { ACTION_KEYS } from '../approvals/approval-types'
import {
  ChangeRequest,
  ChangeRequestQuery,
  REQUEST_ID,
  LISTED_STATES,
  VoteBody,
  VoteResult,
} from '../approvals/request-schema'

// The code is loaded on demand, because an isolate that serves flags does not need it.
const reads = () => import('../approvals/read-requests')
const votes = () => import('../approvals/vote')

const PATH = '/api/projects/:project_id/change_requests/'

const params = z.object({ id: z.string() })
const requestParameter = () => ({ id: { description: 'Id of the change request.', example: REQUEST_ID } })
const inOwnProject = { path: { project_id: '$PROJECT' } }

export const listChangeRequestsOperation = operation({
  id: 'change_requests_list',
  method: 'get',
  path: PATH,
  summary: 'List change requests, which wait for approval',
  description: 'Newest first; those that ended stay for 90 days.',
  scope: 'approvals:read',
  query: ChangeRequestQuery,
  responses: { 200: pageOf(ChangeRequest) },
  handle: async (context) => (await reads()).listRequests(context, context.query, context.url),
})

export const listChangeRequestsDocs = (): OperationDocs => ({
  parameters: {
    state: { description: `Any of ${LISTED_STATES.join(', ')}, separated by commas.`, example: 'pending' },
    action_key: { description: `${ACTION_KEYS.join(', ')}.`, example: ACTION_KEYS[0] },
    action_type: 'The same as `action_key`.',
    requester: 'Id of a user.',
    resource_type: { description: 'No effect: all are `feature_flag`.', example: 'feature_flag' },
    resource_id: 'Id of a flag.',
    can_approve: 'Whether you may vote now.',
  },
})

export const retrieveChangeRequestOperation = operation({
  id: 'change_requests_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a change request',
  scope: 'approvals:read',
  params,
  responses: { 200: ChangeRequest },
  handle: async (context) => (await reads()).getRequest(context, context.params.id),
})

export const retrieveChangeRequestDocs = (): OperationDocs => ({
  parameters: requestParameter(),
  // The tools of MCP leave this out, because the list shows as much.
  tool: { isDuplicate: true },
  sample: inOwnProject,
})

/** The common parts of votes. Only people vote, with a session or their key. Impersonating staff cannot. */
const vote = {
  method: 'post',
  scope: 'approvals:write',
  impersonation: 'closed',
  params,
  body: VoteBody,
  responses: { 200: VoteResult, 400: ErrorText },
} as const

const voteDocs = (): OperationDocs => ({
  parameters: requestParameter(),
  // Votes have no tools in MCP, because people vote.
  tool: { isDuplicate: true },
  sample: inOwnProject,
})

export const approveChangeRequestOperation = operation({
  ...vote,
  id: 'change_requests_approve_create',
  path: `${PATH}:id/approve/`,
  summary: 'Approve a change',
  description:
    'The last approval that it needs makes the change, in the name of who requested it. If the flag has changed since, the request fails.',
  handle: async (context) => (await votes()).approveRequest(context, context.params.id, context.body.reason),
})

export const approveChangeRequestDocs = voteDocs

export const rejectChangeRequestOperation = operation({
  ...vote,
  id: 'change_requests_reject_create',
  path: `${PATH}:id/reject/`,
  summary: 'Reject a change',
  description: 'Ends the request. Needs a reason.',
  handle: async (context) => (await votes()).rejectRequest(context, context.params.id, context.body.reason),
})

export const rejectChangeRequestDocs = (): OperationDocs => ({
  ...voteDocs(),
  body: { isRequired: true },
})

export const cancelChangeRequestOperation = operation({
  ...vote,
  id: 'change_requests_cancel_create',
  path: `${PATH}:id/cancel/`,
  summary: 'Cancel your own change request',
  handle: async (context) =>
    (await votes()).cancelRequest(context, context.params.id, context.body.reason || undefined),
})

export const cancelChangeRequestDocs = voteDocs
