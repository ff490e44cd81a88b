// The policies that hold changes of a project's flags, and what bulk deletes, which every isolate loads, ask of them.
import { and, eq, sql } from 'drizzle-orm'
import { approvalPolicies } from '../../../drizzle'
import { prepareOnce } from '../../storage/prepare-once'

export type Policy = typeof approvalPolicies.$inferSelect

/** A project has one for each action at most. */
export const selectEnabledPolicies = prepareOnce<{ projectId: number }, Policy[]>((db) =>
  db
    .select()
    .from(approvalPolicies)
    .where(
      and(eq(approvalPolicies.projectId, sql.placeholder('projectId')), eq(approvalPolicies.enabled, true)),
    ),
)

/** Whether a policy holds the deletion of a flag, which needs no facts about it but this one. */
export const isDeletionHeld = (policies: readonly Policy[], isActive: boolean, level: number): boolean =>
  policies.some(
    ({ actionKey, conditions, bypassLevels }) =>
      !bypassLevels.includes(level) &&
      (actionKey === 'feature_flag.update'
        ? !conditions.type
        : actionKey === 'feature_flag.disable' && isActive),
  )
