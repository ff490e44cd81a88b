// Deciding a bulk delete: which of the picked flags go, and why the others stay. Pure. Reference/flags-api.md §12.1.
import { listed } from '../checks'
import type { BulkSelection } from './selection'
import type { Targets } from './targets'

export interface Refusal {
  /** As the caller wrote it, when it is no id. */
  id: unknown
  key?: string
  reason: string
}

export interface Deletion {
  id: number
  key: string
  rollout_state: string
  active_variant: string | null
}

export interface DeletionPlan {
  /** What the caller will be told, if all of it succeeds. */
  deleted: Deletion[]
  errors: Refusal[]
  /** Ids of flags that some experiment refers to: their keys are freed by renaming. */
  renamed: number[]
}

/** How many dependents a refusal names. */
const NAMED_DEPENDENTS = 3

/**
 * Dependents that are deleted along do not stand in the way. One that is itself refused does: a flag never goes while an active flag
 * that stays looks at it.
 */
export function planDeletion(selection: BulkSelection, targets: Targets): DeletionPlan {
  const reasons = ownReasons(targets)
  const replay = replayReason(targets)
  refuseForDependents(targets, reasons, replay.keys())
  // The last in the order of the reference: it shows only where nothing else stands in the way.
  for (const [id, reason] of replay) if (!reasons.has(id)) reasons.set(id, reason)

  const refused = targets.flags.flatMap(({ id, key }) => {
    const reason = reasons.get(id)
    return reason === undefined ? [] : [{ id, key, reason }]
  })
  const kept = targets.flags.filter(({ id }) => !reasons.has(id))
  const withExperiments = new Set(targets.experiments.map(({ flagId }) => flagId))
  return {
    deleted: kept.map(({ id, key, rolloutState, decidedVariant }) => ({
      id,
      key,
      rollout_state: rolloutState,
      active_variant: rolloutState === 'fully_rolled_out' ? decidedVariant : null,
    })),
    errors: [...missing(selection, targets), ...refused],
    renamed: kept.map(({ id }) => id).filter((id) => withExperiments.has(id)),
  }
}

/** Ids that name nothing here come first, in the order in which they were sent. */
function missing(selection: BulkSelection, { flags }: Targets): Refusal[] {
  if (selection.kind === 'filters') return []
  const found = new Set(flags.map(({ id }) => id))
  return [
    ...selection.invalid.map((id) => ({ id, reason: 'Invalid flag ID format' })),
    ...selection.ids.filter((id) => !found.has(id)).map((id) => ({ id, reason: 'Flag not found' })),
  ]
}

/** What stands in the way whatever else is deleted, by flag: the first reason in the order of the reference. */
function ownReasons({ features, experiments }: Targets): Map<number, string> {
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
  return reasons
}

function replayReason({ flags, replayFlagId }: Targets): Map<number, string> {
  const isPicked = flags.some(({ id }) => id === replayFlagId)
  const reason =
    'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.'
  return new Map(isPicked ? [[replayFlagId!, reason]] : [])
}

/** Goes on until nothing changes: refusing one flag may leave a dependent standing on another. */
function refuseForDependents(
  { flags, dependents }: Targets,
  reasons: Map<number, string>,
  staying: Iterable<number>,
): void {
  const going = new Set(flags.map(({ id }) => id).filter((id) => !reasons.has(id)))
  for (const id of staying) going.delete(id)
  const byTarget = Map.groupBy(dependents, ({ targetId }) => targetId)
  const picked = new Set(flags.map(({ id }) => id))
  for (let changed = true; changed;) {
    changed = false
    for (const [targetId, each] of byTarget) {
      const holding = each.filter(({ id }) => !going.has(id))
      if (!picked.has(targetId) || reasons.has(targetId) || holding.length === 0) continue
      reasons.set(
        targetId,
        `Cannot delete because other flags depend on it: ${listed(holding, NAMED_DEPENDENTS)}`,
      )
      going.delete(targetId)
      changed = true
    }
  }
}
