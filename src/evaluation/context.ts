// The state of an evaluation: one subject at one time.
import type { CohortNode, CompiledCohort } from './compile/cohorts'
import type { CompiledFlagSet } from './compile/compiled'
import { EvaluationBudget } from './budget'
import type { MatchContext, EvaluationTime } from './matchers/property-test'
import { matchesProperty } from './matchers/property-test'
import type { FlagResult } from './results'
import { isObject, ownValue, type JsonObject, type JsonValue } from '../json'
import { textOf } from './values/text'

/**
 * The person for whom flags are evaluated. Property maps are complete: the subject does not have a property whose key is absent.
 * `property-maps.ts` builds them from stored and sent properties.
 */
export interface Subject {
  readonly distinctId: string
  /** The id from before the person was known, for flags with continuity. */
  readonly anonDistinctId?: string | null
  /** The device id, for flags that bucket by device. An empty one counts as unknown. */
  readonly deviceId?: string | null
  readonly personProperties: JsonObject
  /** Group keys by the name of the group type. Only non-empty strings and numbers are keys. */
  readonly groups?: JsonObject
  /** Property maps of groups by the name of the group type. */
  readonly groupProperties?: Readonly<Record<string, JsonObject>>
  /** Ids of the static cohorts of which the person is a member. */
  readonly staticCohorts?: ReadonlySet<number>
  /** Identifiers that continuity stored for this person, by flag key. */
  readonly continuityOverrides?: ReadonlyMap<string, string>
}

const NO_PROPERTIES: JsonObject = Object.freeze({})

/** Units of a group's key that cost no steps. Stored keys have at most 400. */
const FREE_KEY_UNITS = 1_000
/** Units of a longer key that cost one step. */
const KEY_UNITS_PER_STEP = 8

/** Steps of a condition or a group of a cohort. */
const STEPS_PER_COHORT_NODE = 1

/** The state of one subject at one time, for any number of flags. Groups, cohorts and dependencies are resolved at first use. */
export class EvaluationContext implements MatchContext {
  readonly set: CompiledFlagSet
  readonly now: number
  readonly timezone: string
  readonly budget: EvaluationBudget
  readonly distinctId: string
  readonly deviceId: string
  readonly person: JsonObject
  readonly subject: Subject
  /** The results so far, by flag id, for filters on other flags. */
  outcomes: Map<number, FlagResult> | null = null
  /** Whether filters on a failed flag hold, while a flag is evaluated under that hypothesis: see `failed-dependencies.ts`. */
  assumeFailedTargets = false
  private members: Map<number, boolean> | null = null
  /** Ids of cohorts for which the budget was exceeded. */
  private undecided: Set<number> | null = null

  constructor(
    set: CompiledFlagSet,
    subject: Subject,
    options: EvaluationTime & { readonly budget?: EvaluationBudget },
  ) {
    this.set = set
    this.now = options.now
    this.timezone = options.timezone
    this.budget = options.budget ?? new EvaluationBudget()
    this.subject = subject
    this.person = subject.personProperties
    this.distinctId = subject.distinctId
    this.deviceId = subject.deviceId ?? ''
  }

  /** The anonymous id of the request. It is empty when there is none. */
  get anonDistinctId(): string {
    return this.subject.anonDistinctId ?? ''
  }

  /** Returns the key of the subject's group of a type. It is empty when the subject has none, or the type does not exist. */
  groupKey(index: number): string {
    const type = this.set.groupTypes.get(index)
    const key = type === undefined ? undefined : ownValue(this.subject.groups ?? NO_PROPERTIES, type)
    if (typeof key === 'number') return textOf(key)
    if (typeof key !== 'string') return ''
    // Keys of groups are not cut, unlike ids of persons, and every group flag hashes them.
    return key.length <= FREE_KEY_UNITS || this.budget.spend(key.length / KEY_UNITS_PER_STEP) ? key : ''
  }

  /** Returns a property of the subject's group of a type. Without a map the group has no properties. */
  groupProperty(index: number | null, key: string): JsonValue | undefined {
    const type = index === null ? undefined : this.set.groupTypes.get(index)
    if (type === undefined) return undefined
    const properties = ownValue(this.subject.groupProperties ?? NO_PROPERTIES, type)
    return isObject(properties) ? ownValue(properties, key) : undefined
  }

  /** Returns false for a cohort that does not exist or has a problem. */
  isMember(id: number): boolean {
    const known = this.members?.get(id)
    if (known !== undefined) {
      if (this.undecided?.has(id)) this.budget.exceed()
      return known
    }
    const { exceeded } = this.budget
    const cohort = this.set.cohorts.get(id)
    const member = cohort !== undefined && this.#belongs(cohort)
    this.members ??= new Map()
    this.members.set(id, member)
    if (this.budget.exceeded > exceeded) (this.undecided ??= new Set()).add(id)
    return member
  }

  #belongs({ id, root, problem }: CompiledCohort): boolean {
    if (problem !== null) return false
    if (root === null) return this.subject.staticCohorts?.has(id) ?? false
    return this.#holds(root)
  }

  #holds(node: CohortNode): boolean {
    if (!this.budget.spend(STEPS_PER_COHORT_NODE)) return false
    switch (node.kind) {
      case 'all':
        return node.children.every((child) => this.#holds(child))
      case 'any':
        return node.children.some((child) => this.#holds(child))
      case 'person': {
        return matchesProperty(node.test, ownValue(this.person, node.key), this) !== node.negated
      }
      case 'cohort': {
        const matched = node.relation !== 'never' && this.isMember(node.id) === (node.relation === 'in')
        return matched !== node.negated
      }
      case 'unsupported':
        // The condition never holds, negated or not, because "did not buy" must not match everyone.
        return false
    }
  }
}
