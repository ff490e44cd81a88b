// The properties, memberships and overrides that must be known before a flag can be evaluated. They are computed once a flag set, so that
// a request that sends everything needs no query. Each flag and each cohort has its own requirements only: with those of the flags on
// which a flag depends, and of the cohorts that it reads, they would grow with the product of flags and cohorts.
import type { CohortNode, CompiledCohort } from './compile/cohorts'
import type { CompiledFlag, CompiledFlagSet } from './compile/compiled'
import { closureOf } from './compile/dependency-order'
import { needsHash } from './conditions'

export interface Requirements {
  /** Person properties that may decide. */
  readonly personKeys: ReadonlySet<string>
  /** Group properties that may decide, by the index of the group type. */
  readonly groupKeys: ReadonlyMap<number, ReadonlySet<string>>
  /** Whether a static cohort may decide, which a request cannot send. */
  readonly needsRecord: boolean
  /** Whether an identifier that was stored for the person may decide. */
  readonly needsContinuity: boolean
  /** Cohorts that may decide. Their own requirements are not among these. */
  readonly cohorts: ReadonlySet<number>
}

const NOTHING: Requirements = {
  personKeys: new Set(),
  groupKeys: new Map(),
  needsRecord: false,
  needsContinuity: false,
  cohorts: new Set(),
}

export type RequirementsByFlag = ReadonlyMap<CompiledFlag, Requirements>

/** Requirements by cohort, without cohorts that have a problem, because flags fail by those for any person. */
export type RequirementsByCohort = ReadonlyMap<number, Requirements>

/**
 * Returns the requirements of each flag by itself. Flags that are off for everyone require nothing.
 * @param known requirements of unchanged flags
 */
export const requirementsOf = (set: CompiledFlagSet, known?: RequirementsByFlag): RequirementsByFlag =>
  new Map(
    set.flags.map((flag) => [flag, known?.get(flag) ?? (isOff(flag) ? NOTHING : ownRequirements(flag))]),
  )

/** Returns the requirements of each cohort by itself. */
export const cohortRequirementsOf = ({ cohorts }: CompiledFlagSet): RequirementsByCohort =>
  new Map(
    [...cohorts.values()]
      .filter(({ problem }) => problem === null)
      .map((cohort) => [cohort.id, requirementsOfCohort(cohort)]),
  )

/** Returns the requirements of all flags together, with those of the cohorts that any of them reads, directly or not. */
export function requirementsTogether(
  byFlag: RequirementsByFlag,
  byCohort: RequirementsByCohort,
): Requirements {
  const own = merge([...byFlag.values()])
  const reached = new Set(own.cohorts)
  // The set grows while it is walked.
  for (const id of reached) for (const next of byCohort.get(id)?.cohorts ?? []) reached.add(next)
  const ofCohorts = [...reached].map((id) => byCohort.get(id) ?? NOTHING)
  return { ...merge([own, ...ofCohorts]), cohorts: NOTHING.cohorts }
}

/**
 * Extends a check of requirements to the cohorts among them. Each is checked once, however many flags read it.
 * @param isSettled whether the request has what a flag or a cohort itself requires
 */
export function withCohorts(
  byCohort: RequirementsByCohort,
  isSettled: (wanted: Requirements) => boolean,
): (wanted: Requirements) => boolean {
  const known = new Map<number, boolean>()
  const isCohortSettled = (id: number): boolean => {
    let settled = known.get(id)
    if (settled === undefined) known.set(id, (settled = isWholeSettled(byCohort.get(id) ?? NOTHING)))
    return settled
  }
  const isWholeSettled = (wanted: Requirements): boolean => {
    if (!isSettled(wanted)) return false
    for (const id of wanted.cohorts) if (!isCohortSettled(id)) return false
    return true
  }
  return isWholeSettled
}

/**
 * Returns those of the flags that cannot be evaluated, because of their own requirements or those of one on which they depend. It takes
 * one pass.
 * @param flags selected ones, or all: flags that are left out are off
 * @param isSettled whether the request has what a flag itself requires
 */
export function unsettledFlags(
  { ordered, unordered, byId }: Pick<CompiledFlagSet, 'ordered' | 'unordered' | 'byId'>,
  requirements: ReadonlyMap<CompiledFlag, Requirements>,
  isSettled: (wanted: Requirements) => boolean,
): ReadonlySet<CompiledFlag> {
  const unsettled = new Set<CompiledFlag>()
  const isOpen = (flag: CompiledFlag): boolean =>
    !isSettled(requirements.get(flag) ?? NOTHING) ||
    (!isOff(flag) && flag.dependencies.some((id) => unsettled.has(byId.get(id)!)))
  // Each flag comes after those on which it depends.
  for (const flag of ordered) if (isOpen(flag)) unsettled.add(flag)
  // Flags of a cycle can be evaluated when one of them is off, or left out of the request. They have no order, so that all are unsettled
  // if one is.
  const cyclic = closureOf(unordered, byId, (flag) => !isOff(flag))
  if ([...cyclic].some(isOpen)) for (const flag of unordered) unsettled.add(flag)
  return unsettled
}

/** Whether a flag is false for everyone. */
const isOff = ({ definition }: CompiledFlag): boolean =>
  !definition.active || definition.archived === true || definition.has_encrypted_payloads === true

function merge(all: readonly Requirements[]): Requirements {
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
    cohorts: new Set(all.flatMap(({ cohorts }) => [...cohorts])),
  }
}

function ownRequirements(flag: CompiledFlag): Requirements {
  const personKeys = new Set<string>(flag.enrollmentKey === null ? [] : [flag.enrollmentKey])
  const groupKeys = new Map<number, Set<string>>()
  const cohorts = new Set<number>()
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
        case 'cohort':
          cohorts.add(filter.id)
          break
        case 'flag':
          break
      }
    }
  }
  const needsContinuity =
    flag.continuity &&
    !flag.byDevice &&
    flag.conditions.some((condition) => condition.aggregation === null && needsHash(flag, condition))
  return { ...NOTHING, personKeys, groupKeys, needsContinuity, cohorts }
}

function requirementsOfCohort({ root }: CompiledCohort): Requirements {
  if (root === null) return { ...NOTHING, needsRecord: true }
  const personKeys = new Set<string>()
  const cohorts = new Set<number>()
  const visit = (node: CohortNode): void => {
    switch (node.kind) {
      case 'all':
      case 'any':
        return node.children.forEach(visit)
      case 'person':
        personKeys.add(node.key)
        return
      case 'cohort':
        cohorts.add(node.id)
        return
      case 'unsupported':
        return
    }
  }
  visit(root)
  return { ...NOTHING, personKeys, cohorts }
}
