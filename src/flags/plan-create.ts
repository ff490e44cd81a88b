// Deciding about a new flag: what it will be. Pure. Reference/flags-api.md §1.
import type { Project } from '../auth/actor'
import { checkCombination, checkContextPolicy, checkCount } from './checks'
import { checkDashboards } from './dashboards'
import type { StoredCohort } from './filters/cohorts'
import type { DependencyTarget } from './filters/dependencies'
import { noFilters, validateFilters } from './filters/validate'
import { checkKey, type KeyHolder, settleTombstone, type TombstoneFate } from './key'
import { cleanContexts, cleanTags } from './labels'
import type { CreateFlagBody } from './schema'
import type { FlagState } from './state'

/** What the rules ask about. */
export interface CreateWorld {
  /** Who holds the key that is wanted. */
  holder: KeyHolder | undefined
  /** Those of the dashboards that are wanted that the project has. */
  dashboards: readonly { id: number }[]
  targets: ReadonlyMap<number, DependencyTarget>
  cohorts: ReadonlyMap<number, StoredCohort>
  /** Live flags of the project, and how many it may have. */
  live: number
  most: number
}

export interface CreatePlan {
  /** Its payloads are not encrypted yet. */
  state: FlagState
  tags: string[]
  contexts: string[]
  dashboardIds: number[]
  tombstone: TombstoneFate
}

/** @throws 400 for the first rule that the body breaks. */
export function planCreate(
  world: CreateWorld,
  body: CreateFlagBody,
  project: Pick<Project, 'requireEvaluationContexts'>,
): CreatePlan {
  checkKey(body.key, world.holder)
  const isRemoteConfiguration = body.is_remote_configuration ?? false
  const filters = body.filters
    ? validateFilters(body.filters, {
        self: { id: null, key: body.key },
        stored: null,
        isRemoteConfiguration,
        linkedToEarlyAccess: false,
        targets: world.targets,
        cohorts: world.cohorts,
      })
    : noFilters(isRemoteConfiguration)
  const dashboardIds = checkDashboards(body.analytics_dashboards ?? [], world.dashboards)

  const state = initialState(body, filters)
  checkCombination(state, null, body.archived === true)
  const contexts = cleanContexts(body.evaluation_contexts ?? [])
  checkCount(world.live, world.most)
  if (project.requireEvaluationContexts && body.creation_context !== 'surveys')
    checkContextPolicy(contexts, null)
  const tombstone = settleTombstone(body.key, world.holder)

  return { state, tags: cleanTags(body.tags ?? []), contexts, dashboardIds, tombstone }
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
