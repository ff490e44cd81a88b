// The operators of conditions: their labels, and how a sentence says them.
import { listWords, textOf } from './words'

interface Operator {
  /** The label in a choice of operators. */
  label: string
  /** Describes the property: `is pro or team`. */
  says(values: Values): string
}

interface Values {
  /** Any of the values: `pro, team or free`. */
  any: string
  /** None of the values: `not pro`, `neither pro nor team`, `none of pro, team or free`. */
  none: string
  list: readonly unknown[]
}

/** An operator whose label is also its words. */
const alike = (label: string): Operator => ({ label, says: ({ any }) => `${label} ${any}` })
/** An operator with other words than its label. */
const phrase = (label: string, says: (any: string) => string): Operator => ({
  label,
  says: ({ any }) => says(any),
})

const RELATIVE = /^-?(\d+)([hdwmy])$/
const UNITS: Readonly<Record<string, string>> = { h: 'hour', d: 'day', w: 'week', m: 'month', y: 'year' }

/** Returns words such as `30 days`, or null for a date. */
function spanWords(value: unknown): string | null {
  const [, amount, unit] = typeof value === 'string' ? (RELATIVE.exec(value) ?? []) : []
  return amount && unit ? `${amount} ${UNITS[unit]}${amount === '1' ? '' : 's'}` : null
}

/** Returns whether a value is a date, which stands for its midnight. */
const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** An operator of dates, which may be relative (`-30d`) or a day. */
const date = (
  label: string,
  relative: (span: string) => string,
  ofDay: (day: string) => string,
): Operator => ({
  label,
  says({ any, list: [first] }) {
    const span = spanWords(first)
    return span !== null ? relative(span) : isDay(first) ? ofDay(any) : `${label} ${any}`
  },
})

/** The operators, in the order of the choice. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  exact: alike('is'),
  is_not: { label: 'is not', says: ({ none }) => `is ${none}` },
  icontains: alike('contains'),
  not_icontains: alike('does not contain'),
  icontains_multi: phrase('contains any of', (any) => `contains ${any}`),
  not_icontains_multi: {
    label: 'contains none of',
    says: ({ any, none, list }) => (list.length === 1 ? `does not contain ${any}` : `contains ${none}`),
  },
  starts_with: alike('starts with'),
  not_starts_with: alike('does not start with'),
  ends_with: alike('ends with'),
  not_ends_with: alike('does not end with'),
  regex: phrase('matches', (pattern) => `matches the pattern ${pattern}`),
  not_regex: phrase('does not match', (pattern) => `does not match the pattern ${pattern}`),
  gt: phrase('>', (value) => `is greater than ${value}`),
  gte: phrase('≥', (value) => `is at least ${value}`),
  lt: phrase('<', (value) => `is less than ${value}`),
  lte: phrase('≤', (value) => `is at most ${value}`),
  is_set: phrase('is set', () => 'is set'),
  is_not_set: phrase('is not set', () => 'is not set'),
  is_date_exact: date(
    'is on',
    (span) => `is exactly ${span} ago`,
    (day) => `is exactly ${day} 00:00`,
  ),
  is_date_before: date(
    'is before',
    (span) => `is more than ${span} ago`,
    (day) => `is before ${day}`,
  ),
  is_date_after: date(
    'is after',
    (span) => `is later than ${span} ago`,
    (day) => `is after the start of ${day}`,
  ),
  semver_eq: alike('is version'),
  semver_neq: alike('is not version'),
  semver_gt: phrase('is after version', (version) => `is later than version ${version}`),
  semver_gte: phrase('is version or later', (version) => `is version ${version} or later`),
  semver_lt: phrase('is before version', (version) => `is earlier than version ${version}`),
  semver_lte: phrase('is version or earlier', (version) => `is version ${version} or earlier`),
  semver_tilde: phrase('is compatible (~) with', (version) => `is compatible with version ~${version}`),
  semver_caret: phrase('is compatible (^) with', (version) => `is compatible with version ^${version}`),
  semver_wildcard: phrase('is version like', (version) => `is in the version range ${version}`),
}

/** Operators that only programs choose. They take two values. */
const UNOFFERED: Readonly<Record<string, Operator>> = {
  between: { label: 'is between', says: ({ list }) => `is ${rangeWords(list)}` },
  not_between: { label: 'is not between', says: ({ list }) => `is not ${rangeWords(list)}` },
}

/** Describes a range, which includes both ends. */
const rangeWords = ([from, to]: readonly unknown[]): string => `from ${textOf(from)} to ${textOf(to)}`

/** Operators that compare a property with a value, with their labels. */
export const COMPARISONS: readonly (readonly [operator: string, label: string])[] = Object.entries(
  OPERATORS,
).map(([operator, { label }]) => [operator, label])

function noneOf(values: readonly unknown[], any: string): string {
  if (values.length < 2) return `not ${any}`
  return values.length === 2 ? `neither ${values.map(textOf).join(' nor ')}` : `none of ${any}`
}

/** Describes how a property compares: `is pro or team`. @param maxValues the most values that are named */
export function comparisonWords(
  { operator, value }: { operator?: string | null; value?: unknown },
  maxValues: number,
): string {
  const list = Array.isArray(value) ? value : [value]
  const known = { ...OPERATORS, ...UNOFFERED }[operator ?? 'exact']
  const any = listWords(list, 'or', maxValues)
  return known ? known.says({ any, none: noneOf(list, any), list }) : `is compared with ${any} by ${operator}`
}
