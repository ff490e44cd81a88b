// Reads the policies that hold changes of a project's flags, and the one check of them that bulk deletes need. Every isolate loads this
// file.
import { and, eq } from 'drizzle-orm'
import { approvalPolicies } from '../../../drizzle'
import type { Database } from '../../storage/database'

export type Policy = typeof approvalPolicies.$inferSelect

/** Selects the enabled policies. A project has at most one for each action. */
export const selectEnabledPolicies = (db: Database, projectId: number) =>
  db
    .select()
    .from(approvalPolicies)
    .where(and(eq(approvalPolicies.projectId, projectId), eq(approvalPolicies.enabled, true)))

/** Whether a policy holds the deletion of a flag. The check needs no other facts about the flag. */
export const isDeletionHeld = (policies: readonly Policy[], isActive: boolean, level: number): boolean =>
  policies.some(
    ({ actionKey, conditions, bypassLevels }) =>
      !bypassLevels.includes(level) &&
      (actionKey === 'feature_flag.update'
        ? !conditions.type
        : actionKey === 'feature_flag.disable' && isActive),
  )
