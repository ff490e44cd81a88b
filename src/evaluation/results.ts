// Results of evaluations, cached for each flag.
import { ownValue, type JsonObject, type JsonValue } from '../json'

/** The reasons that an evaluation itself gives, strongest first (docs/reference/evaluation.md#reasons). */
export type ReasonCode =
  | 'super_condition_value'
  | 'holdout_condition_value'
  | 'condition_match'
  | 'out_of_rollout_bound'
  | 'no_condition_match'
  | 'no_group_type'
  | 'flag_disabled'
  | 'missing_dependency'

/** The codes of a flag that could not be evaluated. */
export type FailureCode =
  | 'data_parsing_error'
  | 'cohort_filters_parsing_error'
  | 'dependency_not_found_cohort'
  | 'dependency_cycle_cohort'
  | 'timeout'

/** Why a `no_condition_match` may be less certain than it seems. It is part of the description only, never of the code. */
export type Caveat = 'unsupported_cohort' | 'missing_group'

/** The result of a flag. It is frozen, and shared by all subjects with the same result. */
export interface FlagResult {
  /** The variant when one was assigned. Otherwise, whether the flag is on. */
  readonly value: boolean | string
  readonly enabled: boolean
  readonly variant: string | null
  readonly reason: {
    readonly code: ReasonCode | FailureCode
    /** Position in `filters.groups` as stored. It is null where no condition decided. */
    readonly condition_index: number | null
  }
  /** The payload exactly as stored, or null when there is none. `hasPayload` distinguishes a stored null. */
  readonly payload: JsonValue
  readonly hasPayload: boolean
  /** Whether evaluation failed; the response then has `errorsWhileComputingFlags`. */
  readonly failed: boolean
  readonly caveat: Caveat | null
}

/**
 * Maximum cached results of a flag. A flag with many conditions and variants has their product, which would fill the memory of an
 * isolate.
 */
export const MAX_CACHED_RESULTS = 32

/**
 * The results of one flag. Each is created when it is first needed, so that further subjects allocate nothing. Above MAX_CACHED_RESULTS
 * it is created each time.
 */
export class ResultTable {
  readonly #payloads: JsonObject
  readonly #variants: readonly string[]
  /** Results by condition and variant. Each condition has a position for every variant, after the first for none. */
  readonly #matches: FlagResult[] = []
  readonly #rolledOut: FlagResult[] = []
  readonly #unmatched: FlagResult[] = []
  #others: Map<string, FlagResult> | null = null
  #cached = 0

  constructor(payloads: JsonObject, variants: readonly string[]) {
    this.#payloads = payloads
    this.#variants = variants
  }

  /** Returns the result when condition `index` matched; `variant` is the position of the assigned one, or -1. */
  match(index: number, variant: number): FlagResult {
    const place = index * (this.#variants.length + 1) + variant + 1
    const known = this.#matches[place]
    if (known !== undefined) return known
    const result = this.#on('condition_match', index, this.#variants[variant] ?? null)
    if (this.#mayCache()) this.#matches[place] = result
    return result
  }

  /** Returns the result of a subject in the holdout. */
  holdout(variant: string): FlagResult {
    return this.#other(`holdout:${variant}`, () => this.#on('holdout_condition_value', null, variant))
  }

  /** Returns the result of a subject who enrolled or opted out. Even an opt-out has the payload of `true`. */
  enrollment(enrolled: boolean): FlagResult {
    return this.#other(`enrollment:${enrolled}`, () => ({
      ...off('super_condition_value', 0),
      ...this.#payloadOf('true'),
      value: enrolled,
      enabled: enrolled,
    }))
  }

  /** Returns the result when all filters matched, but the rollout did not include the subject. */
  rolledOut(index: number): FlagResult {
    return this.#rolledOut[index] ?? this.#cacheOff(this.#rolledOut, 'out_of_rollout_bound', index)
  }

  /** Returns the result when the last condition failed by its filters, and no reason is stronger. */
  unmatched(index: number, caveat: Caveat | null): FlagResult {
    if (caveat !== null) return this.miss('no_condition_match', index, caveat)
    return this.#unmatched[index] ?? this.#cacheOff(this.#unmatched, 'no_condition_match', index)
  }

  /** Returns any other result that is off; `index` is the condition of the reason, or null. */
  miss(code: ReasonCode, index: number | null, caveat: Caveat | null = null): FlagResult {
    return this.#other(`${code}:${index}:${caveat}`, () => ({ ...off(code, index), caveat }))
  }

  /** Returns the result of a flag that could not be evaluated. */
  failure(code: FailureCode | ReasonCode): FlagResult {
    return this.#other(`failed:${code}`, () => ({ ...off(code, null), failed: true }))
  }

  #on(code: ReasonCode, index: number | null, variant: string | null): FlagResult {
    return Object.freeze({
      ...off(code, index),
      ...this.#payloadOf(variant ?? 'true'),
      value: variant ?? true,
      enabled: true,
      variant,
    })
  }

  #payloadOf(key: string): Pick<FlagResult, 'payload' | 'hasPayload'> {
    const payload = ownValue(this.#payloads, key)
    return { payload: payload ?? null, hasPayload: payload !== undefined }
  }

  #other(name: string, make: () => FlagResult): FlagResult {
    const known = this.#others?.get(name)
    if (known !== undefined) return known
    const result = Object.freeze(make())
    if (this.#mayCache()) (this.#others ??= new Map()).set(name, result)
    return result
  }

  #cacheOff(results: FlagResult[], code: ReasonCode, index: number): FlagResult {
    const result = Object.freeze(off(code, index))
    if (this.#mayCache()) results[index] = result
    return result
  }

  #mayCache(): boolean {
    if (this.#cached >= MAX_CACHED_RESULTS) return false
    this.#cached += 1
    return true
  }
}

const off = (code: FlagResult['reason']['code'], index: number | null): FlagResult => ({
  value: false,
  enabled: false,
  variant: null,
  reason: Object.freeze({ code, condition_index: index }),
  payload: null,
  hasPayload: false,
  failed: false,
  caveat: null,
})

/** The result of every flag that is left out of an evaluation. */
export const FLAG_DISABLED: FlagResult = Object.freeze(off('flag_disabled', null))
