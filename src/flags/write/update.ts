import { sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { renameUsageDashboard } from '../../analytics/usage-dashboard'
import { userOf } from '../../auth/actor'
import { definitionBytes, explainDefinitionQuota, definitionUsage } from '../../snapshots/definition-quota'
import { guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { type FlagContext, publishChange, viewerOf } from '../context'
import { clearKey } from '../keys/key-lookup'
import { encryptPayloads, type PayloadCipher } from '../payloads'
import { recordFrom } from '../read/record'
import { flagById, type FlagRow, selectFlags } from '../read/rows'
import type { FlagRecord, UpdateFlagBody } from '../schema'
import { columnsOf, type FlagState, loggedState, stateOf, TRACKED_FIELDS } from '../state'
import { isStale, settleConflicts } from './edit-conflicts'
import { contextChange } from './labels'
import { planUpdate, type UpdatePlan } from './plan-update'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './relations'
import { readUpdateFacts } from './update-facts'
import { isUnchanged, retryFlagWrite } from './write-guards'

/**
 * Updates, deletes or restores a flag (spec "PATCH feature_flags", reference/flags-api.md §4): one batch reads facts, one batch writes.
 * Of concurrent updates each is planned on the state that the one before it left.
 * @throws 404; 400 for the first rule that is broken; 409 for a conflict. Nothing has changed then.
 */
export async function updateFlag(
  context: FlagContext,
  id: number,
  sent: UpdateFlagBody,
): Promise<FlagRecord> {
  const viewer = viewerOf(context)
  const { row, rollout } = await retryFlagWrite(async () => {
    const facts = await readUpdateFacts(context, id, sent)
    const body = isStale(sent, facts.row.version)
      ? settleConflicts(sent, await recordFrom(facts.row, viewer))
      : sent
    const plan = planUpdate(facts, body, context.project)
    return {
      row: await writeUpdate(context, facts.row, plan, viewer.cipher),
      rollout: plan.analysis.rollout,
    }
  })
  await publishChange(context)
  return recordFrom(row, viewer, rollout)
}

async function writeUpdate(
  { deps, actor, project }: FlagContext,
  row: FlagRow,
  plan: UpdatePlan,
  cipher: PayloadCipher,
): Promise<FlagRow> {
  const { db } = deps
  const before = stateOf(row)
  const after = await encryptPayloads(plan.after, cipher)
  const contexts = JSON.parse(row.evaluation_contexts) as string[]
  const definition = { ...after, contexts: plan.contexts?.after ?? contexts }
  const definitions = isLarger({ ...before, contexts }, definition)
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
    guard(
      db,
      sql.join([isUnchanged(row), ...plan.guards, ...(definitions ? [definitions.fits] : [])], sql` AND `),
    ),
    ...clearKey(db, project.id, after.key, plan.tombstone),
    db
      .update(featureFlags)
      .set({
        ...columnsOf(after, plan.analysis),
        // Captured events set it at any time: an update sets it only when the caller sends one.
        ...(after.last_called_at === before.last_called_at ? { lastCalledAt: undefined } : {}),
        createdAt: plan.createdAt,
        lastModifiedById: userOf(actor)?.id ?? null,
        updatedAt: stored(now),
      })
      .where(flagById(project.id, row.id)),
    ...(after.key !== before.key && row.usage_dashboard_id !== null
      ? renameUsageDashboard(db, row.usage_dashboard_id, after.key)
      : []),
    ...(plan.tags ? replaceTags(db, project.id, row.id, plan.tags) : []),
    ...(plan.contexts ? replaceContexts(db, project.id, row.id, plan.contexts.after) : []),
    ...(plan.dashboardIds ? replaceDashboards(db, row.id, plan.dashboardIds) : []),
    ...(after.filters === before.filters ? [] : replaceReferences(db, row.id, plan.analysis.references)),
    bumpGeneration(db, project.id),
    entry(
      verbOf(before.deleted, after.deleted),
      diff('FeatureFlag', TRACKED_FIELDS, loggedState(before), loggedState(after)),
    ),
    ...(plan.contexts ? [entry('updated', [contextChange(plan.contexts.before, plan.contexts.after)])] : []),
    selectFlags(db, flagById(project.id, row.id)),
  ]
  const results = await explainDefinitionQuota(db, definitions, () => runBatch(db, statements))
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
