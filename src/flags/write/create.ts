import { sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import type { Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { selectCohortClosure } from '../../analytics/cohorts'
import { selectDashboards } from '../../analytics/dashboards'
import { newUsageDashboard } from '../../analytics/usage-dashboard'
import { userOf } from '../../auth/actor'
import { settings } from '../../deps'
import { explainDefinitionQuota, definitionUsage } from '../../snapshots/definition-quota'
import { guard } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { type FlagContext, publishChange, viewerOf } from '../context'
import { referencesIn } from '../filters/analysis'
import { cohortsById } from '../filters/cohorts'
import { clearKey, selectKeyHolder } from '../keys/key-lookup'
import { encryptPayloads, type PayloadCipher } from '../payloads'
import { selectTargets, targetsById } from '../read/linked-objects'
import { recordFrom } from '../read/record'
import { flagByKey, type FlagRow, selectFlags } from '../read/rows'
import type { CreateFlagBody, FlagRecord } from '../schema'
import { columnsOf } from '../state'
import { contextChange } from './labels'
import { type CreateFacts, type CreatePlan, planCreate } from './plan-create'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './relations'
import { areLive, isBelowFlagLimit, retryFlagWrite, selectFlagCount } from './write-guards'

/**
 * Creates a flag (spec "POST feature_flags", reference/flags-api.md §1): one batch reads facts, one batch writes.
 * @throws 400 for the first rule that the body breaks; nothing has changed then.
 */
export async function createFlag(context: FlagContext, body: CreateFlagBody): Promise<FlagRecord> {
  const viewer = viewerOf(context)
  const { row, rollout } = await retryFlagWrite(async () => {
    const plan = planCreate(await readCreateFacts(context, body), body, context.project)
    return { row: await writeFlag(context, body, plan, viewer.cipher), rollout: plan.analysis.rollout }
  })
  await publishChange(context)
  return recordFrom(row, viewer, rollout)
}

async function readCreateFacts({ deps, project }: FlagContext, body: CreateFlagBody): Promise<CreateFacts> {
  const { db } = deps
  const references = referencesIn(body.filters)
  const [[holder], dashboards, targets, cohorts, counts] = await db.batch([
    selectKeyHolder(db, project.id, body.key),
    selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    selectTargets(db, project.id, references.flagIds),
    selectCohortClosure(db, project.id, references.cohortIds),
    selectFlagCount(db, project.id),
  ])
  return {
    references,
    holder,
    dashboards,
    targets: targetsById(targets),
    cohorts: cohortsById(cohorts),
    liveFlags: counts[0]?.live ?? 0,
    maxFlags: settings(deps.env).maxFlagsPerProject,
  }
}

async function writeFlag(
  { deps, actor, project }: FlagContext,
  body: CreateFlagBody,
  plan: CreatePlan,
  cipher: PayloadCipher,
): Promise<FlagRow> {
  const { db } = deps
  const { analysis } = plan
  const state = await encryptPayloads(plan.state, cipher)
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
    isBelowFlagLimit(project.id, settings(deps.env).maxFlagsPerProject),
    areLive(analysis.references.flagIds),
    ...(definitions ? [definitions.fits] : []),
  ]
  const statements = [
    guard(db, sql.join(conditions, sql` AND `)),
    ...clearKey(db, project.id, state.key, plan.tombstone),
    ...(usage?.statements ?? []),
    db.insert(featureFlags).values({
      ...columnsOf(state, analysis),
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
    ...replaceReferences(db, self, analysis.references),
    bumpGeneration(db, project.id),
    entry([], 'created'),
    ...(plan.contexts.length ? [entry([contextChange([], plan.contexts)], 'updated')] : []),
    selectFlags(db, flagByKey(project.id, state.key)),
  ]
  const results = await explainDefinitionQuota(db, definitions, () => runBatch(db, statements))
  return (results.at(-1) as FlagRow[])[0]!
}
