// Who gets a flag, in a line of words. Pure.
import type { ConditionSet, FlagFilters } from '../api/client'

/** By operator, in the order in which they are offered. */
const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  exact: 'is',
  is_not: 'is not',
  icontains: 'contains',
  not_icontains: 'does not contain',
  icontains_multi: 'contains any of',
  not_icontains_multi: 'contains none of',
  regex: 'matches',
  not_regex: 'does not match',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  is_set: 'is set',
  is_not_set: 'is not set',
  is_date_exact: 'is on',
  is_date_before: 'is before',
  is_date_after: 'is after',
  semver_eq: 'is version',
  semver_neq: 'is not version',
  semver_gt: 'is after version',
  semver_gte: 'is version or later',
  semver_lt: 'is before version',
  semver_lte: 'is version or earlier',
  semver_tilde: 'is compatible (~) with',
  semver_caret: 'is compatible (^) with',
  semver_wildcard: 'is version like',
  in: 'is in cohort',
  not_in: 'is not in cohort',
  flag_evaluates_to: 'evaluates to',
}

/** Those that compare a property with a value: not those of cohorts and flags. */
export const COMPARISONS: readonly (readonly [operator: string, words: string])[] = Object.entries(
  OPERATOR_WORDS,
).filter(([operator]) => !['in', 'not_in', 'flag_evaluates_to'].includes(operator))

export const operatorWords = (operator: string): string => OPERATOR_WORDS[operator] ?? operator

export const percent = (share: number): string => `${Number(share.toFixed(2))} %`

/** How long words are, and how they name the type of groups. */
export interface WordRules {
  /** Values of a condition that are shown. */
  maxValues: number
  groupTypeOf?(index: number): string
}

const SHORT: WordRules = { maxValues: 3 }

export const valueWords = (value: unknown, { maxValues }: WordRules = SHORT): string => {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const shown = value.slice(0, maxValues).map(String).join(' or ')
  return value.length > maxValues ? `${shown} or ${value.length - maxValues} more` : shown
}

const RELATIVE = /^-?(\d+)([hdwmy])$/
const UNITS: Readonly<Record<string, string>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' }

function dateWords(value: unknown, rules: WordRules): string {
  const [, amount, unit] = typeof value === 'string' ? (RELATIVE.exec(value) ?? []) : []
  return amount && unit ? `${amount} ${UNITS[unit]} ago` : valueWords(value, rules)
}

interface Condition {
  key: string
  type: string
  operator?: string | null
  value?: unknown
}

/** A condition in words: `plan is pro or enterprise`. */
export function propertyWords(property: Condition, rules: WordRules = SHORT): string {
  const operator = property.operator ?? (property.type === 'cohort' ? 'in' : 'exact')
  const words = operatorWords(operator)
  if (property.type === 'cohort') {
    const name = (property as { cohort_name?: unknown }).cohort_name
    return `${words} ${typeof name === 'string' ? name : valueWords(property.value, rules)}`
  }
  if (property.type === 'flag') return `flag ${labelOf(property)} is ${valueWords(property.value, rules)}`
  if (operator === 'is_set' || operator === 'is_not_set') return `${property.key} ${words}`
  const value = (operator.startsWith('is_date_') ? dateWords : valueWords)(property.value, rules)
  return `${property.key} ${words} ${value}`
}

const labelOf = (property: Condition): string => {
  const { label, flag_key: key } = property as { label?: unknown; flag_key?: unknown }
  return String(key ?? label ?? property.key)
}

/** A condition set in words: `50 % of plan is pro`. */
export function conditionSetWords(set: ConditionSet, rules: WordRules = SHORT): string {
  const share = set.rollout_percentage ?? 100
  const properties = set.properties ?? []
  const groupType = set.aggregation_group_type_index ?? null
  const conditions = properties.map((property) => propertyWords(property, rules)).join(' and ')
  const ofType = groupType === null || !rules.groupTypeOf ? '' : ` of type ${rules.groupTypeOf(groupType)}`
  const who =
    groupType === null
      ? conditions || 'everyone'
      : conditions === ''
        ? `every group${ofType}`
        : `groups${ofType} where ${conditions}`
  if (share === 0) return `no one (0 % of ${who})`
  return share === 100 ? who : `${percent(share)} of ${who}`
}

/** Who gets a flag: `Everyone`, `No one`, `50 % of plan is pro, or 1 more`. */
export function releaseWords(filters: FlagFilters): string {
  const sets = filters.groups ?? []
  const reaching = sets.filter(({ rollout_percentage: share }) => share !== 0)
  const first = reaching[0]
  if (!first) return 'No one'
  const everyone = reaching.find(
    ({ properties, rollout_percentage: share }) => (properties ?? []).length === 0 && (share ?? 100) === 100,
  )
  const more = everyone || reaching.length === 1 ? '' : `, or ${reaching.length - 1} more`
  // Names of properties keep their case.
  return (
    conditionSetWords(everyone ?? first).replace(
      /^(every|groups)/,
      (word) => word.charAt(0).toUpperCase() + word.slice(1),
    ) + more
  )
}

/** The largest share of people that a condition set without properties gives the flag; null when all sets have properties. */
export function reachOf(filters: FlagFilters): number | null {
  const open = (filters.groups ?? []).filter(({ properties }) => (properties ?? []).length === 0)
  return open.length === 0 ? null : Math.max(...open.map(({ rollout_percentage: share }) => share ?? 100))
}
