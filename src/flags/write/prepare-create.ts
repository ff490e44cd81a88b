import { sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { newestDashboard, newUsageDashboard } from '../../analytics/dashboards/usage-dashboard'
import { authorOf } from '../../activity/record'
import { addedBytes } from '../../snapshots/definition-quota'
import { toStoredTimestamp } from '../../timestamps'
import { checkCreation } from '../approvals/held-action'
import { clearKey } from '../keys/key-lookup'
import { encryptPayloads } from '../payloads'
import { flagByKey, selectFlags } from '../read/rows'
import { NEW_FLAG_FOLDER } from '../schema'
import { columnsOf } from '../state'
import { flagEntryOf, type PreparedWrite, type WriteTools } from './prepared-write'
import type { WriteFacts } from './facts'
import type { CreateWrite } from './write-types'
import { contextChange } from './labels'
import { planCreate } from './plan-create'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './relations'

/**
 * Plans a new flag and the statements that write it.
 * @throws 400 for the first rule that the body breaks, and when an enabled flag needs approval
 */
export async function prepareCreate(
  tools: WriteTools,
  write: CreateWrite,
  facts: WriteFacts,
): Promise<PreparedWrite> {
  const { db, cipher } = tools
  const { actor, body, project } = write
  const plan = planCreate(facts, body)
  checkCreation(facts.shared.policies, plan.state, project.membershipLevel)
  const { analysis } = plan
  const state = await encryptPayloads(plan.state, cipher)
  const bytes = addedBytes(
    facts.shared.totals.bytes,
    null,
    state.deleted ? null : { ...state, contexts: plan.contexts },
  )
  const now = new Date(write.now)
  const at = toStoredTimestamp(now)
  const author = authorOf(actor)
  const { userId } = author
  const self = sql`(SELECT id FROM feature_flags WHERE project_id = ${project.id} AND key = ${state.key})`
  const entry = flagEntryOf(tools, write, { itemId: sql`CAST(${self} AS TEXT)`, name: state.key })
  const shouldCreateUsageDashboard = body._should_create_usage_dashboard ?? true
  const dashboard = shouldCreateUsageDashboard
    ? newUsageDashboard(tools, { projectId: project.id, key: state.key, author, now })
    : null
  return {
    rollout: analysis.rollout,
    added: { flags: Number(!state.deleted), bytes },
    statements: [
      ...clearKey(db, project.id, state.key, plan.tombstone),
      ...(dashboard?.statements ?? []),
      db.insert(featureFlags).values({
        ...columnsOf(state, analysis),
        projectId: project.id,
        creationContext: body.creation_context ?? 'feature_flags',
        folder: body._create_in_folder ?? NEW_FLAG_FOLDER,
        shouldCreateUsageDashboard,
        ...(dashboard && { usageDashboardId: newestDashboard(project.id) as never }),
        createdById: userId,
        lastModifiedById: userId,
        createdAt: body.created_at ?? at,
        updatedAt: at,
      }),
      ...(plan.tags.length ? replaceTags(db, project.id, self, plan.tags) : []),
      ...(plan.contexts.length ? replaceContexts(db, project.id, self, plan.contexts) : []),
      ...(plan.dashboardIds.length ? replaceDashboards(db, self, plan.dashboardIds) : []),
      ...replaceReferences(db, self, null, analysis.references),
      entry('created', []),
      ...(plan.contexts.length ? [entry('updated', [contextChange([], plan.contexts)])] : []),
    ],
    row: selectFlags(db, flagByKey(project.id, state.key)),
  }
}
