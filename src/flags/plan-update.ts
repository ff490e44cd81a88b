// Deciding an update: what the flag will be, and what has to hold when it is written. Pure. Reference/flags-api.md §4.
import type { SQL } from 'drizzle-orm'
import type { Project } from '../auth/actor'
import {
  checkCombination,
  checkContextPolicy,
  checkCount,
  checkDeletable,
  checkDisablable,
  checkEnablable,
} from './checks'
import { checkDashboards } from './dashboards'
import { targetsById } from './dependencies'
import { cohortsById } from './filters/cohorts'
import { withoutLegacy } from './filters/normalise'
import type { FlagFilters } from './filters/shape'
import { validateFilters } from './filters/validate'
import { noDependentIsActive, noTargetIsDisabled, targetsAreLive, targetsNeverLeadTo } from './invariants'
import { checkKey, freeKey, originalKey, settleTombstone, tombstoneKey, type TombstoneFate } from './key'
import { cleanContexts, cleanTags } from './labels'
import { dropEncrypted, keepEncrypted } from './payloads'
import { hasRoom } from './room'
import type { FlagRow } from './rows'
import type { UpdateFlagBody } from './schema'
import { type FlagState, stateOf } from './state'
import type { UpdateWorld } from './update-world'

export interface UpdatePlan {
  row: FlagRow
  /** Its payloads are not encrypted yet. */
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
 * @param row the flag as it is stored.
 * @param body what is left of what was sent, once conflicts are settled.
 * @throws 400 for the first rule that is broken.
 */
export function planUpdate(
  row: FlagRow,
  world: UpdateWorld,
  body: UpdateFlagBody,
  project: Pick<Project, 'requireEvaluationContexts'>,
): UpdatePlan {
  const before = stateOf(row)
  const newKey = body.key === before.key ? undefined : body.key
  if (newKey !== undefined) checkKey(newKey, world.holders[0])

  const merged = merge(before, body)
  const sentFilters = filtersIn(body)
  const filters = sentFilters
    ? replacedFilters(sentFilters, before, merged, row.id, world)
    : keptFilters(before, merged)
  const dashboardIds = body.analytics_dashboards
    ? checkDashboards(body.analytics_dashboards, world.dashboards)
    : null
  const wanted = { ...merged, filters }
  checkCombination(wanted, before, body.archived === true)
  const contexts = decideContexts(row, body, project)

  if (before.active && !wanted.active) checkDisablable(world.dependents)
  // Filters that were sent have had the flags that they look at checked.
  if (!before.active && wanted.active && !sentFilters) checkEnablable(world.disabledTargets)
  const deleting = !before.deleted && wanted.deleted
  if (deleting) checkDeletable({ ...world, usedInReplay: row.usedInReplay === 1 })
  const restoring = before.deleted && !wanted.deleted
  if (restoring) checkCount(world.live, world.most)

  return {
    row,
    after: settleKey(before, wanted, row.id, world),
    createdAt: body.created_at ?? row.createdAt,
    tags: body.tags ? cleanTags(body.tags) : null,
    contexts,
    dashboardIds,
    tombstone: newKey === undefined ? { kind: 'none' as const } : settleTombstone(newKey, world.holders[0]),
    invariants: [
      ...invariantsOf(before, wanted, row.id, sentFilters !== null),
      ...(restoring ? [hasRoom(row.projectId, world.most)] : []),
    ],
  }
}

/** The next version: fields that were sent replace those that are stored. Filters have rules of their own. */
function merge(
  before: FlagState,
  { version: _version, filters: _filters, ...sent }: UpdateFlagBody,
): FlagState {
  const fields = Object.entries(sent).filter(([field, value]) => field in before && value !== undefined)
  return { ...before, ...(Object.fromEntries(fields) as Partial<FlagState>), version: before.version + 1 }
}

/** The filters that replace the stored ones as a whole: a sent object counts only if it has `groups`. */
const filtersIn = ({ filters }: UpdateFlagBody) => (filters && 'groups' in filters ? filters : null)

/** Stored filters, less what no save keeps. The very object that is stored comes back when nothing changes. */
function keptFilters(before: FlagState, after: FlagState): FlagFilters {
  const stripped = withoutLegacy(before.filters)
  const isSame = Object.keys(stripped).length === Object.keys(before.filters).length
  const kept = isSame ? before.filters : stripped
  return before.has_encrypted_payloads && !after.has_encrypted_payloads ? dropEncrypted(kept) : kept
}

function replacedFilters(
  sent: Record<string, unknown>,
  before: FlagState,
  after: FlagState,
  id: number,
  world: UpdateWorld,
): FlagFilters {
  const filters = validateFilters(sent, {
    self: { id, key: after.key },
    stored: before.filters,
    isRemoteConfiguration: after.is_remote_configuration ?? false,
    linkedToEarlyAccess: world.features.length > 0,
    targets: targetsById(world.targets),
    cohorts: cohortsById(world.cohorts),
  })
  if (after.has_encrypted_payloads) return keepEncrypted(filters, before.filters)
  return before.has_encrypted_payloads ? dropEncrypted(filters) : filters
}

function decideContexts(
  row: FlagRow,
  body: UpdateFlagBody,
  project: Pick<Project, 'requireEvaluationContexts'>,
): UpdatePlan['contexts'] {
  const sent = body.evaluation_contexts ?? null
  if (sent === null) return null
  const before = JSON.parse(row.evaluationContexts) as string[]
  const after = cleanContexts(sent)
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
