// Operators and values of properties. Rules 9 and 19–28 of docs/reference/flags.md#rules-for-filters.
import { invalid } from '../../errors'
import { relationOf } from '../../evaluation/compile/cohorts'
import { boundsOf } from '../../evaluation/matchers/numbers'
import { isDateText } from '../../evaluation/values/date'
import { compileBacktracking } from '../../evaluation/regex/backtracking'
import { mayNeedBacktracking } from '../../evaluation/regex/load-engines'
import {
  compileRegex,
  MAX_REGEX_LENGTH,
  MAX_REGEX_PROGRAM,
  type RegexProblem,
} from '../../evaluation/regex/regex'
import { unsupportedIn } from '../../evaluation/regex/unsupported'
import { parseFloatText } from '../../evaluation/values/text'
import { isSemverFilter, SEMVER_OPERATORS, type SemverOperator } from '../../evaluation/values/semver-range'
import { isObject, type JsonValue } from '../../json'
import { createCohortCheck, type StoredCohort } from './cohorts'
import { closestKey } from '../../http/body/misspelt-keys'
import { valueJson, valueText } from '../../http/value-words'
import { ANALYTICS_OPERATORS, type FlagFilters, OPERATORS, type Property, propertiesOf } from './flag-filters'

const NEEDS_TEXT = new Set([
  'regex',
  'not_regex',
  'icontains',
  'not_icontains',
  'gt',
  'gte',
  'lt',
  'lte',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
])
const NEEDS_LIST = new Set(['icontains_multi', 'not_icontains_multi'])
const isSemver = (operator: string): operator is SemverOperator =>
  (SEMVER_OPERATORS as readonly string[]).includes(operator)

const isPattern = ({ operator, value }: Pick<Property, 'operator' | 'value'>) =>
  (operator === 'regex' || operator === 'not_regex') && typeof value === 'string'

/**
 * Maximum instructions of the new patterns of one flag together. They are compiled when the flag is written, which takes at most a
 * quarter of a second.
 */
export const MAX_FLAG_REGEX_PROGRAM = 50_000
/** Minimum instructions for which every pattern counts. */
const MIN_COUNTED_PROGRAM = 50

/** Checks a pattern of a definition, by itself and together with those before it. */
type PatternCheck = (property: Pick<Property, 'operator' | 'value'>, place: string) => void

/**
 * Creates a check that rejects patterns that no engine here can run (docs/decisions/regular-expressions.md), and those that are too
 * large.
 * @param stored properties before this write, whose patterns are accepted
 * @returns a function that throws 400, attr `filters`, naming the position
 */
export function createPatternCheck(stored: Iterable<Pick<Property, 'operator' | 'value'>>): PatternCheck {
  const kept = new Set([...stored].filter(isPattern).map(({ value }) => value))
  let total = 0
  return (property, at) => {
    if (!isPattern(property) || kept.has(property.value)) return
    kept.add(property.value)
    const place = `${at}.value`
    const compiled = compileAny(property.value as string)
    if (compiled === 'invalid') throw invalid('filters', `${place}: ${problemOf(property.value as string)}`)
    if (compiled === 'too large') throw invalid('filters', `${place}: ${TOO_LARGE}`)
    total += Math.max(compiled.size, MIN_COUNTED_PROGRAM)
    if (total > MAX_FLAG_REGEX_PROGRAM) throw invalid('filters', `${place}: ${TOO_LARGE_TOGETHER}`)
  }
}

/** Compiles a pattern for the engine that can run it. */
function compileAny(pattern: string): { size: number } | RegexProblem {
  const compiled = compileRegex(pattern)
  return compiled === 'invalid' && mayNeedBacktracking(pattern) ? compileBacktracking(pattern) : compiled
}

/**
 * @param stored the filters before this write
 * @throws as `createPatternCheck` says
 */
export function checkPatterns(filters: FlagFilters, stored: FlagFilters | null): void {
  const check = createPatternCheck(stored ? [...propertiesOf(stored)].map(({ property }) => property) : [])
  for (const { property, group, index } of propertiesOf(filters))
    check(property, `groups[${group}].properties[${index}]`)
}

/** Explains why a pattern is rejected. A pattern that is valid upstream is not called invalid. */
function problemOf(pattern: string): string {
  const unsupported = unsupportedIn(pattern)
  return unsupported === null
    ? 'invalid regex pattern'
    : `${unsupported} is not supported in regular expressions here`
}

const TOO_LARGE =
  `This regular expression is too large: at most ${MAX_REGEX_LENGTH} characters, and ${MAX_REGEX_PROGRAM} instructions with its repetitions ` +
  'written out. Lower its repetition counts, replace Unicode classes such as \\w by ASCII ones such as [0-9A-Za-z_], or split it.'
