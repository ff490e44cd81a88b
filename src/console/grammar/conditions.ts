// Describes conditions in English: of flags, of their condition sets, and of cohorts. The functions are pure.
import type { ConditionSet, FlagFilters } from '../api/client'

/** The names of ids, and how many values of a long list are named. */
export interface Wording {
  /** The most values of one condition. */
  maxValues?: number
  /** Returns the name of a type of groups, by its index. */
  groupTypeOf?(index: number): string | undefined
  cohortOf?(id: number): string | undefined
  /** Returns the key of a flag. */
  flagOf?(id: number): string | undefined
}

const MAX_VALUES = 3

/** A condition in the form of the API. */
export interface Condition {
  key: string
  type: string
  operator?: string | null
  value?: unknown
}

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

const alike = (label: string): Operator => ({ label, says: ({ any }) => `${label} ${any}` })
const as = (label: string, says: (any: string) => string): Operator => ({
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
  icontains_multi: as('contains any of', (any) => `contains ${any}`),
  not_icontains_multi: {
    label: 'contains none of',
    says: ({ any, none, list }) => (list.length === 1 ? `does not contain ${any}` : `contains ${none}`),
  },
  starts_with: alike('starts with'),
  not_starts_with: alike('does not start with'),
  ends_with: alike('ends with'),
  not_ends_with: alike('does not end with'),
  regex: as('matches', (pattern) => `matches the pattern ${pattern}`),
  not_regex: as('does not match', (pattern) => `does not match the pattern ${pattern}`),
  gt: as('>', (value) => `is greater than ${value}`),
  gte: as('≥', (value) => `is at least ${value}`),
  lt: as('<', (value) => `is less than ${value}`),
  lte: as('≤', (value) => `is at most ${value}`),
  is_set: as('is set', () => 'is set'),
  is_not_set: as('is not set', () => 'is not set'),
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
  semver_gt: as('is after version', (version) => `is later than version ${version}`),
  semver_gte: as('is version or later', (version) => `is version ${version} or later`),
  semver_lt: as('is before version', (version) => `is earlier than version ${version}`),
  semver_lte: as('is version or earlier', (version) => `is version ${version} or earlier`),
  semver_tilde: as('is compatible (~) with', (version) => `is compatible with version ~${version}`),
  semver_caret: as('is compatible (^) with', (version) => `is compatible with version ^${version}`),
  semver_wildcard: as('is version like', (version) => `is in the version range ${version}`),
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

/** Returns a text such as `12.5%`. */
export const percent = (share: number): string => `${Number(share.toPrecision(6))}%`

/** Matches values that need quotes, because they would be read as words of the sentence. */
const NEEDS_QUOTES = /^$|[\s,“”]|^(?:and|or|on|off)$/

const textOf = (value: unknown): string =>
  typeof value !== 'string' ? JSON.stringify(value) : NEEDS_QUOTES.test(value) ? `“${value}”` : value

/** Returns a text such as `a`, `a or b`, `a, b or c`, `a, b or 3 other values`. */
export function listWords(values: readonly unknown[], joint: 'and' | 'or', maxValues = Infinity): string {
  const texts = values.map(textOf)
  const shown =
    texts.length > maxValues
      ? [...texts.slice(0, maxValues - 1), `${texts.length - maxValues + 1} other values`]
      : texts
  const last = shown.at(-1) ?? 'an empty list'
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${joint} ${last}` : last
}

function noneOf(values: readonly unknown[], any: string): string {
  if (values.length < 2) return `not ${any}`
  return values.length === 2 ? `neither ${values.map(textOf).join(' nor ')}` : `none of ${any}`
}

/** Describes the property of a condition: `is pro or team`. */
function predicateOf({ operator, value }: Condition, { maxValues = MAX_VALUES }: Wording): string {
  const list = Array.isArray(value) ? value : [value]
  const known = { ...OPERATORS, ...UNOFFERED }[operator ?? 'exact']
  const any = listWords(list, 'or', maxValues)
  return known ? known.says({ any, none: noneOf(list, any), list }) : `is compared with ${any} by ${operator}`
}

function cohortWords(condition: Condition, { cohortOf }: Wording): string {
  const { cohort_name: given } = condition as { cohort_name?: unknown }
  const name = typeof given === 'string' ? given : cohortOf?.(Number(condition.value))
  const words = `in the cohort ${name ?? `with id ${textOf(condition.value)}`}`
  return condition.operator === 'not_in' ? `not ${words}` : words
}

function flagWords(condition: Condition, { flagOf }: Wording): string {
  const { label, flag_key: given } = condition as { label?: unknown; flag_key?: unknown }
  const key = flagOf?.(Number(condition.key)) ?? given ?? label ?? `with id ${condition.key}`
  const { value } = condition
  const says =
    typeof value === 'boolean' ? `is ${value ? 'on' : 'off'}` : `gives the variant ${String(value)}`
  return `the flag ${String(key)} ${says}`
}

/** Describes a condition as a statement: `plan is pro or team`, `the person is in the cohort Testers`. */
export function conditionWords(condition: Condition, wording: Wording = {}): string {
  if (condition.type === 'cohort') return `the person is ${cohortWords(condition, wording)}`
  if (condition.type === 'flag') return flagWords(condition, wording)
  return `${condition.key} ${predicateOf(condition, wording)}`
}

/** Describes the members of a set by all of its conditions: `people whose plan is pro and who are in the cohort Testers`. */
function membersWords(noun: string, conditions: readonly Condition[], wording: Wording): string {
  const clauses = conditions.map((condition, index) => {
    if (condition.type === 'cohort') {
      const words = cohortWords(condition, wording)
      return index === 0 && condition.operator !== 'not_in' ? words : `who are ${words}`
    }
    if (condition.type === 'flag')
      return `for ${noun === PEOPLE ? 'whom' : 'which'} ${flagWords(condition, wording)}`
    return `whose ${condition.key} ${predicateOf(condition, wording)}`
  })
  return [noun, clauses.join(' and ')].filter(Boolean).join(' ')
}

const PEOPLE = 'people'

/**
 * Returns the condition sets of a flag, each with the type of groups that it is about, or null for people: its own type, as evaluation
 * reads it, or else the flag's.
 */
export const setsOf = ({ groups, aggregation_group_type_index: ofFlag }: FlagFilters) =>
  (groups ?? []).map((set) => ({
    ...set,
    aggregation_group_type_index:
      ('aggregation_group_type_index' in set ? set.aggregation_group_type_index : ofFlag) ?? null,
  }))

/** Returns the types of groups that the sets of a flag are about, each once; null stands for people. */
export const groupTypesOf = (filters: FlagFilters): readonly (number | null)[] => [
  ...new Set(setsOf(filters).map(({ aggregation_group_type_index: index }) => index)),
]

/** Whether no set of a flag is about people. */
export function isOnlyOfGroups(filters: FlagFilters): boolean {
  const types = groupTypesOf(filters)
  return types.length > 0 && !types.includes(null)
}

/** Whom a condition set is about: `people whose plan is pro`, or everyone without conditions. */
export interface SetParts {
  share: number
  /** Words such as `people whose plan is pro`, `company groups`, `people`. */
  members: string
  /** Whether the set has no condition. */
  isOpen: boolean
}

export function partsOf(set: ConditionSet, wording: Wording = {}): SetParts {
  const index = set.aggregation_group_type_index ?? null
  const type = index === null ? undefined : wording.groupTypeOf?.(index)
  const noun = index === null ? PEOPLE : type === undefined ? 'groups' : `${type} groups`
  const conditions = set.properties ?? []
  return {
    share: set.rollout_percentage ?? 100,
    members: membersWords(noun, conditions, wording),
    isOpen: conditions.length === 0,
  }
}

/** Describes a condition set: `25% of people whose plan is pro`, `everyone`, `every company group`. */
export function setWords(set: ConditionSet, wording: Wording = {}): string {
  const { share, members, isOpen } = partsOf(set, wording)
  if (share !== 100) return `${percent(share)} of ${members}`
  if (!isOpen) return members
  return members === PEOPLE ? 'everyone' : `every ${members.replace(/s$/, '')}`
}

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/**
 * Returns one text for equal states: keys are sorted, and what reads add, members that are null, and payloads of no value, are left out.
 */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (name === 'cohort_name' || each === null) return undefined
    if (typeof each !== 'object' || Array.isArray(each)) return each
    if (name === 'payloads' && Object.keys(each).length === 0) return undefined
    return Object.fromEntries(Object.entries(each as object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? ''

/** Returns one text for sets about the same people with the same variant, whatever their shares are. */
const peopleOf = ({ properties, variant, aggregation_group_type_index: index }: ConditionSet): string =>
  canonical([properties ?? [], variant, index])

/**
 * Returns the condition sets that decide who gets the flag. Of sets about the same people, the largest share is the only one, because all
 * shares of a flag include people in the same order. If one gives the flag to everyone, it is the only one, except with
 * `early_exit`: a set whose conditions a person then matches ends the search, whomever its share includes.
 */
export function decidingSets(filters: FlagFilters): readonly ConditionSet[] {
  const all = setsOf(filters)
  const sets = all.filter(({ rollout_percentage: share }) => share !== 0)
  if (filters.early_exit && sets.length > 0) return all
  const everyone = sets.find((set) => setWords(set) === 'everyone')
  if (everyone) return [everyone]
  const byPeople = new Map<string, ConditionSet>()
  for (const set of sets) {
    const known = byPeople.get(peopleOf(set))
    if (!known || partsOf(set).share > partsOf(known).share) byPeople.set(peopleOf(set), set)
  }
  return [...byPeople.values()]
}

/** Says who gets a flag, in a few words: `Everyone`, `No one`, `50% of people whose plan is pro, and 1 more condition set`. */
export function releaseWords(filters: FlagFilters, wording: Wording): string {
  const [first, ...others] = decidingSets(filters)
  if (!first) return 'No one'
  const more =
    others.length === 0 ? '' : `, and ${others.length} more condition ${others.length === 1 ? 'set' : 'sets'}`
  return capitalized(setWords(first, wording)) + more + (filters.holdout ? ', without the holdout' : '')
}

export const isOfGroups = ({ aggregation_group_type_index: index }: ConditionSet): boolean =>
  typeof index === 'number'

/** Returns the ids that conditions have without names. */
export function unnamedIn(conditions: readonly Condition[]): { cohorts: number[]; flags: number[] } {
  const idsOf = (type: string, read: (condition: Condition) => unknown) => [
    ...new Set(
      conditions
        .filter((each) => each.type === type)
        .map((each) => Number(read(each)))
        // A condition without a value has the id 0.
        .filter((id) => Number.isSafeInteger(id) && id > 0),
    ),
  ]
  return {
    cohorts: idsOf('cohort', (each) => ('cohort_name' in each ? Number.NaN : each.value)),
    flags: idsOf('flag', ({ key }) => key),
  }
}
