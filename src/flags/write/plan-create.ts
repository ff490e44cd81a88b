// Plans a new flag. Pure. Reference/flags-api.md §1.
import type { Project } from '../../auth/actor'
import { analyse, type References } from '../filters/analysis'
import type { StoredCohort } from '../filters/cohorts'
import type { DependencyTarget } from '../filters/dependencies'
import { noFilters, validateFilters } from '../filters/validate'
import { type KeyHolder, requireFreeKey, planTombstone } from '../keys/key'
import type { CreateFlagBody } from '../schema'
import { type FlagState, NEW_FLAG, sentFields } from '../state'
import { cleanContexts, cleanTags } from './labels'
import { checkCombination, checkContextPolicy, checkCount, checkDashboards } from './rules'

/** What the rules need from the database. */
export interface CreateFacts {
  /** Of the filters as sent. */
  references: References
  /** The flag that has the key. */
  holder: KeyHolder | undefined
  /** The dashboards of the body that exist. */
  dashboards: readonly { id: number }[]
  targets: ReadonlyMap<number, DependencyTarget>
  cohorts: ReadonlyMap<number, StoredCohort>
  liveFlags: number
  maxFlags: number
}

export type CreatePlan = ReturnType<typeof planCreate>

/** @throws 400 for the first rule that the body breaks. */
export function planCreate(
  facts: CreateFacts,
  body: CreateFlagBody,
  project: Pick<Project, 'requireEvaluationContexts'>,
) {
  requireFreeKey(facts.holder)
  const isRemoteConfiguration = body.is_remote_configuration ?? false
  const filters = body.filters
    ? validateFilters(body.filters, {
        ...facts,
        self: { id: null, key: body.key },
        stored: null,
        isRemoteConfiguration,
        linkedToEarlyAccess: false,
      })
    : noFilters(isRemoteConfiguration)
  const dashboardIds = checkDashboards(body.analytics_dashboards ?? [], facts.dashboards)

  // A field that is left out gets its default; one that is sent as null stays null.
  const state = { ...NEW_FLAG, ...sentFields(body), filters }
  checkCombination(state, null, body.archived === true)
  const contexts = cleanContexts(body.evaluation_contexts ?? [])
  checkCount(facts.liveFlags, facts.maxFlags)
  if (project.requireEvaluationContexts && body.creation_context !== 'surveys')
    checkContextPolicy(contexts, null)
  return {
    /** Payloads are not encrypted yet. */
    state: state as FlagState,
    analysis: analyse(filters, facts.references),
    tags: cleanTags(body.tags ?? []),
    contexts,
    dashboardIds,
    tombstone: planTombstone(body.key, facts.holder),
  }
}
