// Deletes an approval policy.
import { sql } from 'drizzle-orm'
import { approvalPolicies } from '../../../drizzle'
import { notFound } from '../../errors'
import { bumpGeneration } from '../../storage/flags-generation'
import { runIf } from '../../storage/run-batch'
import type { FlagContext } from '../context'
import { findPolicy, policyById } from './read-policies'
import { policyEntryOf, requireAdmin } from './write-policy'

/** Requests that wait stay. @throws 403 for members who are no admins; 404 */
export async function deletePolicy(context: FlagContext, id: string): Promise<void> {
  requireAdmin(context)
  const { db } = context.deps
  const isOwn = policyById(context.project.id, id)
  const policy = await findPolicy(context, id)
  await runIf(
    db,
    sql`EXISTS (SELECT 1 FROM ${approvalPolicies} WHERE ${isOwn})`,
    [
      db.delete(approvalPolicies).where(isOwn),
      bumpGeneration(db, context.project.id),
      policyEntryOf(context, policy, 'deleted'),
    ],
    notFound,
  )
}
