// Defines a flag in edit, and the body that saves it. The functions are pure.
import { jsonIssueWords } from '../design/code/json-issue'
import type { ConditionSet, Flag, FlagFilters, PropertyFilter } from '../api/client'
import type { components } from '../api/schema'
import { canonical } from '../api/canonical'
import { fieldsWith, type FieldWith, initialValues } from '../../flag-fields'

/** The fields of the form. */
export const DRAFT_FIELDS = fieldsWith('form')

/** Fields beside which a form shows why the service rejects them. */
export const SHOWN_FIELDS = [
  'key',
  'name',
  'tags',
  'evaluation_runtime',
  'evaluation_contexts',
  'filters',
] as const

/** Returns the service's error for a field, or null. */
export type Refused = (field: (typeof SHOWN_FIELDS)[number]) => string | null

export type Draft = Pick<Flag, FieldWith<'form'>>

/** A set that is added: it is for no one until it has a share. */
export const NEW_SET: ConditionSet = { properties: [], rollout_percentage: 0, variant: null }

export const ALL_PEOPLE: ConditionSet = { ...NEW_SET, rollout_percentage: 100 }

export const newDraft = (): Draft => ({
  ...(initialValues('form') as Draft),
  filters: { groups: [{ ...NEW_SET }] },
})

export const draftOf = (flag: Draft): Draft =>
  Object.fromEntries(DRAFT_FIELDS.map((field) => [field, flag[field]])) as Draft

const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)

/** Returns the fields in which `draft` differs. */
export const changedFields = (base: Draft, draft: Draft): (keyof Draft)[] =>
  DRAFT_FIELDS.filter((field) => !same(base[field], draft[field]))

/** Returns the body of a write with the fields that changed. The API drops names beside ids, which reads add. */
export const bodyOf = (base: Draft, draft: Draft): components['schemas']['UpdateFlag'] =>
  Object.fromEntries(changedFields(base, draft).map((field) => [field, draft[field]]))

export const variantsOf = (filters: FlagFilters) => filters.multivariate?.variants ?? []

export type Kind = 'boolean' | 'variants' | 'config'

export const kindOf = (draft: Draft): Kind =>
  draft.is_remote_configuration ? 'config' : variantsOf(draft.filters).length > 0 ? 'variants' : 'boolean'

const withoutOverrides = (groups: readonly ConditionSet[]): ConditionSet[] =>
  groups.map((set) => ({ ...set, variant: null }))

/**
 * Returns the draft as another kind of flag, with everything that both kinds have.
 * @param left drafts of other kinds that the user left, the newest last. What was replaced in them comes back.
 */
export function asKind(draft: Draft, kind: Kind, left: readonly Draft[] = []): Draft {
  const from = kindOf(draft)
  if (kind === from) return draft
  const { filters } = draft
  const last = left.findLast((each) => kindOf(each) === kind)?.filters
  const groups = groupsFor(draft, kind, left)
  const isOfVariants = kind === 'variants' || from === 'variants'
  return {
    ...draft,
    filters: {
      ...filters,
      groups: last && same(withoutOverrides(last.groups), groups) ? last.groups : groups,
      payloads: (isOfVariants ? last?.payloads : filters.payloads) ?? {},
      multivariate:
        kind === 'variants'
          ? (last?.multivariate ?? {
              variants: [
                { key: 'control', rollout_percentage: 50 },
                { key: 'test', rollout_percentage: 50 },
              ],
            })
          : null,
    },
    is_remote_configuration: kind === 'config',
    has_encrypted_payloads: kind === 'config' && draft.has_encrypted_payloads,
  }
}

/** Returns the sets for another kind. A new flag is released to no one, and a new remote configuration to all people. */
function groupsFor({ filters }: Draft, kind: Kind, left: readonly Draft[]): ConditionSet[] {
  const groups = withoutOverrides(filters.groups)
  const isNew = (sets: readonly ConditionSet[]) => same(sets, newDraft().filters.groups)
  if (kind === 'config') return isNew(groups) ? [ALL_PEOPLE] : groups
  const released = left.findLast((each) => kindOf(each) !== 'config')?.filters.groups
  return released && isNew(released) && same(groups, [ALL_PEOPLE]) ? released : groups
}

/** Returns shares that sum to 100, with two decimals. The first ones get the remainder. */
export function equalShares(count: number): number[] {
  const each = Math.floor(10_000 / count)
  return Array.from({ length: count }, (_, index) => (each + (index < 10_000 - each * count ? 1 : 0)) / 100)
}

type Variant = NonNullable<FlagFilters['multivariate']>['variants'][number]

const keysOf = (variants: readonly Variant[]): string[] => variants.map(({ key }) => key)

/** Whether every variant can be named: keys that the user types may be empty, or those of others. */
const areDistinct = (keys: readonly string[]): boolean =>
  keys.every((key, index) => key !== '' && keys.indexOf(key) === index)

/** Returns the keys by which payloads and overrides name the variants: their own, or `names` while those are not distinct. */
export function namesOf({ filters }: Draft, names: readonly string[] | null): readonly string[] {
  const keys = keysOf(variantsOf(filters))
  return names?.length === keys.length && !areDistinct(keys) ? names : keys
}

