// The definitions that evaluation reads, in the shape in which they are stored.
import type { FailureCode } from '../results'
import type { JsonValue } from '../../json'

/**
 * One flag as stored. `filters` is checked when the set is compiled: what does not parse makes that flag fail, and
 * no other. A dependency on another flag is a property `{type: 'flag', key: '<flag id>', operator:
 * 'flag_evaluates_to', value}`: docs/reference/evaluation.md#dependencies.
 */
export interface FlagDefinition {
  readonly id: number
  readonly key: string
  readonly active: boolean
  readonly archived?: boolean | null
  readonly deleted?: boolean | null
  readonly version?: number | null
  readonly filters: unknown
  readonly ensure_experience_continuity?: boolean | null
  /** `all`, `client` or `server`; anything else counts as `all`. */
  readonly evaluation_runtime?: string | null
  /** `device_id`; anything else buckets by distinct id. */
  readonly bucketing_identifier?: string | null
  readonly evaluation_contexts?: readonly string[] | null
  readonly has_encrypted_payloads?: boolean | null
}

/** One cohort as stored. Dynamic ones carry `filters.properties` or, older, only `groups`: docs/reference/evaluation.md#cohorts. */
export interface CohortDefinition {
  readonly id: number
  readonly is_static: boolean
  readonly deleted?: boolean | null
  readonly filters?: unknown
  readonly groups?: unknown
}

/** Everything of one project that evaluation can see. */
export interface FlagSet<Definition extends FlagDefinition = FlagDefinition> {
  readonly flags: readonly Definition[]
  readonly cohorts: readonly CohortDefinition[]
  /** Group type index, as text, to group type name. */
  readonly group_type_mapping: Readonly<Record<string, string>>
  /** How `exact` treats boolean-like filters: 1 legacy, 2 explicit: docs/reference/evaluation.md#equality. */
  readonly property_matching_version: MatchingVersion
}

export type MatchingVersion = 1 | 2

/** Raised for a definition that does not parse; `code` is the reason code that a flag then fails with. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A property filter as stored, after its fields were checked. */
export interface StoredFilter {
  readonly key: string
  readonly type: string
  /** The token as stored; null when absent, which means `exact` (`in` on a cohort). */
  readonly operator: string | null
  /** Null when absent. */
  readonly value: JsonValue
  readonly groupTypeIndex: number | null
  readonly negated: boolean
}
