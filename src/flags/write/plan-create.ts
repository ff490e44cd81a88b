// Plans a new flag: docs/reference/flags.md#fields-of-a-flag. The function is pure.
import { analyse } from '../filters/analysis'
import { cohortsById } from '../filters/cohorts'
import { noFilters, validateFilters } from '../filters/validate'
import { requireFreeKey, planTombstone } from '../keys/key'
import { targetsById } from '../read/linked-objects'
import { rejectPlaceholders } from '../payloads'
import type { CreateFlagBody } from '../schema'
import { endRollback, type FlagState, NEW_FLAG, sentFields } from '../state'
import type { WriteFacts } from './facts'
import { cleanContexts, flagTagsOf } from './labels'
import { checkCombination, checkContextPolicy, checkCount, checkDashboards } from './rules'

/** @throws 400 for the first rule that the body breaks */
export function planCreate(facts: WriteFacts, body: CreateFlagBody) {
  const { shared } = facts
  const [holder] = facts.keyHolders
  requireFreeKey(holder, body.deleted === true)
  const isRemoteConfiguration = body.is_remote_configuration ?? false
  const filters = body.filters
    ? rejectPlaceholders(
        validateFilters(body.filters, {
          targets: targetsById(facts.targets),
          cohorts: cohortsById(facts.cohorts),
          self: { id: null, key: body.key },
          stored: null,
          isRemoteConfiguration,
          linkedToEarlyAccess: false,
        }),
      )
    : noFilters(isRemoteConfiguration)
  const dashboardIds = checkDashboards(body.analytics_dashboards ?? [], facts.dashboards)

  // A field that is left out gets its default; one that is sent as null stays null.
  const state = endRollback({ ...NEW_FLAG, ...sentFields(body), filters }, body)
  checkCombination(state, null, body.archived === true)
  const contexts = cleanContexts(body.evaluation_contexts ?? [])
  if (!state.deleted) checkCount(shared.totals.flags, shared.maxFlags)
  if (shared.requiresContexts && body.creation_context !== 'surveys') checkContextPolicy(contexts, null)
  return {
    /** The state to write. Its payloads are not encrypted yet. */
    state: state as FlagState,
    analysis: analyse(filters, facts.references),
    tags: flagTagsOf(body.tags ?? []),
    contexts,
    dashboardIds,
    tombstone: planTombstone(body.key, holder),
  }
}
