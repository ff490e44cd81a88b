// Compiles the operator and the value of a property filter to a test.
import type { MatchingVersion } from '../compile/definitions'
import { matchesAbsence, type PropertyOperator } from './operators'
import type { JsonValue } from '../../json'
import { parseSemver } from '../values/semver'
import { compileSemver, type SemverOperator } from '../values/semver-range'
import { requestEngines } from '../regex/load-engines'
import { regexCache } from '../regex/regex-cache'
import { propertyText, textOf } from '../values/text'
import { type Matcher, type PropertyTest, readingSteps, spendFor } from './property-test'
import { dateMatcher } from './dates'
import { equalityMatcher } from './equality'
import { numberMatcher, rangeMatcher } from './numbers'
import { containsAnyMatcher, textMatcher } from './text'

const never: Matcher = () => false
const always: Matcher = () => true

/**
 * Returns the test of a filter on a property (docs/reference/evaluation.md#values). Nothing here throws: a value that an operator cannot
 * use makes a test that never matches.
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
    case 'not_between':
      return rangeMatcher(operator, value)
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
      // Membership and dependencies have their own filters. On a property these operators mean nothing.
      return never
  }
}

/** Returns the test of a pattern. When the search has no result, neither operator matches. */
function regexMatcher(filter: JsonValue, wanted: boolean): Matcher {
  const pattern = textOf(filter)
  requestEngines(pattern)
  return (value, { budget }) => regexCache.search(pattern, propertyText(value), budget) === wanted
}

/** Returns the test of a version operator. An invalid version never matches, not even with `semver_neq`. */
function semverMatcher(operator: SemverOperator, filter: JsonValue): Matcher {
  const requirement = textOf(filter)
  const test = compileSemver(operator, requirement)
  if (test === null) return never
  // Each requirement of a range is compared with the version, at worst identifier by identifier.
  const comparators = requirement.split(',').length
  return (value, context) => {
    const text = propertyText(value)
    if (!spendFor(readingSteps(text.length * comparators + requirement.length), context)) return false
    const version = parseSemver(text)
    return version !== null && test(version)
  }
}

const negate =
  (matcher: Matcher): Matcher =>
  (value, context) =>
    !matcher(value, context)
