// Plans an update of a flag: docs/reference/flags.md#updates. The functions are pure.
import { analyse } from '../filters/analysis'
import { cohortsById } from '../filters/cohorts'
import { type FlagFilters, textsOf } from '../filters/flag-filters'
import { withoutLegacy } from '../filters/normalize'
import { validateFilters } from '../filters/validate'
import { checkKey, freeKey, originalKey, planTombstone, tombstoneKey } from '../keys/key'
import { dropEncrypted, keepEncrypted, rejectPlaceholders } from '../payloads'
import { targetsById } from '../read/linked-objects'
import type { FlagRow } from '../read/rows'
import type { UpdateFlagBody } from '../schema'
import { endRollback, type FlagState, sentFields, stateOf } from '../state'
import type { WriteFacts } from './facts'
import { cleanContexts, flagTagsOf, tagChanges } from './labels'
import {
  checkCombination,
  checkContextPolicy,
  checkCount,
  checkDashboards,
  checkDeletable,
  checkDisablable,
  checkEnablable,
  checkRemovable,
  isOn,
} from './rules'

export type UpdatePlan = ReturnType<typeof planUpdate>

/**
 * @param row the flag before the update
 * @param body without fields that repeat a stale flag: see `settleConflicts`
 * @throws 400 for the first rule that is broken
 */
export function planUpdate(row: FlagRow, facts: WriteFacts, body: UpdateFlagBody) {
  const before = stateOf(row)
  const newKey = body.key === before.key ? undefined : body.key
  if (newKey !== undefined) checkKey(newKey, facts.keyHolders[0], body.deleted ?? before.deleted)

  const merged = endRollback({ ...before, ...sentFields(body), version: before.version + 1 }, body)
  // Filters replace the stored ones as a whole. Empty ones are none, as clients of upstream send them.
  const sent = body.filters && Object.keys(body.filters).length > 0 ? body.filters : null
  const filters = sent ? replacedFilters(sent, row, merged, facts) : keptFilters(before, merged)
  const dashboardIds = body.analytics_dashboards
    ? checkDashboards(body.analytics_dashboards, facts.dashboards)
    : null
  const updated = { ...merged, filters }
  checkCombination(updated, before, body.archived === true)
  const contexts = planContexts(row, body, facts)
  const tags = body.tags ? flagTagsOf(body.tags, row.tags) : null

  const disabling = before.active && !updated.active
  const turningOn = isOn(updated) && !isOn(before)
  const deleting = !before.deleted && updated.deleted
  const restoring = before.deleted && !updated.deleted
  if (disabling) checkDisablable(facts.dependents)
  if (sent) {
    const left = new Set(textsOf(filters))
    checkRemovable(
      textsOf(before.filters).filter((text) => !left.has(text)),
      facts.expectedTexts,
    )
  }
  if (deleting)
    checkDeletable({ ...facts, features: featuresOf(row), usedInReplay: row.used_in_replay === 1 })
  if (restoring) checkCount(facts.shared.totals.flags, facts.shared.maxFlags)
  // The dependencies of new filters have been checked already.
  if (turningOn && !sent) checkEnablable(restoring ? 'restore' : 'enable', facts.unmetDependencies)

  return {
    /** The state to write. Its payloads are not encrypted yet. */
    after: { ...updated, key: settledKey(row, updated, facts) },
    analysis: analyse(filters, sent ? facts.references : undefined),
    createdAt: body.created_at ?? row.created_at,
    /** Null means that the tags are unchanged. The same holds for contexts and dashboards. */
    tags,
    tagChanges: tags ? tagChanges(row.tags, tags) : [],
    contexts,
    dashboardIds,
    tombstone:
      newKey === undefined ? ({ kind: 'none' } as const) : planTombstone(newKey, facts.keyHolders[0]),
  }
}

/** Returns the stored filters without legacy fields. They are the same object when nothing changes. */
function keptFilters(before: FlagState, after: FlagState): FlagFilters {
  const stripped = withoutLegacy(before.filters)
  const isSame = Object.keys(stripped).length === Object.keys(before.filters).length
  const kept = isSame ? before.filters : stripped
  return before.has_encrypted_payloads && !after.has_encrypted_payloads ? dropEncrypted(kept) : kept
}

function replacedFilters(
  sent: Record<string, unknown>,
  before: FlagRow,
  after: FlagState,
  facts: WriteFacts,
): FlagFilters {
  const filters = validateFilters(sent, {
    self: { id: before.id, key: after.key },
    stored: before.filters,
    isRemoteConfiguration: after.is_remote_configuration ?? false,
    linkedToEarlyAccess: featuresOf(before).length > 0,
    targets: targetsById(facts.targets),
    cohorts: cohortsById(facts.cohorts),
  })
  if (after.has_encrypted_payloads) return keepEncrypted(filters, before.filters)
  return before.has_encrypted_payloads ? dropEncrypted(filters) : rejectPlaceholders(filters)
}

const featuresOf = ({ features }: FlagRow) => Object.values(features)

function planContexts(row: FlagRow, body: UpdateFlagBody, { shared }: WriteFacts) {
  const sent = body.evaluation_contexts ?? null
  if (sent === null) return null
  const before = row.evaluation_contexts
  const after = cleanContexts(sent)
  if (shared.requiresContexts) checkContextPolicy(after, before)
  return before.join('\n') === after.join('\n') ? null : { before, after }
}

/**
 * Returns the key after the update. Deleting a flag that experiments refer to frees its key; restoring one gives the key back, if it is not
 * taken.
 */
function settledKey(before: FlagRow, after: FlagState, { experiments, similarKeys }: WriteFacts): string {
  if (!before.deleted && after.deleted && experiments.length > 0) return tombstoneKey(after.key, before.id)
  const original = originalKey(after.key, before.id)
  if (!before.deleted || after.deleted || original === after.key) return after.key
  return freeKey(original, new Set(similarKeys.map(({ key }) => key)))
}
