// Orders flags that depend on each other for evaluation.
import type { CompiledFlag } from './compiled'

/**
 * Sorts flags after those on which they depend. Flags in a cycle, and flags that depend on one, have no position and are returned
 * separately. Dependencies outside of `known` are ignored.
 */
export function byDependency<Flag extends CompiledFlag>(
  flags: readonly Flag[],
  known: ReadonlyMap<number, Flag>,
): { readonly ordered: readonly Flag[]; readonly unordered: readonly Flag[] } {
  const waiting = new Map<Flag, number>()
  const dependents = new Map<number, Flag[]>()
  const ordered: Flag[] = []
  for (const flag of flags) {
    const open = flag.dependencies.filter((id) => known.has(id))
    if (open.length === 0) ordered.push(flag)
    else waiting.set(flag, open.length)
    for (const id of open) {
      const behind = dependents.get(id)
      if (behind === undefined) dependents.set(id, [flag])
      else behind.push(flag)
    }
  }
  // The list grows while it is walked, because each flag that gets a position may free those that wait for it.
  for (const { definition } of ordered) {
    for (const dependent of dependents.get(definition.id) ?? []) {
      const left = (waiting.get(dependent) ?? 0) - 1
      waiting.set(dependent, left)
      if (left > 0) continue
      waiting.delete(dependent)
      ordered.push(dependent)
    }
  }
  return { ordered, unordered: [...waiting.keys()] }
}

/** Returns these flags and everything on which they depend, directly or not. A flag that is not live ends its branch. */
export function closureOf(
  flags: readonly CompiledFlag[],
  byId: ReadonlyMap<number, CompiledFlag>,
  isLive: (flag: CompiledFlag) => boolean,
): ReadonlySet<CompiledFlag> {
  const closure = new Set(flags)
  // The set grows while it is walked.
  for (const flag of closure) {
    if (!isLive(flag)) continue
    for (const id of flag.dependencies) {
      const target = byId.get(id)
      if (target !== undefined) closure.add(target)
    }
  }
  return closure
}
