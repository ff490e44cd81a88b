// The definitions that evaluation reads, in the shape in which they are stored.
import type { FailureCode } from '../results'
import type { JsonValue } from '../../json'

/**
 * A flag as it is stored. `filters` is checked when the set is compiled. When it does not parse, that flag fails, and no other. A
 * dependency on another flag is a property `{type: 'flag', key: '<flag id>', operator: 'flag_evaluates_to', value}`:
 * docs/reference/evaluation.md#dependencies.
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
  /** The runtime: `all`, `client` or `server`. Anything else counts as `all`. */
  readonly evaluation_runtime?: string | null
  /** The identifier for percentages: `device_id`, or the distinct id for any other value. */
  readonly bucketing_identifier?: string | null
  readonly evaluation_contexts?: readonly string[] | null
  readonly has_encrypted_payloads?: boolean | null
}

/**
 * A cohort as it is stored. A dynamic one has `filters.properties`, or an older one only `groups`: docs/reference/evaluation.md#cohorts.
 */
export interface CohortDefinition {
  readonly id: number
  readonly is_static: boolean
  readonly deleted?: boolean | null
  readonly filters?: unknown
  readonly groups?: unknown
}

/** Everything of a project that evaluation reads. */
export interface FlagSet<Definition extends FlagDefinition = FlagDefinition> {
  readonly flags: readonly Definition[]
  readonly cohorts: readonly CohortDefinition[]
  /** Names of group types by their index as text. */
  readonly group_type_mapping: Readonly<Record<string, string>>
  /** How `exact` treats boolean-like filters: 1 is legacy, and 2 explicit (docs/reference/evaluation.md#equality). */
  readonly property_matching_version: MatchingVersion
}

export type MatchingVersion = 1 | 2

/** Thrown for a definition that does not parse. `code` is the reason code with which a flag then fails. */
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
  /** The token as stored. It is null when absent, which means `exact`, or `in` on a cohort. */
  readonly operator: string | null
  /** It is null when absent. */
  readonly value: JsonValue
  readonly groupTypeIndex: number | null
  readonly negated: boolean
}
