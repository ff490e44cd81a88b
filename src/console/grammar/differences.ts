// Describes the differences between two states of an item as sentences. The functions are pure.
import { FIELDS } from '../../flag-fields'
import type { ConditionSet, FlagFilters } from '../api/client'
import { setOf, treeOf, treeWords } from '../cohorts/tree'
import { timeRangeWords } from '../design/fields/time-range'
import { textOf } from '../query/draft'
import { changeWords, setsOf as setsOfScheduled } from '../schedule/words'
import type { ScheduledChange } from '../api/scheduled-changes'
import { exactTime } from '../../time/relative-time'
import { type Level, levelName } from '../team/levels'
import { canonical } from '../api/canonical'
import { capitalized, listWords, percent } from './words'
import { partsOf, setsOf, setWords } from './sets'
import type { Wording } from './conditions'

export interface Difference {
  /** The change: a whole sentence, or one that ends with a colon if values follow. */
  sentence: string
  /** The value before, if the sentence does not have it. Null means that there was none. */
  before: string | null
  after: string | null
}

/** Returns a difference that its sentence describes completely. */
const said = (sentence: string): Difference => ({ sentence, before: null, after: null })

/** The kind of item of the fields that have labels. */
const FLAG = 'FeatureFlag'

const labelOf = (field: string, scope = FLAG): string =>
  scope === FLAG && field in FIELDS
    ? FIELDS[field as keyof typeof FIELDS].label
    : field.replaceAll('_', ' ').replace(/^sso /, 'single sign-on ')

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Describes a value of a field, or returns null for none. */
function valueWords(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((each) => valueWords(each) ?? '').join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

/** Returns both values, if they differ: in words, or as JSON if the words are the same. */
function bothValues<T>(name: string, before: T, after: T, words: (value: T) => string | null): Difference[] {
  if (isSame(before, after)) return []
  const [from, to] = [words(before), words(after)]
  if (from === null && to === null) return []
  const isMany = name.endsWith('s')
  const is = isMany ? 'are' : 'is'
  const verb = from === null ? `${is} set` : to === null ? `${is} removed` : isMany ? 'change' : 'changes'
  const sentence = `The ${name} ${verb}:`
  return from === to
    ? [{ sentence, before: JSON.stringify(before), after: JSON.stringify(after) }]
    : [{ sentence, before: from, after: to }]
}

/** Describes the conditions of a cohort. */
const treeValueWords =
  (wording: Wording) =>
  (value: unknown): string | null =>
    isOfCohort(value) ? treeWords(treeOf(value), wording) : valueWords(value)

const isOfCohort = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'properties' in value

/** Describes the time range of a dashboard. */
function rangeWords(value: unknown): string | null {
  const { date_from, date_to } = (value ?? {}) as { date_from?: string | null; date_to?: string | null }
  return timeRangeWords({ from: date_from ?? '', to: date_to ?? null })
}

/** Returns the text of a saved query. */
const queryWords = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? textOf(value as Record<string, unknown>) : valueWords(value)

const isFilters = (value: unknown): value is FlagFilters =>
  typeof value === 'object' && value !== null && Array.isArray((value as { groups?: unknown }).groups)

const isScheduled = (value: unknown): value is ScheduledChange['payload'] =>
  typeof value === 'object' && value !== null && 'operation' in value

/** A field that changed. */
export interface Change {
  field: string
  before: unknown
  after: unknown
}

/** Returns the fields that differ. */
export const changesBetween = <T extends object>(
  fields: readonly (keyof T & string)[],
  before: T,
  after: T,
): Change[] =>
  fields
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter(({ before: from, after: to }) => !isSame(from, to))

/** Returns the condition sets of both states. The conditions of a cohort are one. */
export const setsIn = ({ before, after }: Change): readonly ConditionSet[] =>
  [before, after].flatMap((value): readonly ConditionSet[] =>
    isFilters(value)
      ? setsOf(value)
      : isOfCohort(value)
        ? [setOf(treeOf(value))]
        : isScheduled(value)
          ? setsOfScheduled(value)
          : [],
  )

/** Returns the differences of one field. `filters` may have several. */
export function differencesOf(
  { field, before, after }: Change,
  wording: Wording,
  scope = FLAG,
): Difference[] {
  const whole = { ...wording, maxValues: Number.POSITIVE_INFINITY }
  if (field === 'filters' && isFilters(after))
    return filterDifferences(isFilters(before) ? before : { groups: [] }, after, whole)
  if (isSame(before, after)) return []
  const sentences = scope === FLAG ? FLAG_SENTENCES : SENTENCES
  const sentence = sentences[field]?.(before, after) ?? null
  if (sentence !== null) return [said(sentence)]
  if (typeof after === 'boolean')
    return [said(`${capitalized(labelOf(field, scope))}: ${valueWords(after)}.`)]
  if (isScheduled(before ?? after)) {
    const words = (value: unknown) => (isScheduled(value) ? changeWords(value, whole) : null)
    return before && after
      ? bothValues('scheduled change', before, after, words)
      : [said(`${words(before ?? after)}.`)]
  }
  if (field === 'filters' && scope === 'Dashboard') return bothValues('time range', before, after, rangeWords)
  const words = field === 'filters' ? treeValueWords(whole) : field === 'query' ? queryWords : valueWords
  return bothValues(lowerFirst(labelOf(field, scope)), before, after, words)
}

const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Describes what was added to a list, and what was removed. */
const joinedAndLeft =
  (noun: string, plural: string) =>
  (before: unknown, after: unknown): string => {
    const [from, to] = [namesOf(before), namesOf(after)]
    const words = (names: readonly string[]) =>
      `the ${names.length === 1 ? noun : plural} ${listWords(names, 'and')}`
    const added = to.filter((name) => !from.includes(name))
    const removed = from.filter((name) => !to.includes(name))
    const parts = [
      added.length > 0 && `adds ${words(added)}`,
      removed.length > 0 && `removes ${words(removed)}`,
    ].filter((part) => part !== false)
    return parts.length === 0 ? `The order of the ${plural} changes.` : `${capitalized(parts.join(' and '))}.`
  }

const switched =
  (on: string, off: string) =>
  (_before: unknown, after: unknown): string =>
    after === true ? on : off

const levelWords = (before: unknown, after: unknown): string =>
  before === null
    ? `The role is ${levelName(after as Level)}.`
    : after === null
      ? `The role was ${levelName(before as Level)}.`
      : `Changes the role from ${levelName(before as Level)} to ${levelName(after as Level)}.`

type Sentences = Readonly<Record<string, (before: unknown, after: unknown) => string | null>>

/** Descriptions of fields whose change fits into a sentence, of all kinds of items. */
const SENTENCES: Sentences = {
  active: switched('Enables it.', 'Disables it.'),
  is_active: switched('Enables it.', 'Disables it.'),
  enabled: switched('Enables it.', 'Disables it.'),
  deleted: switched('Deletes it.', 'Restores it.'),
  tags: joinedAndLeft('tag', 'tags'),
  level: levelWords,
  invite: levelWords,
  scheduled_at: (before, after) =>
    before && after
      ? `It is due ${exactTime(String(after))}, and no longer ${exactTime(String(before))}.`
      : `Due ${exactTime(String(before ?? after))}.`,
  two_factor: () => 'Removes the second factor.',
  password_reset: (_before, after) =>
    `Makes a link for another password, valid until ${exactTime(String(after))}.`,
}

const FLAG_SENTENCES: Sentences = {
  ...SENTENCES,
  active: switched('Enables the flag.', 'Disables the flag.'),
  archived: switched('Archives the flag.', 'Takes the flag out of the archive.'),
  key: (before, after) =>
    typeof before === 'string' && before !== ''
      ? `Changes the key from ${before} to ${String(after)}.`
      : null,
  evaluation_contexts(before, after) {
    const words = joinedAndLeft('evaluation context', 'evaluation contexts')(before, after)
    const effect =
      namesOf(after).length === 0
        ? ': every context gets the flag now.'
        : namesOf(before).length === 0
          ? ': other contexts no longer get the flag.'
          : '.'
    return words.replace(/\.$/, effect)
  },
  ensure_experience_continuity: switched(
    'People now keep their value when they sign in.',
    'People may now get another value when they sign in.',
  ),
  bucketing_identifier: (_before, after) =>
    after === 'device_id'
      ? 'Shares now apply to devices instead of people: some people get another value.'
      : 'Shares now apply to people instead of devices: some people get another value.',
  evaluation_runtime: (_before, after) =>
    after === 'server'
      ? 'Only servers get the flag now.'
      : after === 'client'
        ? 'Only clients get the flag now.'
        : 'Clients and servers get the flag now.',
  is_remote_configuration: switched(
    'Makes it a remote configuration.',
    'Makes it a flag that is on or off, or has variants.',
  ),
  has_encrypted_payloads: switched('Encrypts the value.', 'Stores the value without encryption.'),
}

interface Variant {
  key: string
  rollout_percentage: number
}

const variantsOf = (filters: FlagFilters): readonly Variant[] => filters.multivariate?.variants ?? []

function filterDifferences(before: FlagFilters, after: FlagFilters, wording: Wording): Difference[] {
  const membersOfBoth = [...new Set([before, after].flatMap(Object.keys))]
  return [
    ...setDifferences(setsOf(before), setsOf(after), wording),
    ...variantDifferences(variantsOf(before), variantsOf(after)),
    ...payloadDifferences(before.payloads ?? {}, after.payloads ?? {}),
    ...(isSame(before.early_exit ?? false, after.early_exit ?? false)
      ? []
      : [said(after.early_exit ? EARLY_EXIT : NO_EARLY_EXIT)]),
    ...membersOfBoth
      .filter((member) => !SHOWN_IN_PARTS.has(member))
      .flatMap((member) =>
        bothValues(MEMBERS[member] ?? lowerFirst(labelOf(member)), before[member], after[member], (value) =>
          member === GROUP_TYPE && typeof value === 'number'
            ? (wording.groupTypeOf?.(value) ?? String(value))
            : valueWords(value),
        ),
      ),
  ]
}

const SHOWN_IN_PARTS: ReadonlySet<string> = new Set(['groups', 'multivariate', 'payloads', 'early_exit'])

const EARLY_EXIT =
  'The first condition set whose conditions a person matches now decides: one whom its share leaves out does not get the flag.'
const NO_EARLY_EXIT =
  'A person whom the share of a condition set leaves out may now get the flag by a later one.'

const GROUP_TYPE = 'aggregation_group_type_index'

const MEMBERS: Readonly<Record<string, string>> = {
  [GROUP_TYPE]: 'type of group',
  holdout: 'holdout',
  feature_enrollment: 'enrollment in early access',
}

const numbered = (lines: readonly string[]): string =>
  lines.map((line, index) => `${index + 1}. ${line}`).join('\n')

function setDifferences(
  before: readonly ConditionSet[],
  after: readonly ConditionSet[],
  wording: Wording,
): Difference[] {
  const words = (set: ConditionSet) =>
    setWords(set, wording) + (set.variant ? `, always with the variant ${set.variant}` : '')
  const texts = (sets: readonly ConditionSet[]) => sets.map(canonical)
  if (before.length > 1 && !isSame(before, after)) {
    if (isSame(texts(before).toSorted(), texts(after).toSorted()))
      return [
        {
          sentence: 'The order of the condition sets changes:',
          before: numbered(before.map(words)),
          after: numbered(after.map(words)),
        },
      ]
  }
  // Other sets do not look changed when a set is added or removed before them.
  const isAt = (from: number, to: number) => isSame(before.at(from), after.at(to))
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && isAt(start, start)) start += 1
  let end = 0
  while (end < least - start && isAt(-1 - end, -1 - end)) end += 1
  const from = before.slice(start, before.length - end)
  const to = after.slice(start, after.length - end)
  return Array.from({ length: Math.max(from.length, to.length) }, (_, index) =>
    setDifference(start + index + 1, from[index], to[index], words, wording),
  )
}

