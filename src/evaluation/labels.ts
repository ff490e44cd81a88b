// The words of an explanation: how each operator reads when it holds, and when it does not.

import type { PropertyOperator } from './operators'

/** What stands between a property and the filter's value. */
type Labels = readonly [matched: string, unmatched: string]

const EQUALS: Labels = ['equals', 'does not equal']
const CONTAINS: Labels = ['contains', 'does not contain']
const REGEX: Labels = ['matches regex', 'does not match regex']
const IN: Labels = ['is in', 'is not in']
const SET: Labels = ['is set', 'is not set']

const UNSAID: Labels = ['exact', 'does not match']

const reversed = ([matched, unmatched]: Labels): Labels => [unmatched, matched]

/** The label of an operator, null for a filter that has none (flags-api reference §11). */
export function labelOf(operator: PropertyOperator | null, matched: boolean): string {
  const labels = operator === null ? UNSAID : labelsOf(operator)
  return matched ? labels[0] : labels[1]
}

function labelsOf(operator: PropertyOperator): Labels {
  switch (operator) {
    case 'exact':
      return EQUALS
    case 'is_not':
      return reversed(EQUALS)
    case 'icontains':
      return CONTAINS
    case 'not_icontains':
      return reversed(CONTAINS)
    case 'regex':
      return REGEX
    case 'not_regex':
      return reversed(REGEX)
    case 'gt':
      return ['>', '<=']
    case 'gte':
      return ['>=', '<']
    case 'lt':
      return ['<', '>=']
    case 'lte':
      return ['<=', '>']
    case 'in':
      return IN
    case 'not_in':
      return reversed(IN)
    case 'is_set':
      return SET
    case 'is_not_set':
      return reversed(SET)
    case 'flag_evaluates_to':
      return ['evaluates to', 'does not evaluate to']
    case 'icontains_multi':
    case 'not_icontains_multi':
    case 'starts_with':
    case 'not_starts_with':
    case 'ends_with':
    case 'not_ends_with':
    case 'between':
    case 'not_between':
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
    case 'semver_eq':
    case 'semver_neq':
    case 'semver_gt':
    case 'semver_gte':
    case 'semver_lt':
    case 'semver_lte':
    case 'semver_tilde':
    case 'semver_caret':
    case 'semver_wildcard':
      return [operator, 'does not match']
  }
}