const TOO_LARGE_TOGETHER =
  `The regular expressions of these filters are too large together: at most ${MAX_FLAG_REGEX_PROGRAM} instructions with their repetitions ` +
  'written out. Use fewer or shorter ones.'

/** @throws 400, attr `filters`, with the code of the first rule that a property breaks. */
export function checkProperties(filters: FlagFilters, cohorts: ReadonlyMap<number, StoredCohort>): void {
  const checkCohort = createCohortCheck(cohorts)
  for (const { property } of propertiesOf(filters)) {
    const operator = property.operator ?? 'exact'
    checkOperator(operator)
    if (property.type === 'cohort') checkCohort(property.value)
    checkValue(operator, property)
  }
}

function checkOperator(operator: string): void {
  if (OPERATORS.has(operator)) return
  if (ANALYTICS_OPERATORS.has(operator)) {
    throw invalid(
      'filters',
      `Unsupported operator for feature flags: ${operator}. ${validOperators(OPERATORS)}`,
      'unsupported_operator',
    )
  }
  throw invalid('filters', `Invalid operator: ${operator}. ${hintFor(operator)}`, 'invalid_operator')
}

const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  '=': 'exact',
  '==': 'exact',
  '!=': 'is_not',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  equals: 'exact',
  eq: 'exact',
  neq: 'is_not',
  not: 'is_not',
  contains: 'icontains',
  not_contains: 'not_icontains',
  matches: 'regex',
  exists: 'is_set',
  not_exists: 'is_not_set',
}

const validOperators = (known: Iterable<string>): string => `Valid operators: ${[...known].join(', ')}.`

/** Returns a hint for the error of an operator that does not exist. */
export function hintFor(operator: string, known: readonly string[] = [...OPERATORS]): string {
  const meant = Object.hasOwn(OTHER_SPELLINGS, operator)
    ? OTHER_SPELLINGS[operator]!
    : closestKey(operator, known)
  return meant === null ? validOperators(known) : `Did you mean ${meant}?`
}

const NEEDS_NUMBER = new Set(['gt', 'gte', 'lt', 'lte'])
const NEEDS_BOUNDS = new Set(['between', 'not_between'])
const NEEDS_ANY_VALUE = new Set(['exact', 'is_not'])
const NEEDS_NO_VALUE = new Set(['is_set', 'is_not_set'])

/** Whether a value is null, an empty list or object, or a list of nulls. Such a condition is true for no one or for everyone. */
const isNothing = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((each) => each === null)
    : (value ?? null) === null || (isObject(value) && Object.keys(value).length === 0)

/** Whether a value is a list with a member that is not a single value, so that its JSON would be searched for. */
const isNested = (value: unknown): boolean =>
  Array.isArray(value) && value.some((each) => typeof each === 'object')

/** Checks a value. Values that upstream never matches are rejected too, because a release that reaches no one is a mistake. */
export function checkValue(
  operator: string,
  { type, value, operator: sent }: Pick<Property, 'type' | 'value' | 'operator'>,
): void {
  if (operator.startsWith('is_date_') && !(typeof value === 'string' && isDateText(value))) {
    throw invalid('filters', `Invalid date value: ${valueText(value)}`, 'invalid_date')
  }
  if (
    (NEEDS_TEXT.has(operator) && typeof value !== 'string') ||
    (NEEDS_NUMBER.has(operator) && Number.isNaN(parseFloatText(value as string) ?? Number.NaN)) ||
    (NEEDS_BOUNDS.has(operator) && boundsOf(value as JsonValue) === null) ||
    (NEEDS_ANY_VALUE.has(operator) && isNothing(value)) ||
    (NEEDS_LIST.has(operator) && isNested(value)) ||
    // The value is not read, and false reads like the opposite.
    (NEEDS_NO_VALUE.has(operator) && value === false)
  ) {
    throw invalid('filters', `Invalid value for operator ${operator}: ${valueJson(value)}`, 'invalid_value')
  }
  if (type === 'cohort' && relationOf(sent ?? null) === 'never') {
    throw invalid(
      'filters',
      `The '${operator}' operator cannot be used with cohort properties. Use 'in' or 'not_in'.`,
      'invalid_operator',
    )
  }
  if (operator === 'flag_evaluates_to' && type !== 'flag') {
    throw invalid(
      'filters',
      `The 'flag_evaluates_to' operator is only valid for flag properties, not '${type}' properties.`,
      'invalid_operator',
    )
  }
  if ((operator === 'in' || operator === 'not_in') && type !== 'cohort') {
    throw invalid(
      'filters',
      `The '${operator}' operator is only valid for cohort properties, not '${type}' properties. ` +
        `Use ${operator === 'in' ? 'exact' : 'is_not'} with a list of values.`,
      'invalid_operator',
    )
  }
  if (isSemver(operator)) checkSemver(operator, value)
  if (NEEDS_LIST.has(operator) && !(Array.isArray(value) && value.length > 0)) {
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
