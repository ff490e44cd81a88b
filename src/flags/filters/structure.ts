// Types of the parts of `filters` as sent. Rules 1–8 and 10 of docs/reference/flags.md#rules-for-filters.
import { MAX_GROUP_TYPES } from '../../evaluation/groups'
import { closestKey, noSuchField, unknownKey } from '../../http/body/misspelt-keys'
import { invalid } from '../../errors'
import { typeWords } from '../../http/value-words'
import { isObject, type UnknownObject } from '../../json'
import { type FlagFilters, listIn, propertiesIn, reject } from './flag-filters'

/** The keys of each part of `filters` that have an effect, and those that upstream's records and clients have besides. */
const KEYS = {
  filters: {
    known: [
      'groups',
      'multivariate',
      'payloads',
      'aggregation_group_type_index',
      'holdout',
      'feature_enrollment',
      'early_exit',
    ],
    others: ['super_groups', 'holdout_groups', 'version'],
  },
  set: {
    known: ['properties', 'rollout_percentage', 'variant', 'aggregation_group_type_index'],
    others: ['description', 'sort_key', 'users_affected'],
  },
  property: {
    known: ['key', 'type', 'operator', 'value', 'group_type_index', 'negation'],
    others: ['label', 'cohort_name', 'group_key_names', 'dependency_chain', 'bytecode', 'conditionHash'],
  },
  multivariate: { known: ['variants'], others: [] },
  variant: { known: ['key', 'rollout_percentage'], others: ['name', 'description'] },
  holdout: { known: ['id', 'exclusion_percentage'], others: ['name', 'description'] },
} as const satisfies Record<string, { known: readonly string[]; others: readonly string[] }>

/**
 * Keys that belong in another object than a condition set or `multivariate` when they are next to it, and other words for such keys.
 */
const MISPLACED: Readonly<Record<string, string>> = {
  conditions: 'groups',
  condition_sets: 'groups',
  properties: 'groups[].properties',
  rollout: 'groups[].rollout_percentage',
  rollout_percentage: 'groups[].rollout_percentage',
  variant: 'groups[].variant',
  variants: 'multivariate.variants',
}

type Part = keyof typeof KEYS

/** Keys of the parts of stored filters. A client that reads a flag may send them back, although they are not known. */
type StoredKeys = Readonly<Partial<Record<Part, ReadonlySet<string>>>>

/** @param filters filters in any form */
function storedKeysOf(filters: UnknownObject): StoredKeys {
  const keysOf = (parts: readonly unknown[]) => new Set(parts.filter(isObject).flatMap(Object.keys))
  const { multivariate, holdout } = filters
  return {
    set: keysOf(listIn(filters.groups)),
    property: keysOf(propertiesIn(filters)),
    variant: keysOf(listIn(isObject(multivariate) ? multivariate.variants : null)),
    holdout: keysOf([holdout]),
  }
}

/**
 * @throws 400 for a key that a part does not have: without the condition that it may mean, a flag would be on for everyone. `filters` and
 * `multivariate` may have others, unless they are close to a known one.
 */
function checkKeys(part: object, kind: Part, at: string, stored: StoredKeys): void {
  const { known } = KEYS[kind]
  const isStrict = kind !== 'filters' && kind !== 'multivariate'
  for (const key of unknownKeysOf(part, kind)) {
    if (stored[kind]?.has(key)) continue
    const misplaced = kind === 'filters' && Object.hasOwn(MISPLACED, key) ? MISPLACED[key]! : null
    if (misplaced !== null) reject(unknownKey(`${at}${key}`, misplaced), 'unknown_field')
    if (isStrict || closestKey(key, known) !== null) reject(noSuchField(key, known, at), 'unknown_field')
  }
}

const unknownKeysOf = (part: object, kind: Part): string[] => {
  const { known, others }: { known: readonly string[]; others: readonly string[] } = KEYS[kind]
  return Object.keys(part).filter((key) => !known.includes(key) && !others.includes(key))
}