function setDifference(
  place: number,
  before: ConditionSet | undefined,
  after: ConditionSet | undefined,
  words: (set: ConditionSet) => string,
  wording: Wording,
): Difference {
  if (!before) return said(`Adds condition set ${place}: ${words(after!)}.`)
  if (!after) return said(`Removes condition set ${place}: ${words(before)}.`)
  const [from, to] = [partsOf(before, wording), partsOf(after, wording)]
  const without = (set: ConditionSet, member: keyof ConditionSet) => ({ ...set, [member]: null })
  if (isSame(without(before, 'rollout_percentage'), without(after, 'rollout_percentage')))
    return said(
      `Condition set ${place} goes from ${percent(from.share)} to ${percent(to.share)} of ${from.members}.`,
    )
  if (isSame(without(before, 'variant'), without(after, 'variant'))) {
    const members = setWords(after, wording)
    return said(
      after.variant
        ? `Condition set ${place} now always gives the variant ${after.variant}: ${members}.`
        : `Condition set ${place} no longer always gives the variant ${before.variant}, the shares of the variants decide: ${members}.`,
    )
  }
  const texts = [words(before), words(after)] as const
  return texts[0] === texts[1]
    ? {
        sentence: `Condition set ${place} changes:`,
        before: canonical(before),
        after: canonical(after),
      }
    : { sentence: `Condition set ${place} changes:`, before: texts[0], after: texts[1] }
}

