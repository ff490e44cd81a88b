// Deciding an update: what the flag will be, and what has to hold when it is written.
import type { SQL } from 'drizzle-orm'
import {
  checkCombination,
  checkContextPolicy,
  checkDeletable,
  checkDisablable,
  checkEnablable,
} from './checks'
import { settleConflicts } from './concurrency'
import { type FlagContext, viewerOf } from './context'
import { checkDashboards } from './dashboards'
import { withoutLegacy } from './filters/normalise'
import type { FlagFilters } from './filters/shape'
import { validateFilters } from './filters/validate'
import { noDependentIsActive, noTargetIsDisabled, targetsAreLive, targetsNeverLeadTo } from './invariants'
import { checkCharset, freeKey, originalKey, settleKeyHolder, tombstoneKey, type TombstoneFate } from './key'
import { cleanContexts, cleanTags } from './labels'
import { dropEncrypted, encryptPayloads, keepEncrypted } from './payloads'
import { recordFrom } from './record'
import type { FlagRow } from './rows'
import type { UpdateFlagBody } from './schema'
import { type FlagState, stateOf } from './state'
import { readUpdateWorld, type UpdateWorld } from './update-world'
import { cohortsById, targetsById } from './world'

export interface UpdatePlan {
  row: FlagRow
  after: FlagState
  createdAt: string
  /** Null: the set stays as it is. */
  tags: string[] | null
  contexts: { before: string[]; after: string[] } | null
  dashboardIds: number[] | null
  tombstone: TombstoneFate
  /** What other flags must not have changed in the meantime, as SQL conditions. */
  invariants: SQL[]
}

/**
 * Reads the flag with everything that the rules need in one round trip, and decides.
 * @returns null when the project has no such flag.
 * @throws 400 or 409.
 */
export async function planUpdate(
  context: FlagContext,
  id: number,
  sent: UpdateFlagBody,
): Promise<UpdatePlan | null> {
  const world = await readUpdateWorld(context, id, sent)
  const [row] = world.rows
  if (!row) return null
  const viewer = viewerOf(context)
  const body = settleConflicts(sent, await recordFrom(row, viewer))
  const before = stateOf(row)
  const renamed = body.key !== undefined && body.key !== before.key
  const tombstone = renamed ? settleKeyHolder(body.key!, world.holders[0]) : { kind: 'none' as const }
  if (renamed) checkCharset(body.key!)

  const sentFilters = filtersIn(body)
  const filters = decideFilters(body, sentFilters, before, row, world)
  const dashboardIds = body.analytics_dashboards
    ? checkDashboards(body.analytics_dashboards, world.dashboards)
    : null
  const wanted = { ...merge(before, body), filters, version: before.version + 1 }
  checkCombination(wanted, before, body.archived === true)
  const contexts = decideContexts(context, body, row)

  if (before.active && !wanted.active) checkDisablable(world.dependents)
  // Filters that were sent have had the flags that they look at checked.
  if (!before.active && wanted.active && !sentFilters) checkEnablable(world.disabledTargets)
  const deleting = !before.deleted && wanted.deleted
  if (deleting) checkDeletable({ ...world, usedInReplay: row.usedInReplay === 1 })

  const state = settleKey(before, wanted, row.id, world)
  return {
    row,
    after: state.has_encrypted_payloads ? await encryptPayloads(state, viewer.cipher) : state,
    createdAt: body.created_at ?? row.createdAt,
    tags: body.tags ? cleanTags(body.tags) : null,
    contexts,
    dashboardIds,
    tombstone,
    invariants: invariantsOf(before, wanted, row.id, sentFilters !== null),
  }
}

/** Fields that were sent replace those that are stored. */
function merge(before: FlagState, body: UpdateFlagBody): FlagState {
  const sent = Object.entries(body).filter(([field, value]) => field in before && value !== undefined)
  return { ...before, ...(Object.fromEntries(sent) as Partial<FlagState>) }
}

/** The filters that replace the stored ones as a whole: a sent object counts only if it has `groups`. */
const filtersIn = ({ filters }: UpdateFlagBody) => (filters && 'groups' in filters ? filters : null)

/** The filters to store. The very object that is stored comes back when nothing changes. */
function decideFilters(
  body: UpdateFlagBody,
  sent: Record<string, unknown> | null,
  before: FlagState,
  row: FlagRow,
  world: UpdateWorld,
): FlagFilters {
  const after = merge(before, body)
  if (!sent) {
    const stripped = Object.keys(withoutLegacy(row.filters))
    const kept =
      stripped.length === Object.keys(row.filters).length ? row.filters : withoutLegacy(row.filters)
    return before.has_encrypted_payloads && !after.has_encrypted_payloads ? dropEncrypted(kept) : kept
  }
  const filters = validateFilters(sent, {
    self: { id: row.id, key: after.key },
    stored: row.filters,
    isRemoteConfiguration: after.is_remote_configuration ?? false,
    linkedToEarlyAccess: world.features.length > 0,
    targets: targetsById(world.targets),
    cohorts: cohortsById(world.cohorts),
  })
  if (after.has_encrypted_payloads) return keepEncrypted(filters, row.filters)
  return before.has_encrypted_payloads ? dropEncrypted(filters) : filters
}

function decideContexts(
  { project }: FlagContext,
  body: UpdateFlagBody,
  row: FlagRow,
): UpdatePlan['contexts'] {
  if (!body.evaluation_contexts) return null
  const before = JSON.parse(row.evaluationContexts) as string[]
  const after = cleanContexts(body.evaluation_contexts)
  if (project.requireEvaluationContexts) checkContextPolicy(after, before)
  return before.join('\n') === after.join('\n') ? null : { before, after }
}

/** Deleting a flag that experiments refer to frees its key; restoring one gives the key back, if nobody took it. */
function settleKey(before: FlagState, after: FlagState, id: number, world: UpdateWorld): FlagState {
  if (!before.deleted && after.deleted && world.experiments.length > 0) {
    return { ...after, key: tombstoneKey(after.key, id) }
  }
  if (before.deleted && !after.deleted) {
    const key = originalKey(after.key, id)
    if (key === after.key) return after
    return { ...after, key: freeKey(key, new Set(world.similar.map((each) => each.key))) }
  }
  return after
}

/** What has to hold of other flags when the update is written. */
function invariantsOf(before: FlagState, after: FlagState, id: number, replacesFilters: boolean): SQL[] {
  const enables = !before.active && after.active
  const leaves = (before.active && !after.active) || (!before.deleted && after.deleted)
  return [
    ...(replacesFilters ? [targetsAreLive(after.filters), targetsNeverLeadTo(id, after.filters)] : []),
    ...(enables && !replacesFilters ? [noTargetIsDisabled(id)] : []),
    ...(leaves ? [noDependentIsActive(id)] : []),
  ]
}
