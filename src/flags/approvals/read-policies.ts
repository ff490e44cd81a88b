// Reads approval policies.
import { and, desc, eq, getTableColumns, type SQL } from 'drizzle-orm'
import { approvalPolicies } from '../../../drizzle'
import { notFound } from '../../errors'
import { type Page, pageIn, type PageQuery } from '../../http/pagination'
import { userSummarySql } from '../../http/user-summary'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import { durationOf } from './duration'
import type { Policy } from './enabled-policies'
import type { ApprovalPolicy } from './policy-schema'

const columns = {
  ...getTableColumns(approvalPolicies),
  createdBy: userSummarySql('approval_policies.created_by_id').as('created_by'),
}

export const policyById = (projectId: number, id: string): SQL =>
  and(eq(approvalPolicies.projectId, projectId), eq(approvalPolicies.id, id))!

export const selectPolicies = (db: Database, where: SQL) =>
  db.select(columns).from(approvalPolicies).where(where).orderBy(desc(approvalPolicies.createdAt))

export type PolicyRow = Awaited<ReturnType<typeof selectPolicies>>[number]

/** The settings of a policy, as the API shows them. */
export const termsOf = (row: Policy) => ({
  action_key: row.actionKey,
  conditions: { ...row.conditions },
  approver_config: { quorum: row.quorum, users: row.approvers, roles: [] },
  allow_self_approve: row.allowSelfApprove,
  bypass_org_membership_levels: row.bypassLevels,
  bypass_roles: [],
  expires_after: durationOf(row.expiresAfterSeconds),
  enabled: row.enabled,
})

export const recordOf = (row: PolicyRow): ApprovalPolicy => ({
  id: row.id,
  ...termsOf(row),
  created_by: row.createdBy,
  created_at: toApiTimestamp(row.createdAt),
  updated_at: toApiTimestamp(row.updatedAt),
})

/** Lists policies, newest first. All are read, because a project has at most one for each action. */
export async function listPolicies(
  { deps: { db }, project }: FlagContext,
  {
    action_key: actionKey,
    enabled,
    ...query
  }: PageQuery & { action_key?: Policy['actionKey'] | undefined; enabled?: boolean | undefined },
  url: URL,
): Promise<Page<ApprovalPolicy>> {
  const rows = await selectPolicies(
    db,
    and(
      eq(approvalPolicies.projectId, project.id),
      actionKey === undefined ? undefined : eq(approvalPolicies.actionKey, actionKey),
      enabled === undefined ? undefined : eq(approvalPolicies.enabled, enabled),
    )!,
  )
  return pageIn(url, query, rows.map(recordOf))
}

/** @throws 404. */
export async function getPolicy({ deps, project }: FlagContext, id: string): Promise<ApprovalPolicy> {
  const [row] = await selectPolicies(deps.db, policyById(project.id, id))
  if (!row) throw notFound()
  return recordOf(row)
}

/** Returns the row of a policy. @throws 404 */
export async function findPolicy({ deps, project }: FlagContext, id: string): Promise<Policy> {
  const [row] = await deps.db.select().from(approvalPolicies).where(policyById(project.id, id))
  if (!row) throw notFound()
  return row
}
