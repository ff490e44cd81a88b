// Changing a flag, deleting and restoring among it: one batch reads what the rules need, one batch writes everything.
import { sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { diff } from '../activity/diff'
import type { ActivityVerb, Change } from '../activity/entry'
import { recordActivity } from '../activity/record'
import { renameUsageDashboard } from '../analytics/usage-dashboard'
import { userOf } from '../auth/actor'
import { bumpGeneration } from '../storage/flags-generation'
import { guard } from '../storage/database'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './attachments'
import { isOutdated, settleConflicts } from './concurrency'
import { type FlagContext, publishChange, viewerOf } from './context'
import { definitionBytes, definitionUsage, explainDefinitionQuota } from '../snapshots/definition-quota'
import { clearKey } from './held-keys'
import { isStillAs, retryFlagWrite } from './invariants'
import { contextChange } from './labels'
import { sealed } from './payloads'
import { planUpdate, type UpdatePlan } from './plan-update'
import { recordFrom } from './record'
import { flagById, type FlagRow, selectFlags } from './rows'
import type { FlagRecord, UpdateFlagBody } from './schema'
import { columnsOf, type FlagState, loggedState, stateOf, TRACKED_FIELDS } from './state'
import { readUpdateWorld } from './update-world'

/**
 * Updates a flag (spec "PATCH feature_flags", reference/flags-api.md §4).
 * Writes that race are put in order: each is decided on the state that the one before it left, so no version number is lost.
 * @throws 404; 400 for the first rule that is broken; 409 for a conflict. Then nothing has changed.
 */
export async function updateFlag(
  context: FlagContext,
  id: number,
  sent: UpdateFlagBody,
): Promise<FlagRecord> {
  const row = await retryFlagWrite(async () => {
    const { row: current, world } = await readUpdateWorld(context, id, sent)
    const body = await settled(context, current, sent)
    return writeUpdate(context, planUpdate(current, world, body, context.project))
  })
  await publishChange(context)
  return recordFrom(row, viewerOf(context))
}

/** What is left of a body once it is compared with what others did. */
const settled = async (context: FlagContext, row: FlagRow, sent: UpdateFlagBody): Promise<UpdateFlagBody> =>
  isOutdated(sent, row.version) ? settleConflicts(sent, await recordFrom(row, viewerOf(context))) : sent

async function writeUpdate(context: FlagContext, plan: UpdatePlan): Promise<FlagRow> {
  const { deps, actor, project } = context
  const { db } = deps
  const { row } = plan
  const before = stateOf(row)
  const after = await sealed(plan.after, viewerOf(context).cipher)
  const contexts = JSON.parse(row.evaluationContexts) as string[]
  const definition = { ...after, contexts: plan.contexts?.after ?? contexts }
  const usage = isLarger({ ...before, contexts }, definition)
    ? definitionUsage(project.id, row.id, definition)
    : null
  const now = deps.clock.now()
  const entry = (verb: ActivityVerb, changes: Change[]) =>
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'FeatureFlag',
      itemId: String(row.id),
      verb,
      name: after.key,
      changes,
    })

  const statements = [
    guard(db, sql.join([isStillAs(row), ...plan.invariants, ...(usage ? [usage.fits] : [])], sql` AND `)),
    ...clearKey(db, project.id, after.key, plan.tombstone),
    db
      .update(featureFlags)
      .set({
        ...columnsOf(after),
        // Calls are noted all the time, by events that know nothing of updates: only a caller who sends a moment sets one.
        ...(after.last_called_at === before.last_called_at ? { lastCalledAt: undefined } : {}),
        createdAt: plan.createdAt,
        lastModifiedById: userOf(actor)?.id ?? null,
        updatedAt: stored(now),
      })
      .where(flagById(project.id, row.id)),
    ...(after.key !== before.key && row.usageDashboardId !== null
      ? renameUsageDashboard(db, row.usageDashboardId, after.key)
      : []),
    ...(plan.tags ? replaceTags(db, project.id, row.id, plan.tags) : []),
    ...(plan.contexts ? replaceContexts(db, project.id, row.id, plan.contexts.after) : []),
    ...(plan.dashboardIds ? replaceDashboards(db, row.id, plan.dashboardIds) : []),
    ...(after.filters === before.filters ? [] : replaceReferences(db, row.id, after.filters)),
    bumpGeneration(db, project.id),
    entry(
      verbOf(before.deleted, after.deleted),
      diff('FeatureFlag', TRACKED_FIELDS, loggedState(before), loggedState(after)),
    ),
    ...(plan.contexts ? [entry('updated', [contextChange(plan.contexts.before, plan.contexts.after)])] : []),
    selectFlags(db, flagById(project.id, row.id)),
  ]
  const results = await explainDefinitionQuota(db, usage, () => runBatch(db, statements))
  return (results.at(-1) as FlagRow[])[0]!
}

type DefinedState = FlagState & { contexts: readonly string[] }

/** Whether the flag takes more of the project's quota than before. */
function isLarger(before: DefinedState, after: DefinedState): boolean {
  if (after.deleted) return false
  const isSame =
    after.filters === before.filters && after.name === before.name && after.contexts === before.contexts
  if (isSame) return before.deleted
  return before.deleted || definitionBytes(after) > definitionBytes(before)
}

function verbOf(before: boolean, after: boolean): ActivityVerb {
  if (before === after) return 'updated'
  return after ? 'deleted' : 'restored'
}
