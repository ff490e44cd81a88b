// The compiled form of a set of definitions.
import type { CohortRelation, CompiledCohort } from './cohorts'
import type { FlagDefinition, StoredFilter } from './definitions'
import type { PropertyTest } from '../matchers/property-test'
import type { FailureCode, ResultTable } from '../results'
import type { JsonValue } from '../../json'

/**
 * A whole project, compiled. Immutable, and safe to share between requests. Definitions are kept as they came: `Definition` is whatever
 * the caller knows of a flag beyond evaluating it.
 */
export interface CompiledFlagSet<Definition extends FlagDefinition = FlagDefinition> {
  /** Every flag that is not deleted, in the order of the definitions. */
  readonly flags: readonly CompiledFlag<Definition>[]
  readonly byKey: ReadonlyMap<string, CompiledFlag<Definition>>
  readonly byId: ReadonlyMap<number, CompiledFlag<Definition>>
  /** Flags so that each comes after those it depends on. Flags in a cycle, and those behind one, are not there. */
  readonly ordered: readonly CompiledFlag<Definition>[]
  readonly unordered: readonly CompiledFlag<Definition>[]
  readonly cohorts: ReadonlyMap<number, CompiledCohort>
  readonly groupTypes: ReadonlyMap<number, string>
}

export interface CompiledFlag<Definition extends FlagDefinition = FlagDefinition> {
  readonly definition: Definition
  readonly key: string
  /** The key and a dot: what every hash of the flag begins with. */
  readonly prefix: string
  readonly results: ResultTable
  /** The code with which every evaluation fails, for a flag whose filters do not parse. */
  readonly problem: FailureCode | null
  readonly conditions: readonly CompiledCondition[]
  /** The upper boundaries of the variants in stored order; empty for a boolean flag. */
  readonly boundaries: readonly number[]
  readonly aggregation: number | null
  readonly holdout: { readonly percentage: number; readonly variant: string } | null
  /** The person property that decides enrollment, or null when the flag has none. */
  readonly enrollmentKey: string | null
  readonly earlyExit: boolean
  readonly byDevice: boolean
  readonly continuity: boolean
  /** Ids of the flags that its filters refer to, each once. */
  readonly dependencies: readonly number[]
}

export interface CompiledCondition {
  readonly index: number
  /** All but those on cohorts: checked first, in stored order. */
  readonly filters: readonly CompiledFilter[]
  /** Checked only when the others hold. */
  readonly cohorts: readonly CohortFilter[]
  /** The code of the first of `cohorts` that cannot be evaluated. */
  readonly cohortProblem: FailureCode | null
  /** Every filter, in stored order: what an explanation walks. */
  readonly all: readonly CompiledFilter[]
  readonly percentage: number
  /** The override as stored. */
  readonly override: string | null
  /** The position of the variant that the override names; -1 when there is none. */
  readonly pinned: number
  readonly aggregation: number | null
}

export type CompiledFilter = PersonFilter | GroupFilter | MetadataFilter | FlagFilter | CohortFilter

interface Compiled {
  readonly stored: StoredFilter
}

export interface PersonFilter extends Compiled {
  readonly kind: 'person'
  readonly key: string
  /** Whether every object inherits something under the key, so that only its own value may be read. */
  readonly inherited: boolean
  readonly test: PropertyTest
}

export interface GroupFilter extends Compiled {
  readonly kind: 'group'
  readonly key: string
  readonly groupIndex: number | null
  readonly test: PropertyTest
}

/** A fact about the person's record: its creation time. */
export interface MetadataFilter extends Compiled {
  readonly kind: 'metadata'
  readonly key: string
  readonly test: PropertyTest
}

export interface FlagFilter extends Compiled {
  readonly kind: 'flag'
  readonly target: number
  /** True, false or a variant key; any other value never matches. */
  readonly wanted: JsonValue
  /** False when the operator is not the one that dependencies have. */
  readonly supported: boolean
}

export interface CohortFilter extends Compiled {
  readonly kind: 'cohort'
  readonly id: number
  readonly relation: CohortRelation
}
