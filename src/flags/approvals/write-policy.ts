// What creating, updating and deleting an approval policy share: who may, what a policy may say, and the batch with its activity entry.
import { and, eq, sql } from 'drizzle-orm'
import { memberships } from '../../../drizzle'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { ADMIN, MEMBER } from '../../auth/actor'
import { invalid, permissionDenied } from '../../errors'
import { isUniqueViolation } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { isAmong } from '../../storage/id-predicates'
import { runBatch } from '../../storage/run-batch'
import type { FlagContext } from '../context'
import type { Policy } from './enabled-policies'
import type { ApprovalPolicy, ApprovalPolicyUpdate } from './policy-schema'
import { policyById, type PolicyRow, recordOf, selectPolicies } from './read-policies'

/** @throws 403 for members who are no admins. */
export function requireAdmin({ project }: FlagContext): void {
  if (project.membershipLevel < ADMIN)
    throw permissionDenied('Your organization access level is insufficient.')
}

/** Returns the columns that a body sets. */
export const columnsOf = (body: ApprovalPolicyUpdate): Partial<Policy> => ({
  ...(body.action_key && { actionKey: body.action_key }),
  ...(body.conditions && { conditions: body.conditions }),
  ...(body.approver_config && {
    quorum: body.approver_config.quorum,
    approvers: [...new Set(body.approver_config.users)],
  }),
  ...(body.allow_self_approve !== undefined && { allowSelfApprove: body.allow_self_approve }),
  ...(body.bypass_org_membership_levels && {
    bypassLevels: [...new Set(body.bypass_org_membership_levels)],
  }),
  ...(body.expires_after !== undefined && { expiresAfterSeconds: body.expires_after }),
  ...(body.enabled !== undefined && { enabled: body.enabled }),
})

/** @throws 400 naming the field. */
export async function checkPolicy(
  { deps, project }: FlagContext,
  { actionKey, conditions, quorum, approvers }: Policy,
  sent: ApprovalPolicyUpdate,
): Promise<void> {
  if (conditions.type && actionKey !== 'feature_flag.update')
    throw invalid('conditions', 'Only a policy for feature_flag.update can have conditions.')
  if (quorum > approvers.length)
    throw invalid(
      'approver_config__quorum',
      `${quorum} approvals need as many users, and ${approvers.length} ${approvers.length === 1 ? 'is' : 'are'} given.`,
    )
  // Stored approvers are not checked again, so that former members do not prevent other changes.
  if (!sent.approver_config) return
  const members = await deps.db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, project.organizationId),
        // Because of the unary plus, SQLite looks up the approvers instead of reading every member by their level.
        sql`+${memberships.level} >= ${MEMBER}`,
        isAmong(approvers, memberships.userId),
      ),
    )
  const known = new Set(members.map(({ userId }) => userId))
  const stranger = approvers.find((id) => !known.has(id))
  if (stranger !== undefined)
    throw invalid(
      'approver_config__users',
      `User ${stranger} is not a member of the organization, or only a viewer.`,
    )
}

/** The statement of the activity entry. */
export const policyEntryOf = (
  { deps, actor, project }: FlagContext,
  { id, actionKey }: Policy,
  verb: ActivityVerb,
  changes: Change[] = [],
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'ApprovalPolicy',
    itemId: id,
    verb,
    name: actionKey,
    changes,
  })

/** Writes a policy with its activity entry. @throws 400 for a second policy of an action */
export async function writePolicy(
  context: FlagContext,
  policy: Policy,
  statements: Parameters<typeof runBatch>[1],
  verb: ActivityVerb,
  changes: Change[],
): Promise<ApprovalPolicy> {
  const { deps, project } = context
  try {
    const results = await runBatch(deps.db, [
      ...statements,
      bumpGeneration(deps.db, project.id),
      policyEntryOf(context, policy, verb, changes),
      selectPolicies(deps.db, policyById(project.id, policy.id)),
    ])
    const [row] = results.at(-1) as PolicyRow[]
    return recordOf(row!)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw invalid(
      null,
      'A policy for this action already exists. You can edit the existing policy instead.',
      'unique',
    )
  }
}
