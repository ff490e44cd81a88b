// Updates an approval policy.
import { sql } from 'drizzle-orm'
import { approvalPolicies } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import type { Policy } from './enabled-policies'
import type { ApprovalPolicy, ApprovalPolicyUpdate } from './policy-schema'
import { findPolicy, policyById, termsOf } from './read-policies'
import { checkPolicy, columnsOf, requireAdmin, writePolicy } from './write-policy'

/** @throws 403 for members who are no admins; 404; 400 naming the field. */
export function updatePolicy(
  context: FlagContext,
  id: string,
  body: ApprovalPolicyUpdate,
): Promise<ApprovalPolicy> {
  requireAdmin(context)
  const { deps, project } = context
  return retryOnConflict(async () => {
    const before = await findPolicy(context, id)
    const policy: Policy = { ...before, ...columnsOf(body), updatedAt: toStoredTimestamp(deps.clock.now()) }
    await checkPolicy(context, policy, body)
    const { id: _id, projectId: _project, createdAt: _at, createdById: _by, ...set } = policy
    const terms = termsOf(policy)
    return writePolicy(
      context,
      policy,
      [
        guard(
          deps.db,
          sql`EXISTS (SELECT 1 FROM ${approvalPolicies} WHERE ${policyById(project.id, id)}
            AND ${approvalPolicies.updatedAt} = ${before.updatedAt})`,
        ),
        deps.db.update(approvalPolicies).set(set).where(policyById(project.id, id)),
      ],
      'updated',
      diff('ApprovalPolicy', Object.keys(terms) as (keyof typeof terms)[], termsOf(before), terms),
    )
  })
}
