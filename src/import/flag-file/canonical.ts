// Converts flags to the one form in which a file and a project are compared. Pure.
import { initialValues } from '../../flag-fields'
import type { FlagFilters } from '../../flags/filters/flag-filters'
import { normalize } from '../../flags/filters/normalize'
import { hasAlteredNumbers } from '../../http/body/exact-integers'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import { mapReferences, type References } from '../references'
import type { FlagFields } from './file'

const { filters: _filters, ...initial } = initialValues('file')

/** Values of a field that is left out. */
export const DEFAULTS = initial satisfies JsonObject

export type Canonical = Readonly<Record<keyof typeof DEFAULTS, JsonValue>> & { filters: JsonObject }

/**
 * A flag with all of its fields, and references by key.
 * @param toIds from keys to ids; a file has keys.
 * @throws UnknownReference.
 */
export function canonicalFlag(fields: FlagFields, names: References, toIds?: References): Canonical {
  const values = Object.fromEntries(
    Object.entries(DEFAULTS).map(([field, value]) => [field, (fields as JsonObject)[field] ?? value]),
  ) as Omit<Canonical, 'filters'>
  const filters = toIds ? mapReferences(fields.filters, toIds) : fields.filters
  return {
    ...values,
    tags: sortedTexts(values.tags),
    evaluation_contexts: sortedTexts(values.evaluation_contexts),
    filters: mapReferences(canonicalFilters(filters, values.has_encrypted_payloads === true), names),
  }
}

/** Sorts texts as the API stores tags and contexts. */
const sortedTexts = (value: JsonValue): string[] =>
  [...new Set((isArray(value) ? value : []).map((each) => String(each).trim().toLowerCase()))]
    .filter((each) => each !== '')
    .sort()

function canonicalFilters(filters: JsonObject, isEncrypted: boolean): JsonObject {
  const groups = (filters.groups ?? []) as unknown as FlagFilters['groups']
  const { payloads, ...rest } = normalize({ ...filters, groups } as FlagFilters) as unknown as JsonObject
  return {
    ...withoutEmpty(rest),
    groups: (rest.groups as readonly JsonObject[]).map(canonicalSet),
    // Encrypted payloads cannot be compared.
    ...(isEncrypted || !isObject(payloads ?? null) || Object.keys(payloads as object).length === 0
      ? {}
      : { payloads: canonicalPayloads(payloads as JsonObject) }),
  }
}

function canonicalSet(set: JsonObject): JsonObject {
  const properties = ((set.properties ?? []) as readonly JsonObject[]).map((property) => ({
    operator: property.type === 'cohort' ? 'in' : 'exact',
    ...withoutEmpty(property),
    ...(property.value === undefined ? {} : { value: property.value }),
  }))
  return {
    ...withoutEmpty(set),
    rollout_percentage: set.rollout_percentage ?? 100,
    ...(properties.length > 0 ? { properties } : {}),
  }
}

/** Returns the JSON of a payload. Text is JSON already, as in the API. */
const canonicalPayloads = (payloads: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(payloads).map(([key, value]) => [
      key,
      typeof value === 'string' ? parsedOrText(value) : (value ?? null),
    ]),
  )

/** A payload that is text in JSON stays as its JSON: written as text, it would be read as JSON again. So does one with a number that parsing alters. */
function parsedOrText(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'string' || hasAlteredNumbers(text) ? text : value
  } catch {
    return text
  }
}

/** Removes members that are empty: null, false, and empty lists and objects. */
const withoutEmpty = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => {
      if (member === null || member === undefined || member === false) return false
      return !isEmpty(member)
    }),
  )

const isEmpty = (member: JsonValue): boolean =>
  typeof member === 'object' &&
  member !== null &&
  (Object.keys(member).length === 0 ||
    (isObject(member) && isArray(member.variants) && member.variants.length === 0))

/** Returns a flag as a file has it, without defaults. */
export function fileFields(flag: Canonical, tag: string): FlagFields {
  const tags = (flag.tags as readonly string[]).filter((each) => each !== tag)
  const changed = Object.entries(DEFAULTS).flatMap(([field, value]): [string, JsonValue][] => {
    const own = field === 'tags' ? tags : flag[field as keyof typeof DEFAULTS]
    return JSON.stringify(own) === JSON.stringify(value) ? [] : [[field, own]]
  })
  return { ...Object.fromEntries(changed), filters: flag.filters }
}