/**
 * Returns the draft with other variants.
 * @param names the key by which payloads and overrides name each of them. They follow it to its own key, once all keys are distinct.
 */
export function withVariants(draft: Draft, variants: readonly Variant[], names: readonly string[]): Draft {
  const keys = keysOf(variants)
  const filters = { ...draft.filters, multivariate: { variants: [...variants] } }
  return {
    ...draft,
    filters: areDistinct(keys) ? renamed(filters, (name) => keys[names.indexOf(name)]) : filters,
  }
}

/** Returns the draft without a variant, its payload and its overrides. */
export function withoutVariant(draft: Draft, index: number, names: readonly string[]): Draft {
  const filters = renamed(draft.filters, (name) => (name === names[index] ? undefined : name))
  const variants = variantsOf(filters).toSpliced(index, 1)
  return withVariants({ ...draft, filters }, variants, names.toSpliced(index, 1))
}

/** Returns filters whose payloads and overrides name variants by other keys. Those without one are removed. */
function renamed(filters: FlagFilters, keyOf: (name: string) => string | undefined): FlagFilters {
  const payloads = Object.entries(filters.payloads ?? {}).flatMap(([name, value]) => {
    const key = keyOf(name)
    return key === undefined ? [] : [[key, value] as const]
  })
  const groups = filters.groups.map((set) => ({
    ...set,
    variant: (set.variant ? keyOf(set.variant) : null) ?? null,
  }))
  return { ...filters, groups, payloads: Object.fromEntries(payloads) }
}

/** Problems of a draft by place: `key`, `variants`, `groups.0.properties.1`, `payloads.true`. */
export type Issues = ReadonlyMap<string, string>

const KEY = /^[a-zA-Z0-9_-]+$/
const NEEDS_NO_VALUE = new Set(['is_set', 'is_not_set'])

/** Returns problems that the service would reject, before sending. The service decides. */
export function issuesOf(draft: Draft): Issues {
  const issues = new Map<string, string>()
  if (draft.key === '') issues.set('key', 'A key is needed.')
  else if (!KEY.test(draft.key)) issues.set('key', 'Use letters, digits, hyphens and underscores only.')
  for (const [index, set] of draft.filters.groups.entries()) {
    for (const [at, property] of (set.properties ?? []).entries()) {
      const issue = issueOf(property)
      if (issue) issues.set(`groups.${index}.properties.${at}`, issue)
    }
  }
  const variants = variantsOf(draft.filters)
  if (variants.length > 0) {
    const sum = variants.reduce((total, { rollout_percentage: share }) => total + share, 0)
    const keys = variants.map(({ key }) => key)
    if (keys.some((key) => key === '')) issues.set('variants', 'Every variant needs a key.')
    else if (new Set(keys).size < keys.length) issues.set('variants', 'Two variants have the same key.')
    else if (Math.abs(sum - 100) > 0.001)
      issues.set('variants', `The shares sum to ${Number(sum.toFixed(2))}%. They have to sum to 100%.`)
  }
  for (const [key, text] of Object.entries(draft.filters.payloads ?? {})) {
    const issue = jsonIssue(text)
    if (issue && !draft.has_encrypted_payloads) issues.set(`payloads.${key}`, issue)
  }
  if (draft.is_remote_configuration && !draft.filters.payloads?.true)
    issues.set('payloads.true', 'A remote configuration needs a value.')
  return issues
}

/** Returns the missing part of a condition, or null when it is complete. */
export function issueOf({ type, key, operator, value }: PropertyFilter): string | null {
  if (type === 'cohort') return value ? null : 'Choose a cohort.'
  if (!key) return type === 'flag' ? 'Choose a flag.' : 'Choose a property.'
  if (NEEDS_NO_VALUE.has(operator ?? '')) return null
  const isMissing =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  return isMissing ? 'Enter a value.' : null
}

/** Returns why a text is not JSON, or null when it is, or is empty. */
function jsonIssue(text: string): string | null {
  const words = text === '' ? null : jsonIssueWords(text)
  return words === null ? null : `Not valid JSON. ${words}`
}

/** Returns whether a field for a percentage takes a text: up to 100 with two decimals. One with more, which the API has set, can be shortened. */
export const isPercentage = (text: string, before: string): boolean =>
  (/^\d{0,3}(\.\d{0,2})?$/.test(text) || (text.length < before.length && /^\d{0,3}(\.\d*)?$/.test(text))) &&
  !(Number(text) > 100)

/** Returns a list with one entry replaced, or removed when `entry` is null. */
export const replaceAt = <T>(list: readonly T[], index: number, entry: T | null): T[] =>
  list.flatMap((each, at) => (at === index ? (entry === null ? [] : [entry]) : [each]))

/** Returns a list with one entry moved by a place, if there is one. */
export function moveBy<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  const target = index + by
  if (target < 0 || target >= list.length) return [...list]
  const moved = [...list]
  ;[moved[index], moved[target]] = [moved[target]!, moved[index]!]
  return moved
}
