// The compiled form of a set of definitions.
import type { CohortRelation, CompiledCohort } from './cohorts'
import type { FlagDefinition, StoredFilter } from './definitions'
import type { PropertyTest } from '../matchers/property-test'
import type { FailureCode, ResultTable } from '../results'
import type { JsonValue } from '../../json'

/**
 * The definitions of a project, compiled. The set is immutable, and safe to share between requests. Definitions are kept as they came:
 * `Definition` is whatever the caller knows of a flag besides evaluating it.
 */
export interface CompiledFlagSet<Definition extends FlagDefinition = FlagDefinition> {
  /** All flags that are not deleted, in the order of the definitions. */
  readonly flags: readonly CompiledFlag<Definition>[]
  readonly byKey: ReadonlyMap<string, CompiledFlag<Definition>>
  readonly byId: ReadonlyMap<number, CompiledFlag<Definition>>
  /**
   * Flags in an order in which each comes after those on which it depends. Flags in a cycle, and those that depend on one, are in
   * `unordered`.
   */
  readonly ordered: readonly CompiledFlag<Definition>[]
  readonly unordered: readonly CompiledFlag<Definition>[]
  readonly cohorts: ReadonlyMap<number, CompiledCohort>
  readonly groupTypes: ReadonlyMap<number, string>
}

export interface CompiledFlag<Definition extends FlagDefinition = FlagDefinition> {
  readonly definition: Definition
  readonly key: string
  /** The key and a dot, with which every hash of the flag begins. */
  readonly prefix: string
  readonly results: ResultTable
  /** The code with which every evaluation fails. It is null unless the flag's filters do not parse. */
  readonly problem: FailureCode | null
  readonly conditions: readonly CompiledCondition[]
  /** The upper boundaries of the variants in stored order. The list is empty for a boolean flag. */
  readonly boundaries: readonly number[]
  readonly aggregation: number | null
  readonly holdout: { readonly percentage: number; readonly variant: string } | null
  /** The person property that decides enrollment, or null when the flag has none. */
  readonly enrollmentKey: string | null
  readonly earlyExit: boolean
  readonly byDevice: boolean
  readonly continuity: boolean
  /** Ids of the flags to which its filters refer, each once. */
  readonly dependencies: readonly number[]
}

export interface CompiledCondition {
  readonly index: number
  /** Filters that are not about cohorts. They are checked first, in stored order. */
  readonly filters: readonly CompiledFilter[]
  /** Filters on cohorts. They are checked only when the others hold. */
  readonly cohorts: readonly CohortFilter[]
  /** The code of the first of `cohorts` that cannot be evaluated. */
  readonly cohortProblem: FailureCode | null
  /** All filters in stored order, for explanations. */
  readonly all: readonly CompiledFilter[]
  readonly percentage: number
  /** The key of the variant override, as stored. */
  readonly override: string | null
  /** The position of the variant that the override names. It is -1 when there is none. */
  readonly pinned: number
  readonly aggregation: number | null
}

export type CompiledFilter = PersonFilter | GroupFilter | FlagFilter | CohortFilter

interface Compiled {
  readonly stored: StoredFilter
}

export interface PersonFilter extends Compiled {
  readonly kind: 'person'
  readonly key: string
  /** Whether every object inherits something under the key, so that only an own property may be read. */
  readonly inherited: boolean
  readonly test: PropertyTest
}

export interface GroupFilter extends Compiled {
  readonly kind: 'group'
  readonly key: string
  readonly groupIndex: number | null
  readonly test: PropertyTest
}

export interface FlagFilter extends Compiled {
  readonly kind: 'flag'
  readonly target: number
  /** True, false or the key of a variant. Any other value never matches. */
  readonly wanted: JsonValue
  /** Whether the operator is the one that dependencies have. */
  readonly supported: boolean
}

export interface CohortFilter extends Compiled {
  readonly kind: 'cohort'
  readonly id: number
  readonly relation: CohortRelation
}
