// Describes conditions in English, and the people or groups that meet them. The functions are pure.
import { comparisonWords } from './operators'
import { textOf } from './words'

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

/** The most values that a condition names by default. */
const MAX_VALUES = 3

/** A condition in the form of the API. */
export interface Condition {
  key: string
  type: string
  operator?: string | null
  value?: unknown
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
  return `${condition.key} ${comparisonWords(condition, wording.maxValues ?? MAX_VALUES)}`
}

/** Describes the members of a set by all of its conditions: `people whose plan is pro and who are in the cohort Testers`. */
export function membersWords(noun: string, conditions: readonly Condition[], wording: Wording): string {
  const clauses = conditions.map((condition, index) => {
    if (condition.type === 'cohort') {
      const words = cohortWords(condition, wording)
      return index === 0 && condition.operator !== 'not_in' ? words : `who are ${words}`
    }
    if (condition.type === 'flag')
      return `for ${noun === PEOPLE ? 'whom' : 'which'} ${flagWords(condition, wording)}`
    return `whose ${condition.key} ${comparisonWords(condition, wording.maxValues ?? MAX_VALUES)}`
  })
  return [noun, clauses.join(' and ')].filter(Boolean).join(' ')
}

export const PEOPLE = 'people'

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
