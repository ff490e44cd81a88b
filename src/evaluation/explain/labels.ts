import type { PropertyOperator } from '../matchers/operators'

/** Between a property and the filter's value, when the filter holds, and when it does not (flags-api reference §11). */
type Labels = readonly [matched: string, unmatched: string]

const LABELS: Readonly<Partial<Record<PropertyOperator, Labels>>> = {
  exact: ['equals', 'does not equal'],
  is_not: ['does not equal', 'equals'],
  icontains: ['contains', 'does not contain'],
  not_icontains: ['does not contain', 'contains'],
  regex: ['matches regex', 'does not match regex'],
  not_regex: ['does not match regex', 'matches regex'],
  gt: ['>', '<='],
  gte: ['>=', '<'],
  lt: ['<', '>='],
  lte: ['<=', '>'],
  in: ['is in', 'is not in'],
  not_in: ['is not in', 'is in'],
  is_set: ['is set', 'is not set'],
  is_not_set: ['is not set', 'is set'],
  flag_evaluates_to: ['evaluates to', 'does not evaluate to'],
}

/** @param operator null for a filter without one */
export function labelOf(operator: PropertyOperator | null, matched: boolean): string {
  const [label, otherwise] = (operator && LABELS[operator]) ?? [operator ?? 'exact', 'does not match']
  return matched ? label : otherwise
}
