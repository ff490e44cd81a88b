// What an event says about its person and its groups.
import { isLongerThan } from '../../characters'
import { isObject, type JsonObject } from '../../json'
import { changesIn, type PropertyChanges } from './property-changes'

/** Code points of a distinct id, and of an event's name. */
export const MAX_IDENTIFIER = 200

/** Code points of a group key, and of a group type's name. */
const MAX_GROUP_KEY = 400

/** Values that clients send by mistake; a merge with one of these would join many persons. Case-insensitive. */
const PLACEHOLDERS = new Set([
  'null',
  'undefined',
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'true',
  'false',
])

/** Case-sensitive. */
const EXACT_PLACEHOLDERS = new Set(['0', '[object Object]', 'NaN', 'None', 'none', ''])

/** Whether a distinct id names no person, so that it must not be merged. */
function isPlaceholder(distinctId: string): boolean {
  const trimmed = distinctId.trim()
  return PLACEHOLDERS.has(trimmed.toLowerCase()) || EXACT_PLACEHOLDERS.has(trimmed)
}

/** Strings and numbers as text; null for anything else, and for blank text. */
export function identifierIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? storable(value) : null
}

/** SQLite ends text at U+0000, and UTF-8 has no half surrogates. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Reports a part of an event that is ignored. */
export type Report = (attr: string, detail: string) => void

/** In the terms of the error envelope. */
export interface Problem {
  /** Index of the event in the request. */
  index: number
  detail: string
  attr: string | null
}

export interface PersonPart {
  changes: PropertyChanges
  /** Whether the person is identified from now on. */
  identifies: boolean
  /** The person of this distinct id is merged into the event's. */
  merge: { distinctId: string; evenIdentified: boolean; attr: string } | null
}

export function personPartOf(
  event: string,
  distinctId: string,
  properties: JsonObject,
  report: Report,
): PersonPart {
  const changes = changesIn(properties)
  switch (event) {
    case '$identify':
      return {
        changes,
        identifies: !isPlaceholder(distinctId),
        merge: otherPerson('$anon_distinct_id', distinctId, properties, false, report),
      }
    case '$create_alias':
    case '$merge_dangerously': {
      const merge = otherPerson('alias', distinctId, properties, event === '$merge_dangerously', report)
      if (identifierIn(properties.alias) === null) report('properties__alias', 'This field is required.')
      return { changes, identifies: merge !== null, merge }
    }
    default:
      return { changes, identifies: false, merge: null }
  }
}

function otherPerson(
  key: string,
  distinctId: string,
  properties: JsonObject,
  evenIdentified: boolean,
  report: Report,
): PersonPart['merge'] {
  const other = identifierIn(properties[key])
  const attr = `properties__${key}`
  if (other === null || other === distinctId) return null
  const placeholder = [distinctId, other].find(isPlaceholder)
  if (placeholder !== undefined) {
    report(
      placeholder === other ? attr : 'distinct_id',
      `"${placeholder}" names no person, so it is not merged.`,
    )
    return null
  }
  if (isLongerThan(other, MAX_IDENTIFIER)) {
    report(attr, `Ensure this field has no more than ${MAX_IDENTIFIER} characters.`)
    return null
  }
  return { distinctId: other, evenIdentified, attr }
}

export interface GroupName {
  type: string
  key: string
}

export interface GroupIdentify extends GroupName {
  set: JsonObject
}

const isUsable = (name: string | null): name is string => name !== null && !isLongerThan(name, MAX_GROUP_KEY)

/** Groups of `$groups`; invalid names are ignored. */
export function groupsOf($groups: unknown): GroupName[] {
  if (!isObject($groups)) return []
  return Object.entries($groups).flatMap(([sentType, sentKey]) => {
    const [type, key] = [identifierIn(sentType), identifierIn(sentKey)]
    return isUsable(type) && isUsable(key) ? [{ type, key }] : []
  })
}

/** The group of a `$groupidentify` event; null, and reported, for invalid names. */
export function groupIdentifyOf(properties: JsonObject, report: Report): GroupIdentify | null {
  const [type, key] = [identifierIn(properties.$group_type), identifierIn(properties.$group_key)]
  if (isUsable(type) && isUsable(key)) {
    return { type, key, set: isObject(properties.$group_set) ? properties.$group_set : {} }
  }
  const detail = `Must be text of at most ${MAX_GROUP_KEY} characters, or a number.`
  report(isUsable(type) ? 'properties__$group_key' : 'properties__$group_type', detail)
  return null
}
