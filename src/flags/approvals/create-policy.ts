// Creates an approval policy.
import { approvalPolicies } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import type { Policy } from './enabled-policies'
import { type ApprovalPolicy, type ApprovalPolicyBody, DEFAULT_EXPIRY_SECONDS } from './policy-schema'
import { checkPolicy, columnsOf, requireAdmin, writePolicy } from './write-policy'

/** @throws 403 for members who are no admins; 400 naming the field. */
export async function createPolicy(context: FlagContext, body: ApprovalPolicyBody): Promise<ApprovalPolicy> {
  requireAdmin(context)
  const { deps, actor, project } = context
  const now = deps.clock.now()
  const at = toStoredTimestamp(now)
  const policy: Policy = {
    id: deps.ids.uuid(now),
    projectId: project.id,
    conditions: {},
    allowSelfApprove: false,
    bypassLevels: [],
    expiresAfterSeconds: DEFAULT_EXPIRY_SECONDS,
    enabled: true,
    createdById: userOf(actor)?.id ?? null,
    createdAt: at,
    updatedAt: at,
    ...(columnsOf(body) as Pick<Policy, 'actionKey' | 'quorum' | 'approvers'>),
  }
  await checkPolicy(context, policy, body)
  return writePolicy(context, policy, [deps.db.insert(approvalPolicies).values(policy)], 'created', [])
}
