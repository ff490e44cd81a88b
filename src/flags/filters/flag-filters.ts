// The `filters` document of a flag: who gets it, and with which value.
import type * as z from 'zod'
import { invalid } from '../../errors'
import { isObject, type JsonObject } from '../../json'
import { PROPERTY_OPERATORS } from '../../evaluation/matchers/operators'
import type { ConditionSet as ConditionSetSchema, Filters, PropertyFilter } from './schema'

export type Property = z.output<typeof PropertyFilter>
export type ConditionSet = z.output<typeof ConditionSetSchema>
export type FlagFilters = z.output<typeof Filters>

/** Operators of analytics, with which no flag may be written. */
export const ANALYTICS_OPERATORS: ReadonlySet<string> = new Set([
  'between',
  'not_between',
  'is_cleaned_path_exact',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
])

/** The operators with which a flag may be written. */
export const OPERATORS: ReadonlySet<string> = new Set(
  PROPERTY_OPERATORS.filter((operator) => !ANALYTICS_OPERATORS.has(operator)),
)

/** Returns the variants of a flag. A boolean flag has none. */
export const variantsOf = (filters: FlagFilters) => filters.multivariate?.variants ?? []

/** Returns the texts to which a flag may evaluate: its variants, and that of its holdout. */
export const textsOf = (filters: FlagFilters): string[] => [
  ...variantsOf(filters).map(({ key }) => key),
  ...(filters.holdout ? [`holdout-${filters.holdout.id}`] : []),
]

/** Yields every property of every condition set, with its position. */
export function* propertiesOf(
  filters: FlagFilters,
): Generator<{ property: Property; group: number; index: number }> {
  for (const [group, { properties }] of filters.groups.entries()) {
    for (const [index, property] of (properties ?? []).entries()) yield { property, group, index }
  }
}

/** Returns the properties of filters that are not validated. Malformed parts have none. */
export const propertiesIn = (filters: unknown): JsonObject[] =>
  listIn(isObject(filters) ? filters.groups : null)
    .flatMap((set) => listIn(isObject(set) ? set.properties : null))
    .filter(isObject)

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @throws 400, attr `filters`. */
export function reject(detail: string, code?: string): never {
  throw invalid('filters', detail, code)
}