/**
 * Checks the keys of a condition set that is counted and not stored.
 * @throws 400 `unknown_field`, attr the path of the first unknown key
 */
export function checkCountedSet(set: UnknownObject): void {
  requireKnown(set, 'set', 'condition')
  for (const [index, property] of listIn(set.properties).entries())
    if (isObject(property)) requireKnown(property, 'property', `condition__properties__${index}`)
}

function requireKnown(part: object, kind: 'set' | 'property', at: string): void {
  const [key] = unknownKeysOf(part, kind)
  if (key !== undefined) throw invalid(`${at}__${key}`, noSuchField(key, KEYS[kind].known), 'unknown_field')
}

/**
 * Returns the path from the body at which a part of filters belongs that is next to `filters` in a body. It would be ignored, and the
 * flag would have other conditions than its caller thinks. Returns null for other keys, for a null value, and for the percentage that
 * records of upstream repeat there.
 */
export function placeInFilters(key: string, body: UnknownObject): string | null {
  const part = PARTS.includes(key) ? key : closestKey(key, PARTS)
  const value = body[key] ?? null
  if (part === null || value === null) return null
  if (part === 'rollout_percentage' && value === onlyPercentage(body.filters)) return null
  return `filters.${MISPLACED[part] ?? part}`
}

/** Parts of filters. `features` is not one: upstream's records have early access features in it. */
const PARTS = [...KEYS.filters.known.filter((key) => key !== 'feature_enrollment'), ...Object.keys(MISPLACED)]

/** Returns the percentage of the only condition set. */
function onlyPercentage(filters: unknown): unknown {
  const groups = isObject(filters) ? filters.groups : null
  const set: unknown = Array.isArray(groups) && groups.length === 1 ? groups[0] : null
  return isObject(set) ? set.rollout_percentage : undefined
}

/**
 * Checks everything but the variants, which `checkMultivariate` checks after the patterns of the conditions.
 * @param requireGroups whether at least one condition set is required (on create)
 * @param stored the stored filters, whose keys may be sent back
 * @throws 400, attr `filters`, for the first invalid part
 */
export function checkStructure(
  filters: Record<string, unknown>,
  { requireGroups, stored }: { requireGroups: boolean; stored: UnknownObject | null },
): asserts filters is FlagFilters & Record<string, unknown> {
  const storedKeys = storedKeysOf(stored ?? {})
  checkKeys(filters, 'filters', '', storedKeys)
  const { groups = [] } = filters
  if (groups !== null && !Array.isArray(groups)) reject(`groups must be a list, got ${typeWords(groups)}`)
  const sets = (groups ?? []) as unknown[]
  if (requireGroups && sets.length === 0)
    reject('Feature flags must have at least one condition set (group).')
  for (const [i, set] of sets.entries())
    if (!isObject(set)) reject(`groups[${i}] must be an object, got ${typeWords(set)}`)

  checkIndex(filters.aggregation_group_type_index, 'aggregation_group_type_index')
  for (const field of ['early_exit', 'feature_enrollment']) checkBoolean(filters[field], field)
  for (const [i, set] of sets.entries()) checkSet(set as Record<string, unknown>, `groups[${i}]`, storedKeys)
  checkHoldout(filters.holdout, storedKeys)
}

function checkSet(set: Record<string, unknown>, at: string, stored: StoredKeys): void {
  checkKeys(set, 'set', `${at}.`, stored)
  if (set.variant !== null && set.variant !== undefined && typeof set.variant !== 'string') {
    reject(`${at}.variant must be a string or null, got ${typeWords(set.variant)}`)
  }
  if (set.rollout_percentage !== null && set.rollout_percentage !== undefined) {
    checkPercentage(set.rollout_percentage, `${at}.rollout_percentage`, 'a number or null')
  }
  checkIndex(set.aggregation_group_type_index, `${at}.aggregation_group_type_index`)
  const properties = set.properties ?? []
  if (!Array.isArray(properties)) reject(`${at}.properties must be a list, got ${typeWords(properties)}`)
  for (const [j, property] of (properties as unknown[]).entries())
    checkProperty(property, `${at}.properties[${j}]`, stored)
}

