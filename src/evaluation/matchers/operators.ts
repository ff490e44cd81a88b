// The operators of property filters, and the results of an absent property.
import { SEMVER_OPERATORS } from '../values/semver-range'

/** Every operator of the API. Anything else does not parse. */
export const PROPERTY_OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'icontains_multi',
  'not_icontains_multi',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'not_between',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
  ...SEMVER_OPERATORS,
  'in',
  'not_in',
  'flag_evaluates_to',
] as const
export type PropertyOperator = (typeof PROPERTY_OPERATORS)[number]

const KNOWN: ReadonlySet<string> = new Set(PROPERTY_OPERATORS)

/** Whether a stored token is an operator of the API. */
export const isPropertyOperator = (token: string): token is PropertyOperator => KNOWN.has(token)

/** Operators that an absent property satisfies. `semver_neq` is not one of them. */
const SATISFIED_BY_ABSENCE: ReadonlySet<PropertyOperator> = new Set<PropertyOperator>([
  'is_not',
  'not_icontains',
  'not_icontains_multi',
  'not_starts_with',
  'not_ends_with',
  'not_regex',
  'not_between',
  'is_not_set',
])

export const matchesAbsence = (operator: PropertyOperator): boolean => SATISFIED_BY_ABSENCE.has(operator)
