// What people and groups may be called, and what only looks like a name. Pure.
import { isLongerThan } from '../../characters'
import { isObject, type JsonObject } from '../../json'
import { changesIn, type PropertyChanges } from './property-changes'

/** Code points that a distinct id, and an event's name, may have. */
export const MAX_IDENTIFIER = 200

/** Code points that a group's key, and a group type's name, may have. */
export const MAX_GROUP_KEY = 400

/** What clients send by mistake in place of a person; merging over one of these would make one person of many. In any case. */
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

/** The same, where only this spelling gives the mistake away. */
const EXACT_PLACEHOLDERS = new Set(['0', '[object Object]', 'NaN', 'None', 'none', ''])

/** Whether nobody can be meant by a distinct id, so that it must not be merged with another. */
export function isPlaceholder(distinctId: string): boolean {
  const trimmed = distinctId.trim()
  return PLACEHOLDERS.has(trimmed.toLowerCase()) || EXACT_PLACEHOLDERS.has(trimmed)
}

/** The text of an identifier that was sent as a string or a number; null for anything else, and for blank text. */
export function identifierIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? storable(value) : null
}

/** Text as the database gives it back: SQLite ends text at U+0000, and UTF-8 has no half surrogates. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Says what could not be done of an event that is kept all the same. */
export type Report = (attr: string, detail: string) => void

/** Something that could not be done, in the terms of the error envelope. */
export interface Problem {
  /** Place of the event in the request. */
  index: number
  detail: string
  attr: string | null
}

/** What an event says about its person. */
export interface PersonPart {
  changes: PropertyChanges
  /** Whether the distinct id names somebody from now on. */
  identifies: boolean
  /** The distinct id whose person is to become one with the event's. */
  merge: { distinctId: string; evenIdentified: boolean; attr: string } | null
}

/** Reads what an event says about its person (reference: `$identify`, `$create_alias`, `$merge_dangerously`, `$set` and its siblings). */
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
      `"${placeholder}" names nobody, so it is not merged.`,
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

/** The groups that an event happened in, from its `$groups`. What cannot be a group's name is passed over. */
export function groupsOf($groups: unknown): GroupName[] {
  if (!isObject($groups)) return []
  return Object.entries($groups).flatMap(([sentType, sentKey]) => {
    const [type, key] = [identifierIn(sentType), identifierIn(sentKey)]
    return isUsable(type) && isUsable(key) ? [{ type, key }] : []
  })
}

/** The group that a `$groupidentify` event describes; null, and reported, when it names none. */
export function groupIdentifyOf(properties: JsonObject, report: Report): GroupIdentify | null {
  const [type, key] = [identifierIn(properties.$group_type), identifierIn(properties.$group_key)]
  if (isUsable(type) && isUsable(key)) {
    return { type, key, set: isObject(properties.$group_set) ? properties.$group_set : {} }
  }
  const detail = `Must be text of at most ${MAX_GROUP_KEY} characters, or a number.`
  report(isUsable(type) ? 'properties__$group_key' : 'properties__$group_type', detail)
  return null
}