function variantDifferences(before: readonly Variant[], after: readonly Variant[]): Difference[] {
  const keysOf = (variants: readonly Variant[]) => variants.map(({ key }) => key)
  const keys = [...new Set([before, after].flatMap(keysOf))]
  const differences = keys.flatMap((key): Difference[] => {
    const find = (variants: readonly Variant[]) => variants.find((each) => each.key === key)
    const [from, to] = [find(before), find(after)]
    if (!from) return [said(`Adds the variant ${key}, with a share of ${percent(to!.rollout_percentage)}.`)]
    if (!to)
      return [said(`Removes the variant ${key}, which had a share of ${percent(from.rollout_percentage)}.`)]
    if (isSame(from, to)) return []
    const [was, is] = [percent(from.rollout_percentage), percent(to.rollout_percentage)]
    return was === is
      ? [{ sentence: `The variant ${key} changes:`, before: JSON.stringify(from), after: JSON.stringify(to) }]
      : [said(`The share of the variant ${key} goes from ${was} to ${is}.`)]
  })
  // The order decides who gets which variant.
  const isReordered =
    isSame(keysOf(before).toSorted(), keysOf(after).toSorted()) && !isSame(keysOf(before), keysOf(after))
  return isReordered
    ? [
        ...differences,
        {
          sentence: 'The order of the variants changes, so that people may get another one:',
          before: keysOf(before).join(', '),
          after: keysOf(after).join(', '),
        },
      ]
    : differences
}

function payloadDifferences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Difference[] {
  const keys = [...new Set([before, after].flatMap(Object.keys))]
  return keys.flatMap((key) =>
    bothValues(
      key === 'true' ? 'payload' : `payload of the variant ${key}`,
      before[key],
      after[key],
      valueWords,
    ),
  )
}
