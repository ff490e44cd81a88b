// Making a flag: one batch reads what the rules need, one batch writes everything.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags, projects } from '../../drizzle'
import { recordActivity } from '../activity/record'
import { newUsageDashboard } from '../analytics/usage-dashboard'
import { userOf } from '../auth/actor'
import { settings } from '../deps'
import { bumpGeneration } from '../snapshots/generation'
import { guard, isUniqueViolation } from '../storage/database'
import { optimistically } from '../storage/optimistic'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import { replaceContexts, replaceDashboards, replaceReferences, replaceTags } from './attachments'
import { checkCombination, checkContextPolicy, checkCount } from './checks'
import { type FlagContext, publishChange, viewerOf } from './context'
import { checkDashboards } from './dashboards'
import { type FilterWorld, noFilters, validateFilters } from './filters/validate'
import { targetsAreLive } from './invariants'
import { checkCharset, keyTaken, settleKeyHolder, type TombstoneFate } from './key'
import { cleanContexts, cleanTags } from './labels'
import { encryptPayloads } from './payloads'
import { recordFrom } from './record'
import { flagByKey, selectFlags } from './rows'
import type { CreateFlagBody, FlagRecord } from './schema'
import { columnsOf, type FlagState } from './state'
import { clearKey } from './tombstone'
import {
  cohortsById,
  selectCohorts,
  selectDashboards,
  selectFlagCount,
  selectKeyHolder,
  selectTargets,
  targetsById,
} from './world'

interface Plan {
  state: FlagState
  tags: string[]
  contexts: string[]
  dashboardIds: number[]
  tombstone: TombstoneFate
}

/**
 * Creates a flag (spec "POST feature_flags", reference/flags-api.md §1).
 * @throws 400 for the first rule that the body breaks; then nothing has changed.
 */
export async function createFlag(context: FlagContext, body: CreateFlagBody): Promise<FlagRecord> {
  try {
    // Somebody may take the last free place, or a flag that this one looks at, between the two batches.
    const row = await optimistically(async () => writeFlag(context, body, await planFlag(context, body)))
    publishChange(context)
    return await recordFrom(row, viewerOf(context))
  } catch (error) {
    throw isUniqueViolation(error) ? keyTaken() : error
  }
}

async function planFlag(context: FlagContext, body: CreateFlagBody): Promise<Plan> {
  const { deps, project } = context
  const { db } = deps
  const [holders, dashboardRows, targets, cohortRows, counts] = await db.batch([
    selectKeyHolder(db, project.id, body.key),
    selectDashboards(db, project.id, body.analytics_dashboards ?? []),
    selectTargets(db, project.id, body.filters),
    selectCohorts(db, project.id, body.filters),
    selectFlagCount(db, project.id),
  ])

  const tombstone = settleKeyHolder(body.key, holders[0])
  checkCharset(body.key)
  const isRemoteConfiguration = body.is_remote_configuration ?? false
  const world: FilterWorld = {
    self: { id: null, key: body.key },
    stored: null,
    isRemoteConfiguration,
    linkedToEarlyAccess: false,
    targets: targetsById(targets),
    cohorts: cohortsById(cohortRows),
  }
  const filters = body.filters ? validateFilters(body.filters, world) : noFilters(isRemoteConfiguration)
  const dashboardIds = checkDashboards(body.analytics_dashboards ?? [], dashboardRows)

  const state = initialState(body, filters)
  checkCombination(state, null, body.archived === true)
  const contexts = cleanContexts(body.evaluation_contexts ?? [])
  checkCount(counts[0]?.live ?? 0, settings(deps.env).maxFlagsPerProject)
  if (project.requireEvaluationContexts && body.creation_context !== 'surveys')
    checkContextPolicy(contexts, null)

  return {
    state: state.has_encrypted_payloads ? await encryptPayloads(state, viewerOf(context).cipher) : state,
    tags: cleanTags(body.tags ?? []),
    contexts,
    dashboardIds,
    tombstone,
  }
}

const initialState = (body: CreateFlagBody, filters: FlagState['filters']): FlagState => ({
  key: body.key,
  name: body.name ?? '',
  filters,
  deleted: body.deleted ?? false,
  active: body.active ?? true,
  archived: body.archived ?? false,
  version: 1,
  rollback_conditions: body.rollback_conditions ?? null,
  performed_rollback: body.performed_rollback ?? null,
  ensure_experience_continuity: orDefault(body.ensure_experience_continuity, false),
  has_enriched_analytics: orDefault(body.has_enriched_analytics, false),
  is_remote_configuration: orDefault(body.is_remote_configuration, false),
  has_encrypted_payloads: orDefault(body.has_encrypted_payloads, false),
  evaluation_runtime: orDefault(body.evaluation_runtime, 'all'),
  bucketing_identifier: orDefault(body.bucketing_identifier, 'distinct_id'),
  last_called_at: body.last_called_at ?? null,
})

/** A field that was left out gets its default; one that was sent as null stays null. */
const orDefault = <T>(sent: T | undefined, fallback: T): T => (sent === undefined ? fallback : sent)

async function writeFlag({ deps, actor, project }: FlagContext, body: CreateFlagBody, plan: Plan) {
  const { db } = deps
  const { state } = plan
  const now = deps.clock.now()
  const at = stored(now)
  const userId = userOf(actor)?.id ?? null
  const self = sql`(SELECT id FROM feature_flags WHERE project_id = ${project.id} AND key = ${state.key})`
  const entry = (changes: Parameters<typeof recordActivity>[2]['changes'], verb: 'created' | 'updated') =>
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

  const results = await runBatch(db, [
    guard(
      db,
      sql`${hasRoom(project.id, settings(deps.env).maxFlagsPerProject)} AND ${targetsAreLive(state.filters)}`,
    ),
    ...clearKey(db, plan.tombstone),
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
  ])
  return (results.at(-1) as Awaited<ReturnType<typeof selectFlags>>)[0]!
}

const hasRoom = (projectId: number, most: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${projects} WHERE ${and(eq(projects.id, projectId), sql`live_flag_count < ${most}`)})`

/** Contexts have an activity entry of their own, with the sorted sets (reference §6.4). */
export const contextChange = (before: readonly string[], after: readonly string[]) => ({
  type: 'FeatureFlag' as const,
  action: 'changed' as const,
  field: 'evaluation_contexts',
  before: [...before].sort(),
  after: [...after].sort(),
})
