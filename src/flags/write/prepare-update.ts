import { featureFlags } from '../../../drizzle'
import { verbOf } from '../../activity/verb'
import { followKey } from '../../analytics/dashboards/usage-dashboard'
import { userOf } from '../../auth/actor'
import { conflict, notFound } from '../../errors'
import { addedBytes } from '../../snapshots/definition-quota'
import { toStoredTimestamp } from '../../timestamps'
import { referencesOf } from '../filters/analysis'
import { clearKey } from '../keys/key-lookup'
import { encryptPayloads } from '../payloads'
import { recordFrom } from '../read/record'
import { flagById, type FlagRow } from '../read/rows'
import { endApproved } from '../approvals/approval-statements'
import { changedSince } from '../approvals/request-base'
import { endRun, guardStillDue, runConflict } from '../scheduled/run-statements'
import { changedColumns, diffOf, stateOf } from '../state'
import { flagEntryOf, type HeldWrite, type PreparedWrite, type WriteTools } from './prepared-write'
import { hasOriginal, settleConflicts } from './edit-conflicts'
import type { WriteFacts } from './facts'
import type { Approval, UpdateWrite } from './write-types'
import { contextChange } from './labels'
import { planUpdate, type UpdatePlan } from './plan-update'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './relations'

/**
 * Plans an update, deletion or restoration of a flag.
 * @returns the update, or the request for its approval when a policy asks for one
 * @throws 404; 400 for the first rule that is broken; 409 for a conflict
 */
export async function prepareUpdate(
  tools: WriteTools,
  write: UpdateWrite,
  facts: WriteFacts,
): Promise<PreparedWrite | HeldWrite> {
  const { db, cipher } = tools
  const { actor, project, run, approval } = write
  const { shared } = facts
  const row = shared.rows.get(write.id)
  if (!row) throw notFound()
  const now = new Date(write.now)
  if (approval) requireRequested(approval, row)
  if (run && (row.deleted || row.version !== run.version)) throw runConflict()
  const viewer = { actor, project, now, cipher }
  const body = hasOriginal(write.body)
    ? settleConflicts(write.body, await recordFrom(row, viewer))
    : write.body
  const plan = planUpdate(row, facts, body)
  if (!approval && shared.policies.length > 0) {
    const { holdUpdate } = await import('../approvals/hold-update')
    const held = await holdUpdate(tools, write, row, body, plan, shared)
    // A change that was canceled makes no request.
    if (held) return run ? { ...held, statements: [guardStillDue(db, run), ...held.statements] } : held
  }
  const before = stateOf(row)
  const after = await encryptPayloads(plan.after, cipher)
  const contexts = row.evaluation_contexts
  const definition = { ...after, contexts: plan.contexts?.after ?? contexts }
  const lastModifiedById = userOf(actor)?.id ?? null
  const updatedAt = toStoredTimestamp(now)
  const entry = flagEntryOf(tools, write, { itemId: String(row.id), name: after.key })
  return {
    rollout: plan.analysis.rollout,
    added: {
      flags: Number(before.deleted) - Number(after.deleted),
      bytes: addedBytes(
        shared.totals.bytes,
        before.deleted ? null : { ...before, contexts },
        after.deleted ? null : definition,
      ),
    },
    statements: [
      ...(run ? endRun(db, run, now) : []),
      ...(approval
        ? endApproved(tools, { projectId: project.id, key: after.key, version: after.version }, approval, now)
        : []),
      ...clearKey(db, project.id, after.key, plan.tombstone),
      db
        .update(featureFlags)
        .set({
          ...changedColumns(before, after, plan.analysis),
          ...(plan.createdAt === row.created_at ? {} : { createdAt: plan.createdAt }),
          lastModifiedById,
          updatedAt,
        })
        .where(flagById(project.id, row.id)),
      ...(after.key !== before.key && row.usage_dashboard_id !== null
        ? [followKey(db, row.usage_dashboard_id, after.key)]
        : []),
      ...(plan.tags ? replaceTags(db, project.id, row.id, plan.tags) : []),
      ...(plan.contexts ? replaceContexts(db, project.id, row.id, plan.contexts.after) : []),
      ...(plan.dashboardIds ? replaceDashboards(db, row.id, plan.dashboardIds) : []),
      ...(after.filters === before.filters
        ? []
        : replaceReferences(db, row.id, referencesOf(before.filters), plan.analysis.references)),
      entry(verbOf(before.deleted, after.deleted), [
        ...diffOf({ ...before, created_at: row.created_at }, { ...after, created_at: plan.createdAt }),
        ...plan.tagChanges,
      ]),
      ...(plan.contexts
        ? [entry('updated', [contextChange(plan.contexts.before, plan.contexts.after)])]
        : []),
    ],
    row: {
      ...row,
      ...after,
      rollout_state: plan.analysis.rollout.state,
      decided_variant: plan.analysis.rollout.decidedVariant,
      created_at: plan.createdAt,
      updated_at: updatedAt,
      last_modified_by_id: lastModifiedById,
      last_modified_by: (lastModifiedById === null ? null : shared.users.get(lastModifiedById)) ?? null,
      ...storedSets(plan),
      ...(after.filters === before.filters ? {} : { cohort_names: namesOf(plan, facts) }),
    },
  }
}

/** @throws 409 unless the flag has the values that the change request was made for */
function requireRequested(approval: Approval, row: FlagRow): void {
  if (row.deleted !== approval.wasDeleted)
    throw conflict(`The flag has been ${row.deleted ? 'deleted' : 'restored'} since the request was made.`)
  const changed = changedSince(approval, row)
  if (changed.length > 0)
    throw conflict(`The flag has changed since the request was made: ${changed.join(', ')}.`)
}

/** Returns the sets that the plan changes, sorted as in a row. */
const storedSets = ({ tags, contexts, dashboardIds }: UpdatePlan): Partial<FlagRow> => ({
  ...(tags && { tags }),
  ...(contexts && { evaluation_contexts: contexts.after }),
  ...(dashboardIds && {
    analytics_dashboards: [...new Set(dashboardIds)].sort((a, b) => a - b),
  }),
})

function namesOf({ analysis }: UpdatePlan, { cohorts }: WriteFacts): FlagRow['cohort_names'] {
  const ids = new Set(analysis.references.cohortIds)
  return Object.fromEntries(cohorts.filter(({ id }) => ids.has(id)).map(({ id, name }) => [id, name]))
}
