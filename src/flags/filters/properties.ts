// What each property of a condition may say: its operator, and a value that the operator can work with. Rules 9 and 19–28 of
// reference/flags-api.md §1.4.
import { invalid } from '../../errors'
import { isDateText } from '../evaluation/values/date'
import { compileRegex } from '../evaluation/values/regex'
import { isSemverFilter, SEMVER_OPERATORS, type SemverOperator } from '../evaluation/values/semver-range'
import { checkCohort, type StoredCohort } from './cohorts'
import { pythonRepr, pythonText } from '../../http/python-repr'
import { ANALYTICS_OPERATORS, type FlagFilters, OPERATORS, type Property, propertiesOf } from './shape'

const NEEDS_TEXT = new Set(['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte'])
const NEEDS_LIST = new Set(['icontains_multi', 'not_icontains_multi'])
const isSemver = (operator: string): operator is SemverOperator =>
  (SEMVER_OPERATORS as readonly string[]).includes(operator)

const isPattern = ({ operator, value }: Property) =>
  (operator === 'regex' || operator === 'not_regex') && typeof value === 'string'

/**
 * Refuses patterns that the linear-time engine cannot run (decision 18).
 * @param stored the filters before this write: a pattern that is already stored may stay.
 * @throws 400, attr `filters`, naming the place.
 */
export function checkPatterns(filters: FlagFilters, stored: FlagFilters | null): void {
  const kept = new Set(
    stored
      ? propertiesOf(stored)
          .filter(({ property }) => isPattern(property))
          .map(({ property }) => property.value)
      : [],
  )
  for (const { property, group, index } of propertiesOf(filters)) {
    if (!isPattern(property) || kept.has(property.value)) continue
    if (compileRegex(property.value as string) === null) {
      throw invalid('filters', `groups[${group}].properties[${index}].value: invalid regex pattern`)
    }
  }
}

/** @throws 400, attr `filters`, with the code of the first rule that a property breaks. */
export function checkProperties(filters: FlagFilters, cohorts: ReadonlyMap<number, StoredCohort>): void {
  for (const { property } of propertiesOf(filters)) {
    const operator = property.operator ?? 'exact'
    checkOperator(operator)
    if (property.type === 'cohort') checkCohort(property.value, cohorts)
    checkValue(operator, property)
  }
}

function checkOperator(operator: string): void {
  if (OPERATORS.has(operator)) return
  if (ANALYTICS_OPERATORS.has(operator)) {
    throw invalid('filters', `Unsupported operator for feature flags: ${operator}`, 'unsupported_operator')
  }
  throw invalid('filters', `Invalid operator: ${operator}`, 'invalid_operator')
}

function checkValue(operator: string, { type, value }: Property): void {
  if (operator.startsWith('is_date_') && !(typeof value === 'string' && isDateText(value))) {
    throw invalid('filters', `Invalid date value: ${pythonText(value)}`, 'invalid_date')
  }
  if (NEEDS_TEXT.has(operator) && typeof value !== 'string') {
    throw invalid('filters', `Invalid value for operator ${operator}: ${pythonRepr(value)}`, 'invalid_value')
  }
  if ((operator === 'in' || operator === 'not_in') && type !== 'cohort') {
    throw invalid(
      'filters',
      `The '${operator}' operator is only valid for cohort properties, not '${type}' properties.`,
      'invalid_operator',
    )
  }
  if (isSemver(operator)) checkSemver(operator, value)
  if (NEEDS_LIST.has(operator) && !Array.isArray(value)) {
    throw invalid('filters', `${operator} operator requires a list of values`, 'invalid_value')
  }
}

function checkSemver(operator: SemverOperator, value: unknown): void {
  if (typeof value !== 'string') {
    throw invalid(
      'filters',
      `Invalid value for operator ${operator}: expected a semver string`,
      'invalid_value',
    )
  }
  if (!isSemverFilter(operator, value)) {
    throw invalid('filters', `Invalid semver value for operator ${operator}: ${value}`, 'invalid_value')
  }
}
