// The properties, memberships and overrides that must be known before a flag can be evaluated. Computed once a
// flag set, so that a request that sends everything needs no query. Each flag has its own requirements only: those of the
// flags that it depends on would grow with the square of a chain of dependencies.
import type { CohortNode } from './compile/cohorts'
import type { CompiledFlag, CompiledFlagSet } from './compile/compiled'
import { closureOf } from './compile/dependency-order'

export interface Requirements {
  /** Person properties that decide. */
  readonly personKeys: ReadonlySet<string>
  /** Group type index to the properties of such a group that decide. */
  readonly groupKeys: ReadonlyMap<number, ReadonlySet<string>>
  /** A static cohort, or the person's record itself, decides: nothing that a request could send. */
  readonly needsRecord: boolean
  /** An identifier that was stored for the person may decide. */
  readonly needsContinuity: boolean
}

const NOTHING: Requirements = {
  personKeys: new Set(),
  groupKeys: new Map(),
  needsRecord: false,
  needsContinuity: false,
}

export type RequirementsByFlag = ReadonlyMap<CompiledFlag, Requirements>

/**
 * Requirements of each flag by itself. Flags that are off for everyone require nothing.
 * @param known of flags in a set with the same cohorts.
 */
export const requirementsOf = (set: CompiledFlagSet, known?: RequirementsByFlag): RequirementsByFlag =>
  new Map(
    set.flags.map((flag) => [flag, known?.get(flag) ?? (isOff(flag) ? NOTHING : ownRequirements(flag, set))]),
  )

/**
 * The flags that cannot be evaluated, by their own requirements or by those of a flag that they depend on. One pass over the set.
 * @param isSettled whether the request has what a flag itself requires.
 */
export function unsettledFlags(
  set: CompiledFlagSet,
  requirements: ReadonlyMap<CompiledFlag, Requirements>,
  isSettled: (wanted: Requirements) => boolean,
): ReadonlySet<CompiledFlag> {
  const unsettled = new Set<CompiledFlag>()
  const isOpen = (flag: CompiledFlag): boolean =>
    !isSettled(requirements.get(flag) ?? NOTHING) ||
    (!isOff(flag) && flag.dependencies.some((id) => unsettled.has(set.byId.get(id)!)))
  // Each flag comes after those it depends on.
  for (const flag of set.ordered) if (isOpen(flag)) unsettled.add(flag)
  // Flags of a cycle can be evaluated when one of them is off, or left out of the request. They have no order: if one is unsettled, all are.
  const cyclic = closureOf(set.unordered, set.byId, (flag) => !isOff(flag))
  if ([...cyclic].some(isOpen)) for (const flag of set.unordered) unsettled.add(flag)
  return unsettled
}

/** Whether a flag is false for all (reference §0.1). */
const isOff = ({ definition }: CompiledFlag): boolean =>
  !definition.active || definition.archived === true || definition.has_encrypted_payloads === true

/** Merges the requirements of several flags. */
export function merge(all: readonly Requirements[]): Requirements {
  if (all.length === 1) return all[0]!
  const groupKeys = new Map<number, Set<string>>()
  for (const { groupKeys: each } of all) {
    for (const [index, keys] of each) {
      const joined = groupKeys.get(index) ?? new Set()
      for (const key of keys) joined.add(key)
      groupKeys.set(index, joined)
    }
  }
  return {
    personKeys: new Set(all.flatMap(({ personKeys }) => [...personKeys])),
    groupKeys,
    needsRecord: all.some(({ needsRecord }) => needsRecord),
    needsContinuity: all.some(({ needsContinuity }) => needsContinuity),
  }
}

function ownRequirements(flag: CompiledFlag, set: CompiledFlagSet): Requirements {
  const personKeys = new Set<string>(flag.enrollmentKey === null ? [] : [flag.enrollmentKey])
  const groupKeys = new Map<number, Set<string>>()
  const cohorts = new Set<number>()
  let needsRecord = false
  for (const condition of flag.conditions) {
    for (const filter of condition.all) {
      switch (filter.kind) {
        case 'person':
          personKeys.add(filter.key)
          break
        case 'group': {
          const index = filter.groupIndex ?? condition.aggregation
          if (index === null) break
          groupKeys.set(index, (groupKeys.get(index) ?? new Set()).add(filter.key))
          break
        }
        case 'metadata':
          needsRecord = true
          break
        case 'cohort':
          cohorts.add(filter.id)
          break
        case 'flag':
          break
      }
    }
  }
  const visitNode = (node: CohortNode): void => {
    switch (node.kind) {
      case 'all':
      case 'any':
        return node.children.forEach(visitNode)
      case 'person':
        personKeys.add(node.key)
        return
      case 'cohort':
        return visitCohort(node.id)
      case 'unsupported':
        return
    }
  }
  const seen = new Set<number>()
  const visitCohort = (id: number): void => {
    if (seen.has(id)) return
    seen.add(id)
    const cohort = set.cohorts.get(id)
    if (!cohort || cohort.problem !== null) return
    if (cohort.root === null) needsRecord = true
    else visitNode(cohort.root)
  }
  for (const id of cohorts) visitCohort(id)
  return { personKeys, groupKeys, needsRecord, needsContinuity: flag.continuity }
}
