// Compiles the operator and the value of one property filter to a test of the property's value.

import type { MatchingVersion } from '../definitions'
import { matchesAbsence, type PropertyOperator } from '../operators'
import type { JsonValue } from '../../json'
import type { MatchContext } from './moment'
import { dateMatcher } from './dates'
import { equalityMatcher } from './equality'
import { betweenMatcher, notBetweenMatcher, numberMatcher } from './numbers'
import { regexMatcher } from './regex'
import { semverMatcher } from './versions'
import { containsAnyMatcher, textMatcher } from './text'

/** Whether a property value that is present satisfies a filter. */
export type Matcher = (value: JsonValue, context: MatchContext) => boolean

/** A compiled filter: its answer for an absent property, and its test for a present one. */
export interface PropertyTest {
  readonly absent: boolean
  readonly present: Matcher
}

const never: Matcher = () => false
const always: Matcher = () => true

/**
 * The test of a filter on a property (reference §3). Nothing here throws: a value that an operator cannot use makes a
 * test that never matches.
 * @param value the filter's value; null (or absent) never matches where the operator needs one, not even `is_not`
 */
export function compileTest(
  operator: PropertyOperator,
  value: JsonValue,
  version: MatchingVersion,
): PropertyTest {
  const absent = matchesAbsence(operator)
  if (operator === 'is_set') return { absent, present: always }
  if (operator === 'is_not_set') return { absent, present: never }
  if (value === null) return { absent: false, present: never }
  return { absent, present: presentMatcher(operator, value, version) }
}

function presentMatcher(
  operator: Exclude<PropertyOperator, 'is_set' | 'is_not_set'>,
  value: JsonValue,
  version: MatchingVersion,
): Matcher {
  switch (operator) {
    case 'exact':
      return equalityMatcher(value, version)
    case 'is_not':
      return negate(equalityMatcher(value, version))
    case 'icontains':
    case 'starts_with':
    case 'ends_with':
      return textMatcher(operator, value)
    case 'not_icontains':
      return negate(textMatcher('icontains', value))
    case 'not_starts_with':
      return negate(textMatcher('starts_with', value))
    case 'not_ends_with':
      return negate(textMatcher('ends_with', value))
    case 'icontains_multi':
      return containsAnyMatcher(value)
    case 'not_icontains_multi':
      return negate(containsAnyMatcher(value))
    case 'regex':
      return regexMatcher(value, true)
    case 'not_regex':
      return regexMatcher(value, false)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return numberMatcher(operator, value)
    case 'between':
      return betweenMatcher(value)
    case 'not_between':
      return notBetweenMatcher(value)
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return dateMatcher(operator, value)
    case 'semver_eq':
    case 'semver_neq':
    case 'semver_gt':
    case 'semver_gte':
    case 'semver_lt':
    case 'semver_lte':
    case 'semver_tilde':
    case 'semver_caret':
    case 'semver_wildcard':
      return semverMatcher(operator, value)
    case 'in':
    case 'not_in':
    case 'flag_evaluates_to':
      // Membership and dependencies have filters of their own: on a property these operators mean nothing (§3.11).
      return never
  }
}

const negate =
  (matcher: Matcher): Matcher =>
  (value, context) =>
    !matcher(value, context)
