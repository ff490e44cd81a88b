// Plans a bulk delete: docs/reference/flags.md#bulk-operations. Pure.
import { isDeletionHeld } from '../approvals/enabled-policies'
import { listed } from '../write/rules'
import type { BulkSelection } from './selection'
import type { Targets } from './targets'

export interface DeletionError {
  /** It is null for an invalid id. */
  id: number | null
  /** The invalid id as text. It is blank for an unknown id. */
  key: string
  reason: string
}

export interface Deletion {
  id: number
  key: string
  rollout_state: string
  active_variant: string | null
}

/** One flag to delete. */
export interface PlannedDeletion {
  id: number
  /** Whether the key is freed, because an experiment refers to the flag. */
  renamed: boolean
}

export interface DeletionPlan {
  deleted: Deletion[]
  errors: DeletionError[]
  planned: PlannedDeletion[]
}

/** Maximum dependents that a reason names. */
const MAX_NAMED_DEPENDENTS = 3

/**
 * Plans a bulk delete. Dependents that are deleted too do not block it. A dependent that is rejected does: no flag is deleted while an
 * active flag that remains depends on it.
 * @param level of the caller's membership
 */
export function planDeletion(selection: BulkSelection, targets: Targets, level: number): DeletionPlan {
  const own = ownReasons(targets, level)
  const replay = replayReason(targets)
  const going = goingOf(targets, (id) => !own.has(id) && !replay.has(id))
  const holding = Map.groupBy(
    targets.dependents.filter(({ id }) => !going.has(id)),
    ({ targetId }) => targetId,
  )
  // The reason is the first one in upstream's order.
  const reasonOf = (id: number) => own.get(id) ?? dependentsReason(holding.get(id)) ?? replay.get(id)!

  const rejected = targets.flags
    .filter(({ id }) => !going.has(id))
    .map(({ id, key }) => ({ id, key, reason: reasonOf(id) }))
  const kept = targets.flags.filter(({ id }) => going.has(id))
  const withExperiments = new Set(targets.experiments.map(({ flagId }) => flagId))
  return {
    deleted: kept.map(({ id, key, rolloutState, decidedVariant }) => ({
      id,
      key,
      rollout_state: rolloutState,
      active_variant: rolloutState === 'fully_rolled_out' ? decidedVariant : null,
    })),
    errors: [...missing(selection, targets), ...rejected],
    planned: kept.map(({ id }) => ({ id, renamed: withExperiments.has(id) })),
  }
}

/** Errors of unknown ids, which come first, in the order of the request. */
const missing = (selection: BulkSelection, { flags }: Targets): DeletionError[] =>
  selection.kind === 'filters' ? [] : [...missingErrors(selection, new Set(flags.map(({ id }) => id)))]

/** Yields errors of members of `ids` that are no ids, and of ids of no flag. @param found ids of flags */
export function* missingErrors(
  { ids, invalid }: Pick<Extract<BulkSelection, { kind: 'ids' }>, 'ids' | 'invalid'>,
  found: ReadonlySet<number>,
): Generator<DeletionError> {
  for (const sent of invalid) yield { id: null, key: textOf(sent), reason: 'Invalid flag ID format' }
  for (const id of ids) if (!found.has(id)) yield { id, key: '', reason: 'Flag not found' }
}

/** Maximum characters of an invalid id that an error shows, which is the maximum length of a key. */
const MAX_SHOWN = 400

const textOf = (sent: unknown): string =>
  (typeof sent === 'string' ? sent : JSON.stringify(sent)).slice(0, MAX_SHOWN)

/** Reasons that do not depend on the other flags. Each is the first one in upstream's order. */
function ownReasons({ flags, features, experiments, policies }: Targets, level: number): Map<number, string> {
  const reasons = new Map<number, string>()
  for (const { flagId } of features) {
    reasons.set(flagId, 'Cannot delete a feature flag that is in use with early access features')
  }
  const running = Map.groupBy(
    experiments.filter((experiment) => experiment.running),
    ({ flagId }) => flagId,
  )
  for (const [flagId, each] of running) {
    if (reasons.has(flagId)) continue
    const names = each.map(({ id, name }) => `"${name}" (ID: ${id})`).join(', ')
    reasons.set(flagId, `Cannot delete a feature flag linked to running experiment(s): ${names}`)
  }
  for (const { id, active } of flags) {
    if (reasons.has(id) || !isDeletionHeld(policies, active, level)) continue
    reasons.set(id, 'Deleting this flag needs approval. Delete it by itself to request one.')
  }
  return reasons
}

function replayReason({ flags, replayFlagId }: Targets): Map<number, string> {
  const isPicked = flags.some(({ id }) => id === replayFlagId)
  const reason =
    'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.'
  return new Map(isPicked ? [[replayFlagId!, reason]] : [])
}

const dependentsReason = (holding: Targets['dependents'] | undefined) =>
  holding && `Cannot delete because other flags depend on it: ${listed(holding, MAX_NAMED_DEPENDENTS)}`

/** Returns ids of the flags that can be deleted. A flag that remains keeps the flags that it depends on, directly or not. */
function goingOf({ flags, dependents }: Targets, mayGo: (id: number) => boolean): Set<number> {
  const going = new Set(flags.map(({ id }) => id).filter(mayGo))
  const dependencies = Map.groupBy(dependents, ({ id }) => id)
  const staying = [...dependencies.keys()].filter((id) => !going.has(id))
  for (const id of staying) {
    for (const { targetId } of dependencies.get(id) ?? []) if (going.delete(targetId)) staying.push(targetId)
  }
  return going
}
