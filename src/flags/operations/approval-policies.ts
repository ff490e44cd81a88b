import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { boolean, pageQuery } from '../../http/fields'
import { operation, putOf } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import {
  ActionKey,
  ApprovalPolicy,
  ApprovalPolicyBody,
  ApprovalPolicyUpdate,
  POLICY_ID,
} from '../approvals/policy-schema'

// The code is loaded on demand, because an isolate that serves flags does not need it.
const reads = () => import('../approvals/read-policies')

const PATH = '/api/projects/:project_id/approval_policies/'

const params = z.object({ id: z.string() })
const policyParameter = () => ({ id: { description: 'Id of the policy.', example: POLICY_ID } })
const inOwnProject = { path: { project_id: '$PROJECT' } }
// Policies have no tools in MCP, because people decide what needs approval.
const tool = { isDuplicate: true } as const
/** Writes are closed to impersonating staff, who could name themselves as an approver, or end what holds their change. */
const write = { scope: 'approvals:write', impersonation: 'closed' } as const

export const listApprovalPoliciesOperation = operation({
  id: 'approval_policies_list',
  method: 'get',
  path: PATH,
  summary: 'List approval policies',
  description: 'Newest first.',
  scope: 'approvals:read',
  query: z.object({ action_key: ActionKey.optional(), enabled: boolean().optional(), ...pageQuery }),
  responses: { 200: pageOf(ApprovalPolicy) },
  handle: async (context) => (await reads()).listPolicies(context, context.query, context.url),
})

export const listApprovalPoliciesDocs = (): OperationDocs => ({
  parameters: {
    action_key: 'Only the policy for this action.',
    enabled: 'Only policies that apply, or that do not.',
  },
  tool,
})

export const createApprovalPolicyOperation = operation({
  id: 'approval_policies_create',
  method: 'post',
  path: PATH,
  summary: 'Create an approval policy',
  description:
    'From then on, such changes answer 409 with a change request. Only for admins of the organization.',
  ...write,
  body: ApprovalPolicyBody,
  responses: { 201: ApprovalPolicy },
  handle: async (context) => (await import('../approvals/create-policy')).createPolicy(context, context.body),
})

export const createApprovalPolicyDocs = (): OperationDocs => ({
  tool,
  sample: {
    path: { project_id: '$PROJECT' },
    body: { action_key: 'feature_flag.update', approver_config: { quorum: 1, users: ['#$ME'] } },
  },
})

export const retrieveApprovalPolicyOperation = operation({
  id: 'approval_policies_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read an approval policy',
  scope: 'approvals:read',
  params,
  responses: { 200: ApprovalPolicy },
  handle: async (context) => (await reads()).getPolicy(context, context.params.id),
})

export const retrieveApprovalPolicyDocs = (): OperationDocs => ({
  parameters: policyParameter(),
  tool,
  sample: inOwnProject,
})

export const patchApprovalPolicyOperation = operation({
  id: 'approval_policies_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change an approval policy',
  description:
    'Requests that wait keep the policy that they were made under. Only for admins of the organization.',
  ...write,
  params,
  body: ApprovalPolicyUpdate,
  responses: { 200: ApprovalPolicy },
  handle: async (context) =>
    (await import('../approvals/update-policy')).updatePolicy(context, context.params.id, context.body),
})

export const patchApprovalPolicyDocs = (): OperationDocs => ({
  parameters: policyParameter(),
  response: { example: { enabled: false } },
  tool,
  sample: inOwnProject,
})

export const putApprovalPolicyOperation = putOf(patchApprovalPolicyOperation, 'approval_policies_update')

export const putApprovalPolicyDocs = (): OperationDocs => patchApprovalPolicyDocs()

export const destroyApprovalPolicyOperation = operation({
  id: 'approval_policies_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Delete an approval policy',
  description: 'Requests that wait stay. Only for admins of the organization.',
  ...write,
  params,
  responses: { 204: 'empty' },
  handle: async (context) =>
    (await import('../approvals/delete-policy')).deletePolicy(context, context.params.id),
})

export const destroyApprovalPolicyDocs = (): OperationDocs => ({
  parameters: policyParameter(),
  tool,
  sample: inOwnProject,
})
