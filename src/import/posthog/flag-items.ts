// Flags of PostHog's API as items.
import { initialValues } from '../../flag-fields'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import type { TargetItem } from '../model'
import { splitNote } from '../note'
import { type References, tryReferences } from '../references'

/** The text that the API shows to everyone in place of an encrypted payload. */
const PLACEHOLDER = '*********'

/** @param payloads plain texts of encrypted payloads, by id of the flag. */
export function flagItem(
  flag: JsonObject,
  references: References,
  payloads: ReadonlyMap<number, JsonValue>,
): TargetItem {
  const { name, note } = splitNote(String(flag.name ?? ''))
  const base = { kind: 'flag' as const, key: String(flag.key), id: Number(flag.id) }
  const changes: string[] = []
  const sent: JsonObject = isObject(flag.filters) ? withoutShown(flag.filters) : {}
  const { mapped, problem: unknown } = tryReferences(sent, references)
  let filters = mapped ?? sent
  let problem = unknown
  if (flag.has_encrypted_payloads === true && Object.keys(filters.payloads ?? {}).length > 0) {
    const plain = payloads.get(base.id)
    if (plain === undefined) problem ??= 'has an encrypted payload that this key cannot read'
    else filters = { ...filters, payloads: { true: plain } }
  }
  const evaluated = withoutNegation(filters)
  if (evaluated !== null) {
    filters = evaluated
    changes.push('negation is left out: conditions of flags are evaluated without it, there and here')
  }
  if (hasMembers(filters.super_groups))
    changes.push('super_groups (early access enrollment) are left out: nothing evaluates them')
  if (hasMembers(filters.holdout_groups))
    changes.push('holdout_groups are left out: only `holdout` is evaluated')
  if (hasMembers(flag.experiment_set))
    changes.push('its experiments do not come over: they have no operations here')
  if (isObject(flag.features) && Object.keys(flag.features).length > 0)
    changes.push('its early access features do not come over: they have no operations here')
  if (flag.ensure_experience_continuity === true)
    changes.push(
      'who signed in after an anonymous visit may get another value: the ids that were kept for continuity do not come over',
    )
  return {
    ...base,
    value: {
      ...storedValues(flag),
      name,
      filters,
      tags: textsIn(flag.tags),
      // Earlier versions call them tags.
      evaluation_contexts: textsIn(flag.evaluation_contexts ?? flag.evaluation_tags),
    },
    initial: {
      ...(typeof flag.created_at === 'string' ? { created_at: flag.created_at } : {}),
      ...(typeof flag.last_called_at === 'string' ? { last_called_at: flag.last_called_at } : {}),
      ...(typeof flag.usage_dashboard === 'number' ? { usage_dashboard: true } : {}),
    },
    ...(note === null ? {} : { note }),
    changes,
    problem,
  }
}

/** Returns the values of a flag. Null means the value of a new flag. */
const storedValues = (flag: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(initialValues('import')).map(([field, initial]) => [field, flag[field] ?? initial]),
  )

/** Removes members that reads add for display. */
const withoutShown = (filters: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify(filters, (key, value: unknown) =>
      key === 'cohort_name' || key === 'group_key_names' || key === 'users_affected' ? undefined : value,
    ),
  ) as JsonObject

/** Filters whose conditions have no `negation`, which would be rejected, or null where none has. */
function withoutNegation(filters: JsonObject): JsonObject | null {
  const { groups } = filters
  if (!isArray(groups)) return null
  let isChanged = false
  const plain = (property: JsonValue): JsonValue => {
    if (!isObject(property) || property.negation !== true) return property
    isChanged = true
    const { negation: _negation, ...rest } = property
    return rest
  }
  const changed = groups.map((set) =>
    isObject(set) && isArray(set.properties) ? { ...set, properties: set.properties.map(plain) } : set,
  )
  return isChanged ? { ...filters, groups: changed } : null
}

const hasMembers = (value: JsonValue | undefined) => isArray(value) && value.length > 0

export const textsIn = (value: JsonValue | undefined): string[] =>
  isArray(value) ? value.filter((each) => typeof each === 'string').toSorted() : []

export const isPlaceholder = (value: unknown) => typeof value === 'string' && value.includes(PLACEHOLDER)
