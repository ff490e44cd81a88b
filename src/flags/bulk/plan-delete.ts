// Deciding a bulk delete: which of the picked flags go, and why the others stay. Pure. Reference/flags-api.md §12.1.
import { listed } from '../checks'
import type { Doomed } from './delete-chunk'
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
  /** The same flags in the order in which they may go: none before an active flag that looks at it. */
  doomed: Omit<Doomed, 'entryId'>[]
}

/** How many dependents a refusal names. */
const NAMED_DEPENDENTS = 3

/**
 * Dependents that are deleted along do not stand in the way. One that is itself refused does: a flag never goes while an active flag
 * that stays looks at it.
 */
export function planDeletion(selection: BulkSelection, targets: Targets): DeletionPlan {
  const own = ownReasons(targets)
  const replay = replayReason(targets)
  const going = goingOf(targets, (id) => !own.has(id) && !replay.has(id))
  const holding = Map.groupBy(
    targets.dependents.filter(({ id }) => !going.has(id)),
    ({ targetId }) => targetId,
  )
  // The first reason in the order of the reference.
  const reasonOf = (id: number) => own.get(id) ?? dependentsReason(holding.get(id)) ?? replay.get(id)!

  const refused = targets.flags
    .filter(({ id }) => !going.has(id))
    .map(({ id, key }) => ({ id, key, reason: reasonOf(id) }))
  const kept = targets.flags.filter(({ id }) => going.has(id))
  const withExperiments = new Set(targets.experiments.map(({ flagId }) => flagId))
  const keys = new Map(kept.map(({ id, key }) => [id, key]))
  return {
    deleted: kept.map(({ id, key, rolloutState, decidedVariant }) => ({
      id,
      key,
      rollout_state: rolloutState,
      active_variant: rolloutState === 'fully_rolled_out' ? decidedVariant : null,
    })),
    errors: [...missing(selection, targets), ...refused],
    doomed: dependentsFirst(going, targets).map((id) => ({
      id,
      key: keys.get(id)!,
      renamed: withExperiments.has(id),
    })),
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

const dependentsReason = (holding: Targets['dependents'] | undefined) =>
  holding && `Cannot delete because other flags depend on it: ${listed(holding, NAMED_DEPENDENTS)}`

/** The ids of the flags that can go: whoever stays keeps what it looks at, and that in turn what that looks at. */
function goingOf({ flags, dependents }: Targets, mayGo: (id: number) => boolean): Set<number> {
  const going = new Set(flags.map(({ id }) => id).filter(mayGo))
  const looksAt = Map.groupBy(dependents, ({ id }) => id)
  const staying = [...looksAt.keys()].filter((id) => !going.has(id))
  for (const id of staying) {
    for (const { targetId } of looksAt.get(id) ?? []) if (going.delete(targetId)) staying.push(targetId)
  }
  return going
}

/** Puts every flag behind those that look at it. */
function dependentsFirst(going: ReadonlySet<number>, { dependents }: Targets): number[] {
  const among = dependents.filter(({ id, targetId }) => going.has(id) && going.has(targetId))
  const looksAt = Map.groupBy(among, ({ id }) => id)
  const ahead = new Map<number, number>()
  for (const { targetId } of among) ahead.set(targetId, (ahead.get(targetId) ?? 0) + 1)

  const ordered = new Set([...going].filter((id) => !ahead.has(id)))
  for (const id of ordered) {
    for (const { targetId } of looksAt.get(id) ?? []) {
      const left = ahead.get(targetId)! - 1
      ahead.set(targetId, left)
      if (left === 0) ordered.add(targetId)
    }
  }
  // Flags that look at each other in a circle cannot be made any more; stored ones go last, side by side.
  return [...ordered.union(going)]
}
