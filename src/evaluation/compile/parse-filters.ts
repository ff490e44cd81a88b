// Parses the stored `filters` of a flag.
import { DefinitionError, type StoredFilter } from './definitions'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'

/** A flag's filters after their fields were checked. Legacy and unknown keys are left out. */
export interface StoredFilters {
  readonly conditions: readonly StoredCondition[]
  readonly variants: readonly StoredVariant[]
  readonly payloads: JsonObject
  readonly aggregation: number | null
  readonly holdout: { readonly id: number; readonly exclusionPercentage: number } | null
  readonly enrollment: boolean
  readonly earlyExit: boolean
}

/** One condition set (`groups[i]`). */
export interface StoredCondition {
  readonly properties: readonly StoredFilter[]
  /** The percentage from 0 to 100. It is 100 when absent. */
  readonly percentage: number
  /** The override as stored, whether or not such a variant exists. */
  readonly variant: string | null
  /**
   * The index of a group type, or null for persons. It is undefined when the key is absent: the flag's own aggregation then applies
   * (docs/reference/evaluation.md#groups).
   */
  readonly aggregation: number | null | undefined
}

export interface StoredVariant {
  readonly key: string
  readonly percentage: number
}

/** @throws DefinitionError for a field of a type that evaluation cannot use */
export function parseFilters(stored: unknown): StoredFilters {
  const filters = objectOf(stored ?? {}, 'filters')
  const multivariate = filters.multivariate ?? null
  return {
    conditions: listOf(filters.groups, 'groups').map(parseCondition),
    variants: multivariate === null ? [] : parseVariants(objectOf(multivariate, 'multivariate').variants),
    payloads: objectOf(filters.payloads ?? {}, 'payloads'),
    aggregation: indexOf(filters.aggregation_group_type_index, 'aggregation_group_type_index'),
    holdout: parseHoldout(filters.holdout ?? null),
    enrollment: filters.feature_enrollment === true,
    earlyExit: filters.early_exit === true,
  }
}

function parseCondition(stored: JsonValue): StoredCondition {
  const group = objectOf(stored, 'group')
  return {
    properties: listOf(group.properties, 'properties').map(parseProperty),
    percentage: numberOr(group.rollout_percentage, 100, 'rollout_percentage'),
    variant: textOrNull(group.variant, 'variant'),
    aggregation: Object.hasOwn(group, 'aggregation_group_type_index')
      ? indexOf(group.aggregation_group_type_index, 'aggregation_group_type_index')
      : undefined,
  }
}

/** Checks the fields that every property filter has, in a flag and in a cohort. The caller checks its type. */
export function parseProperty(stored: JsonValue): StoredFilter {
  const property = objectOf(stored, 'property')
  const key = typeof property.key === 'number' ? String(property.key) : property.key
  if (typeof key !== 'string') throw parsingError('a property has no key')
  return {
    key,
    type: textOrNull(property.type, 'type') ?? 'person',
    operator: textOrNull(property.operator, 'operator'),
    value: property.value ?? null,
    groupTypeIndex: indexOf(property.group_type_index, 'group_type_index'),
    negated: property.negation === true,
  }
}

function parseVariants(stored: JsonValue | undefined): readonly StoredVariant[] {
  return listOf(stored, 'variants').map((entry) => {
    const variant = objectOf(entry, 'variant')
    if (typeof variant.key !== 'string') throw parsingError('a variant has no key')
    return { key: variant.key, percentage: numberOr(variant.rollout_percentage, 0, 'rollout_percentage') }
  })
}

function parseHoldout(stored: JsonValue): StoredFilters['holdout'] {
  if (stored === null) return null
  const holdout = objectOf(stored, 'holdout')
  if (typeof holdout.id !== 'number') throw parsingError('the holdout has no id')
  const percentage = numberOr(holdout.exclusion_percentage, 0, 'exclusion_percentage')
  return { id: holdout.id, exclusionPercentage: Math.min(Math.max(percentage, 0), 100) }
}

function objectOf(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value
  throw parsingError(`${what} is not an object`)
}

function listOf(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  if (isArray(value)) return value
  throw parsingError(`${what} is not a list`)
}

function numberOr(value: JsonValue | undefined, otherwise: number, what: string): number {
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'number') return value
  throw parsingError(`${what} is not a number`)
}

function indexOf(value: JsonValue | undefined, what: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw parsingError(`${what} is not an integer`)
}

function textOrNull(value: JsonValue | undefined, what: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  throw parsingError(`${what} is not a string`)
}

const parsingError = (message: string): DefinitionError => new DefinitionError('data_parsing_error', message)