function checkProperty(property: unknown, at: string, stored: StoredKeys): void {
  if (!isObject(property)) return reject(`${at} must be an object, got ${typeWords(property)}`)
  checkKeys(property, 'property', `${at}.`, stored)
  const { key, operator, negation } = property
  if (typeof key !== 'string' && typeof key !== 'number')
    reject(`${at}.key must be a string, got ${typeWords(key)}`)
  if (operator !== null && operator !== undefined && typeof operator !== 'string') {
    reject(`${at}.operator must be a string or null, got ${typeWords(operator)}`)
  }
  // Conditions of flags are evaluated without `negation`, and those of cohorts with it.
  checkBoolean(negation, `${at}.negation`)
  if (negation === true)
    reject(
      `${at}.negation has no effect on conditions of flags. Use an operator such as is_not or not_in.`,
      'unsupported_filter',
    )
  checkIndex(property.group_type_index, `${at}.group_type_index`)
}

/**
 * @param stored the stored filters, whose keys may be sent back
 * @throws 400, attr `filters`, for the first invalid part of the variants
 */
export function checkMultivariate(multivariate: unknown, stored: UnknownObject | null): void {
  if (multivariate === null || multivariate === undefined) return
  if (!isObject(multivariate))
    return reject(`multivariate must be an object or null, got ${typeWords(multivariate)}`)
  const storedKeys = storedKeysOf(stored ?? {})
  checkKeys(multivariate, 'multivariate', 'multivariate.', storedKeys)
  const { variants } = multivariate
  if (!Array.isArray(variants))
    return reject(`multivariate.variants must be a list, got ${typeWords(variants)}`)
  for (const [i, variant] of (variants as unknown[]).entries()) {
    const at = `multivariate.variants[${i}]`
    if (!isObject(variant)) return reject(`${at} must be an object, got ${typeWords(variant)}`)
    checkKeys(variant, 'variant', `${at}.`, storedKeys)
    if (typeof variant.key !== 'string' || variant.key === '') reject(`${at}.key must be a non-empty string`)
    if (variant.rollout_percentage === null || variant.rollout_percentage === undefined) {
      reject(`${at}.rollout_percentage must be a number, got null`)
    }
    checkPercentage(variant.rollout_percentage, `${at}.rollout_percentage`, 'a number')
  }
}

function checkHoldout(holdout: unknown, stored: StoredKeys): void {
  if (holdout === null || holdout === undefined) return
  if (!isObject(holdout)) return reject(`holdout must be an object or null, got ${typeWords(holdout)}`)
  checkKeys(holdout, 'holdout', 'holdout.', stored)
  if (!Number.isSafeInteger(holdout.id)) reject(`holdout.id must be an integer, got ${typeWords(holdout.id)}`)
  checkPercentage(holdout.exclusion_percentage, 'holdout.exclusion_percentage', 'a number')
}

function checkPercentage(value: unknown, at: string, expected: string): void {
  if (typeof value !== 'number') return reject(`${at} must be ${expected}, got ${typeWords(value)}`)
  if (value < 0 || value > 100) reject(`${at} must be between 0 and 100, got ${value}`)
}

function checkIndex(value: unknown, at: string): void {
  if (value === null || value === undefined) return
  if (!Number.isSafeInteger(value)) reject(`${at} must be an integer or null, got ${typeWords(value)}`)
  if (!(Number(value) >= 0 && Number(value) < MAX_GROUP_TYPES))
    reject(`${at} must be the index of a group type, 0 to ${MAX_GROUP_TYPES - 1}, got ${String(value)}`)
}

function checkBoolean(value: unknown, at: string): void {
  if (value === null || value === undefined || typeof value === 'boolean') return
  reject(`${at} must be a boolean or null, got ${typeWords(value)}`)
}
