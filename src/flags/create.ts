// Making a flag: one batch reads what the rules need, one batch writes everything.
import { sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import type { Change } from '../activity/entry'
import { recordActivity } from '../activity/record'
import { selectCohortClosure } from '../analytics/cohorts'
import { selectDashboards } from '../analytics/dashboards'
import { newUsageDashboard } from '../analytics/usage-dashboard'
import { userOf } from '../auth/actor'
import { settings } from '../deps'
import { bumpGeneration } from '../storage/flags-generation'
import { guard } from '../storage/database'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './attachments'
import { type FlagContext, publishChange, viewerOf } from './context'
import { definitionUsage, explainDefinitionQuota } from '../snapshots/definition-quota'
import { selectTargets, targetsById } from './dependencies'
import { cohortsById } from './filters/cohorts'
import { rootsIn } from './filters/shape'
import { clearKey, selectKeyHolder } from './held-keys'
import { retryFlagWrite, targetsAreLive } from './invariants'
import { contextChange } from './labels'
import { sealed } from './payloads'
import { type CreatePlan, type CreateWorld, planCreate } from './plan-create'
import { recordFrom } from './record'
import { hasRoom, selectFlagCount } from './room'
import { flagByKey, type FlagRow, selectFlags } from './rows'
import type { CreateFlagBody, FlagRecord } from './schema'
import { columnsOf } from './state'

/**
 * Creates a flag (spec "POST feature_flags", reference/flags-api.md §1).
 * @throws 400 for the first rule that the body breaks; then nothing has changed.
 */
export async function createFlag(context: FlagContext, body: CreateFlagBody): Promise<FlagRecord> {
  const row = await retryFlagWrite(async () => {
    const world = await readCreateWorld(context, body)
    return writeFlag(context, body, planCreate(world, body, context.project))
  })
  await publishChange(context)
  return recordFrom(row, viewerOf(context))
}

/** Reads everything that a new flag may have to be checked against, in one round trip. */
async function readCreateWorld({ deps, project }: FlagContext, body: CreateFlagBody): Promise<CreateWorld> {
  const { db } = deps
  const { flagIds, cohortIds } = rootsIn(body.filters)
  const [[holder], dashboards, targets, cohorts, counts] = await db.batch([
    selectKeyHolder(db, project.id, body.key),
    selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    selectTargets(db, project.id, flagIds),
    selectCohortClosure(db, project.id, cohortIds),
    selectFlagCount(db, project.id),
  ])
  return {
    holder,
    dashboards,
    targets: targetsById(targets),
    cohorts: cohortsById(cohorts),
    live: counts[0]?.live ?? 0,
    most: settings(deps.env).maxFlagsPerProject,
  }
}

async function writeFlag(context: FlagContext, body: CreateFlagBody, plan: CreatePlan): Promise<FlagRow> {
  const { deps, actor, project } = context
  const { db } = deps
  const state = await sealed(plan.state, viewerOf(context).cipher)
  const definitions = definitionUsage(project.id, null, { ...state, contexts: plan.contexts })
  const now = deps.clock.now()
  const at = stored(now)
  const userId = userOf(actor)?.id ?? null
  const self = sql`(SELECT id FROM feature_flags WHERE project_id = ${project.id} AND key = ${state.key})`
  const entry = (changes: Change[], verb: 'created' | 'updated') =>
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'FeatureFlag',
      itemId: sql`CAST(${self} AS TEXT)`,
      verb,
      name: state.key,
      changes,
    })
  const usage =
    (body._should_create_usage_dashboard ?? true)
      ? newUsageDashboard(db, { projectId: project.id, key: state.key, createdById: userId, at })
      : null

  const conditions = [
    hasRoom(project.id, settings(deps.env).maxFlagsPerProject),
    targetsAreLive(state.filters),
    ...(definitions ? [definitions.fits] : []),
  ]
  const statements = [
    guard(db, sql.join(conditions, sql` AND `)),
    ...clearKey(db, project.id, state.key, plan.tombstone),
    ...(usage?.statements ?? []),
    db.insert(featureFlags).values({
      ...columnsOf(state),
      projectId: project.id,
      usageDashboardId: (usage?.dashboardId ?? null) as null,
      creationContext: body.creation_context ?? 'feature_flags',
      folder: body._create_in_folder ?? 'Unfiled/Feature Flags',
      createdById: userId,
      lastModifiedById: userId,
      createdAt: body.created_at ?? at,
      updatedAt: at,
    }),
    ...(plan.tags.length ? replaceTags(db, project.id, self, plan.tags) : []),
    ...(plan.contexts.length ? replaceContexts(db, project.id, self, plan.contexts) : []),
    ...(plan.dashboardIds.length ? replaceDashboards(db, self, plan.dashboardIds) : []),
    ...replaceReferences(db, self, state.filters),
    bumpGeneration(db, project.id),
    entry([], 'created'),
    ...(plan.contexts.length ? [entry([contextChange([], plan.contexts)], 'updated')] : []),
    selectFlags(db, flagByKey(project.id, state.key)),
  ]
  const results = await explainDefinitionQuota(db, definitions, () => runBatch(db, statements))
  return (results.at(-1) as FlagRow[])[0]!
}
