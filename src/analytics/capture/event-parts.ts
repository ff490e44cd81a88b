// The parts of an event about its person and its groups.
import { isLongerThan } from '../../characters'
import { cutIdentifier, MAX_IDENTIFIER_LENGTH } from '../../evaluation/bucketing'
import { textOf } from '../../evaluation/values/text'
import { isObject, type JsonObject } from '../../json'
import { copiesIn, type PropertyCopies } from './copied-properties'
import { changesIn, type PropertyChanges } from './property-changes'

export const CUT = `Only the first ${MAX_IDENTIFIER_LENGTH} characters count.`

/** Maximum code points of a group key, and of a group type's name. */
const MAX_GROUP_KEY = 400

/** Adds each id in quotes, as clients send it that write it as JSON or twice. */
const withQuoted = (ids: readonly string[]): ReadonlySet<string> =>
  new Set(ids.flatMap((id) => [id, `'${id}'`, `"${id}"`]))

/** Distinct ids that clients send by mistake, in any case of letters. A merge with one of them would join many persons. */
const PLACEHOLDERS = withQuoted([
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

/** Such distinct ids whose case matters. */
const EXACT_PLACEHOLDERS = withQuoted(['0', '[object Object]', 'NaN', 'None', 'none', 'null'])

/** Whether a distinct id names no person, so that it must not be merged. */
function isPlaceholder(distinctId: string): boolean {
  const trimmed = distinctId.trim()
  return trimmed === '' || PLACEHOLDERS.has(trimmed.toLowerCase()) || EXACT_PLACEHOLDERS.has(trimmed)
}

/** Returns strings and numbers as text, spelled as in `/flags`, and null for anything else and for blank text. */
export function identifierIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return textOf(value)
  return typeof value === 'string' && value.trim() !== '' ? storable(value) : null
}

/** Makes a text storable: SQLite ends text at U+0000, and UTF-8 has no half surrogates. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Returns the identifier for a value that is no text. It is the value's JSON, as upstream does. */
export const jsonIdentifier = (value: unknown): string =>
  storable(typeof value === 'number' ? String(value) : JSON.stringify(value))

/**
 * Types of problems with a part of an accepted event: the part is left out, or stored in another form. The names are upstream's where it
 * has some.
 */
export type PartProblem = 'part_ignored' | 'ignored_invalid_timestamp' | 'event_timestamp_in_future'

/** Reports a part of an event that is left out, or stored in another form. */
export type Report = (attr: string, detail: string, type?: PartProblem) => void

/** A problem in the terms of the error envelope. */
export interface Problem {
  /** The index of the event in the request. */
  index: number
  detail: string
  attr: string | null
  /** The type; the default for an accepted event is `part_ignored`. */
  type?: PartProblem
  /** The value of the field, where it is not part of an event. */
  sent?: { value: unknown }
}

export interface PersonPart {
  changes: PropertyChanges
  /** Properties of the event to be copied to the person. */
  copies: PropertyCopies | null
  /** Whether the person is identified from now on. */
  identifies: boolean
  /** The person of this distinct id is merged into the person of the event. */
  merge: { distinctId: string; evenIdentified: boolean; attr: string } | null
}

export function personPartOf(
  event: string,
  distinctId: string,
  properties: JsonObject,
  report: Report,
): PersonPart {
  const changes = changesIn(properties)
  const copies = copiesIn(event, properties, changes)
  switch (event) {
    case '$identify': {
      // Without another id, such as from the SDKs of servers, the person stays mergeable.
      const merge = otherPerson('$anon_distinct_id', distinctId, properties, false, report)
      return { changes, copies, identifies: merge !== null, merge }
    }
    case '$create_alias':
    case '$merge_dangerously': {
      const merge = otherPerson('alias', distinctId, properties, event === '$merge_dangerously', report)
      if (isEmpty(properties.alias)) report('properties__alias', 'This field is required.')
      return { changes, copies, identifies: merge !== null, merge }
    }
    default:
      return { changes, copies, identifies: false, merge: null }
  }
}

function otherPerson(
  key: string,
  distinctId: string,
  properties: JsonObject,
  evenIdentified: boolean,
  report: Report,
): PersonPart['merge'] {
  const sent = identifierIn(properties[key])
  const attr = `properties__${key}`
  if (sent === null) {
    if (!isEmpty(properties[key])) report(attr, 'Must be text or a number, so no person is merged.')
    return null
  }
  // The other id is cut too, because its own events have the cut id.
  const other = cutIdentifier(sent)
  if (other !== sent) report(attr, CUT)
  if (other === distinctId) return null
  const placeholder = [distinctId, other].find(isPlaceholder)
  if (placeholder !== undefined) {
    report(
      placeholder === other ? attr : 'distinct_id',
      `"${placeholder}" names no person, so it is not merged.`,
    )
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

/**
 * Returns the groups of `$groups`. Invalid names are ignored. They are reported unless they are empty, because clients send empty ones
 * for people without a group.
 */
export function groupsOf($groups: unknown, report: Report): GroupName[] {
  if (!isObject($groups)) {
    if (!isEmpty($groups)) report('properties__$groups', NO_OBJECT)
    return []
  }
  const entries = Object.entries($groups)
  const usable = entries.flatMap(([sentType, sentKey]) => {
    const [type, key] = [identifierIn(sentType), identifierIn(sentKey)]
    return isUsable(type) && isUsable(key) ? [{ type, key }] : []
  })
  if (usable.length < entries.filter(([, key]) => !isEmpty(key)).length)
    report('properties__$groups', NO_GROUP)
  return usable
}

const NO_GROUP = `A group must be text of at most ${MAX_GROUP_KEY} characters, or a number; others are ignored.`

export const NO_OBJECT = 'Expected an object, so this is ignored.'

/** Whether a value means that there is nothing. PHP writes an object without members as a list. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Returns the group of a `$groupidentify` event. It is null, and reported, for invalid names. */
export function groupIdentifyOf(properties: JsonObject, report: Report): GroupIdentify | null {
  const [type, key] = [identifierIn(properties.$group_type), identifierIn(properties.$group_key)]
  if (isUsable(type) && isUsable(key)) {
    const { $group_set: set } = properties
    if (isObject(set)) return { type, key, set }
    if (!isEmpty(set)) report('properties__$group_set', NO_OBJECT)
    return { type, key, set: {} }
  }
  const detail = `Must be text of at most ${MAX_GROUP_KEY} characters, or a number.`
  report(isUsable(type) ? 'properties__$group_key' : 'properties__$group_type', detail)
  return null
}
