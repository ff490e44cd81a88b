// Lists, creates, updates and deletes approval policies.
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { approvalPolicies, memberships } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import type { ActivityVerb, Change } from '../../activity/entry'
import { ADMIN, MEMBER, userOf } from '../../auth/actor'
import { invalid, notFound, permissionDenied } from '../../errors'
import type { Page } from '../../http/pagination'
import { userSummarySql } from '../../http/user-summary'
import { type Database, guard, isUniqueViolation } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import type { Policy } from './enabled-policies'
import { durationOf } from './duration'
import {
  type ApprovalPolicy,
  type ApprovalPolicyBody,
  type ApprovalPolicyUpdate,
  DEFAULT_EXPIRY_SECONDS,
} from './policy-schema'

const columns = {
  ...getTableColumns(approvalPolicies),
  createdBy: userSummarySql('approval_policies.created_by_id').as('created_by'),
}

const policyById = (projectId: number, id: string): SQL =>
  and(eq(approvalPolicies.projectId, projectId), eq(approvalPolicies.id, id))!

const selectPolicies = (db: Database, where: SQL) =>
  db.select(columns).from(approvalPolicies).where(where).orderBy(desc(approvalPolicies.createdAt))

type PolicyRow = Awaited<ReturnType<typeof selectPolicies>>[number]

/** The settings of a policy, as the API shows them. */
const termsOf = (row: Policy) => ({
  action_key: row.actionKey,
  conditions: { ...row.conditions },
  approver_config: { quorum: row.quorum, users: row.approvers, roles: [] },
  allow_self_approve: row.allowSelfApprove,
  bypass_org_membership_levels: row.bypassLevels,
  bypass_roles: [],
  expires_after: durationOf(row.expiresAfterSeconds),
  enabled: row.enabled,
})

const recordOf = (row: PolicyRow): ApprovalPolicy => ({
  id: row.id,
  ...termsOf(row),
  created_by: row.createdBy,
  created_at: toApiTimestamp(row.createdAt),
  updated_at: toApiTimestamp(row.updatedAt),
})

/** Lists policies, newest first. One page has all of them, because a project has at most one for each action. */
export async function listPolicies(
  { deps: { db }, project }: FlagContext,
  {
    action_key: actionKey,
    enabled,
  }: { action_key?: Policy['actionKey'] | undefined; enabled?: boolean | undefined },
): Promise<Page<ApprovalPolicy>> {
  const rows = await selectPolicies(
    db,
    and(
      eq(approvalPolicies.projectId, project.id),
      actionKey === undefined ? undefined : eq(approvalPolicies.actionKey, actionKey),
      enabled === undefined ? undefined : eq(approvalPolicies.enabled, enabled),
    )!,
  )
  return { count: rows.length, next: null, previous: null, results: rows.map(recordOf) }
}

/** @throws 404. */
export async function getPolicy({ deps, project }: FlagContext, id: string): Promise<ApprovalPolicy> {
  const [row] = await selectPolicies(deps.db, policyById(project.id, id))
  if (!row) throw notFound()
  return recordOf(row)
}

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
  await check(context, policy, body)
  return write(context, policy, [deps.db.insert(approvalPolicies).values(policy)], 'created', [])
}

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
    await check(context, policy, body)
    const { id: _id, projectId: _project, createdAt: _at, createdById: _by, ...set } = policy
    const terms = termsOf(policy)
    return write(
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

/** Deletes a policy. Requests that wait stay. @throws 403 for members who are no admins; 404 */
export async function deletePolicy(context: FlagContext, id: string): Promise<void> {
  requireAdmin(context)
  const { deps, actor, project } = context
  const { actionKey } = await findPolicy(context, id)
  await runBatch(deps.db, [
    deps.db.delete(approvalPolicies).where(policyById(project.id, id)),
    bumpGeneration(deps.db, project.id),
    recordActivity(deps, deps.clock.now(), {
      projectId: project.id,
      actor,
      scope: 'ApprovalPolicy',
      itemId: id,
      verb: 'deleted',
      name: actionKey,
      changes: [],
    }),
  ])
}

/** Writes a policy with its activity entry. */
async function write(
  { deps, actor, project }: FlagContext,
  policy: Policy,
  statements: Parameters<typeof runBatch>[1],
  verb: ActivityVerb,
  changes: Change[],
): Promise<ApprovalPolicy> {
  try {
    const results = await runBatch(deps.db, [
      ...statements,
      bumpGeneration(deps.db, project.id),
      recordActivity(deps, deps.clock.now(), {
        projectId: project.id,
        actor,
        scope: 'ApprovalPolicy',
        itemId: policy.id,
        verb,
        name: policy.actionKey,
        changes,
      }),
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

async function findPolicy({ deps, project }: FlagContext, id: string): Promise<Policy> {
  const [row] = await deps.db.select().from(approvalPolicies).where(policyById(project.id, id))
  if (!row) throw notFound()
  return row
}

const columnsOf = (body: ApprovalPolicyUpdate): Partial<Policy> => ({
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
async function check(
  { deps, project }: FlagContext,
  { actionKey, conditions, quorum, approvers }: Policy,
  sent: ApprovalPolicyUpdate,
): Promise<void> {
  if (conditions.type && actionKey !== 'feature_flag.update')
    throw invalid('conditions', 'Only a policy for feature_flag.update can have conditions.')
  if (quorum > approvers.length)
    throw invalid(
      'approver_config__quorum',
      `${quorum} approvals need as many users; approver_config.users has ${approvers.length}.`,
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
        sql`${memberships.userId} IN (SELECT value FROM json_each(${JSON.stringify(approvers)}))`,
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

function requireAdmin({ project }: FlagContext): void {
  if (project.membershipLevel < ADMIN)
    throw permissionDenied('Your organization access level is insufficient.')
}
