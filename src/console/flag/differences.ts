// The differences between two states of a flag, in words. Pure.
import type { FlagFilters } from '../api/client'
import { conditionSetWords, percent, type WordRules } from '../flags/release-summary'
import { FIELDS } from '../../flag-fields'
import { treeOf, treeWords } from '../cohorts/tree'
import { type Level, levelName } from '../team/levels'
import { variantsOf } from './draft'

export interface Difference {
  what: string
  /** Null: there was nothing. */
  before: string | null
  after: string | null
}

const labelOf = (field: string): string =>
  field in FIELDS ? FIELDS[field as keyof typeof FIELDS].label : field.replaceAll('_', ' ')

/** A value of a field in words. */
function valueWords(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((each) => valueWords(each) ?? '').join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Without what reads add, and with one text for each state: in one order, and without members that are null. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (name === 'cohort_name' || each === null) return undefined
    if (typeof each !== 'object' || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each as object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? ''

/** The difference of two values, if there is one: in words, or as JSON where the words are the same. */
function difference<T>(what: string, before: T, after: T, words: (value: T) => string | null): Difference[] {
  if (canonical(before) === canonical(after)) return []
  const [from, to] = [words(before), words(after)]
  if (from !== to) return [{ what, before: from, after: to }]
  if (from === null) return []
  return [{ what, before: JSON.stringify(before), after: JSON.stringify(after) }]
}

const FULL: WordRules = { maxValues: Number.POSITIVE_INFINITY }

/** The conditions of a cohort, in words. */
const treeValueWords = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'properties' in value
    ? treeWords(treeOf(value), FULL)
    : valueWords(value)

const isFilters = (value: unknown): value is FlagFilters =>
  typeof value === 'object' && value !== null && Array.isArray((value as { groups?: unknown }).groups)

/** A field that changed. */
export interface Change {
  field: string
  before: unknown
  after: unknown
}

/** Those of the fields that differ. */
export const changesBetween = <T extends object>(
  fields: readonly (keyof T & string)[],
  before: T,
  after: T,
): Change[] =>
  fields
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter(({ before: from, after: to }) => canonical(from) !== canonical(to))

/** Whether a change is about condition sets of groups, whose type has a name. */
export const isAboutGroups = ({ before, after }: Change): boolean =>
  [before, after].some(
    (value) =>
      isFilters(value) && value.groups.some((set) => typeof set.aggregation_group_type_index === 'number'),
  )

/** The differences of one field. `filters` has several. */
export function differencesOf(
  { field, before, after }: Change,
  groupTypeOf: (index: number) => string = String,
): Difference[] {
  if (field === 'filters' && isFilters(after))
    return filterDifferences(isFilters(before) ? before : { groups: [] }, after, { ...FULL, groupTypeOf })
  return difference(labelOf(field), before, after, WORDS_OF_FIELDS[field] ?? valueWords)
}

/** The words for values of some fields. */
const WORDS_OF_FIELDS: Readonly<Record<string, (value: unknown) => string | null>> = {
  filters: treeValueWords,
  level: (level) => (level === null ? null : levelName(level as Level)),
}

function filterDifferences(before: FlagFilters, after: FlagFilters, rules: WordRules): Difference[] {
  const setOf = (filters: FlagFilters, index: number) => filters.groups[index] ?? null
  const variantOf = (filters: FlagFilters, key: string) =>
    variantsOf(filters).find((each) => each.key === key) ?? null
  const orderOf = (filters: FlagFilters) => variantsOf(filters).map(({ key }) => key)
  const keysOf = (read: (filters: FlagFilters) => string[]) => [...new Set([before, after].flatMap(read))]
  const sets = Array.from(
    { length: Math.max(before.groups.length, after.groups.length) },
    (_, index) => index,
  )
  const payloads = keysOf(({ payloads: each }) => Object.keys(each ?? {}))
  const others = keysOf(Object.keys).filter((member) => !SHOWN_IN_PARTS.has(member))
  const isReordered = canonical(orderOf(before).toSorted()) === canonical(orderOf(after).toSorted())
  return [
    ...sets.flatMap((index) =>
      difference(
        `Condition set ${index + 1}`,
        setOf(before, index),
        setOf(after, index),
        (set) => set && `${conditionSetWords(set, rules)}${set.variant ? `, variant ${set.variant}` : ''}`,
      ),
    ),
    ...keysOf(orderOf).flatMap((key) =>
      difference(
        `Variant ${key}`,
        variantOf(before, key),
        variantOf(after, key),
        (variant) => variant && percent(variant.rollout_percentage),
      ),
    ),
    // The order decides who gets which.
    ...(isReordered ? difference('Order of variants', orderOf(before), orderOf(after), valueWords) : []),
    ...payloads.flatMap((key) =>
      difference(
        key === 'true' ? 'Payload' : `Payload of ${key}`,
        before.payloads?.[key],
        after.payloads?.[key],
        valueWords,
      ),
    ),
    ...others.flatMap((member) =>
      difference(MEMBERS[member] ?? labelOf(member), before[member], after[member], (value) =>
        member === GROUP_TYPE && typeof value === 'number'
          ? (rules.groupTypeOf?.(value) ?? String(value))
          : valueWords(value),
      ),
    ),
  ]
}

const SHOWN_IN_PARTS: ReadonlySet<string> = new Set(['groups', 'multivariate', 'payloads'])

const GROUP_TYPE = 'aggregation_group_type_index'

const MEMBERS: Readonly<Record<string, string>> = {
  [GROUP_TYPE]: 'Group type',
  holdout: 'Holdout',
  feature_enrollment: 'Early access enrollment',
  early_exit: 'Stop at the first set that matches',
}
