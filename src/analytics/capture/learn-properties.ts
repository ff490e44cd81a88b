// Learns names of events and types of properties from events. The first value of a property decides its type.
import { isLongerThan } from '../../characters'
import type { JsonObject } from '../../json'
import { LruCache } from '../../lru-cache'
import { parseTimestamp } from '../../timestamps'
import type {
  DefinitionOwner,
  LearnedDefinition,
  PropertyOwner,
  PropertyType,
} from '../property-definitions/property-type'
import type { CapturedEvent } from './parse-event'

/** Maximum code points of a name. */
const MAX_NAME = 200

/** Properties that contain changes and names of groups. They get no definition. */
const NEVER_LEARNED = /^\$(?:set|set_once|unset|groups|group_\d)$/

/**
 * Properties whose type is always text. Some of their values look like another type: campaigns named `2024`, flags with the result
 * `true`.
 */
const ALWAYS_TEXT =
  /^(?:utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response|distinct_id$)/i

/** Names of properties whose large whole numbers are times. */
const TIME_NAME = /time|date|[_-]at|createdat/i
/** A number under such a name is a time from half a year before now on: smaller ones may be durations. */
const TIME_NUMBER_AGE_S = 15_768_000

/** Prefixes of dates, and dates of mail headers. The property's later values decide more than whether the first one is a valid date. */
const DATE = /^(?:\d{4}[/-][0-2]\d[/-][0-3]\d|[0-2]\d[/-][0-3]\d[/-]\d{4})(?:[ T][0-2]\d:[0-6]\d:[0-6]\d.*)?$/
const MAIL_DATE = /^(?:[a-z]{3}, *)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[a-z]{1,3}|[+-]\d{4})$/i

/** Returns the definitions that the cache does not have. The owner of a group's property is the index of the group's type. */
export function learnProperties(
  events: readonly CapturedEvent[],
  typeIndexes: ReadonlyMap<string, number>,
  { names, remaining }: ProjectDefinitions,
  now: Date,
): LearnedDefinition[] {
  const learned = new Map<string, LearnedDefinition>()

  const learnName = (name: string) => {
    const key = `event_name ${name}`
    if (names.get('event_name')?.has(name) || learned.size >= remaining || learned.has(key) || !isName(name))
      return
    learned.set(key, { owner: 'event_name', name, type: 'String' })
  }

  const learn = (owner: PropertyOwner, properties: JsonObject) => {
    const known = names.get(owner)
    for (const name of Object.keys(properties)) {
      if (known?.has(name) || learned.size >= remaining) continue
      const key = `${owner} ${name}`
      if (learned.has(key) || !isName(name) || NEVER_LEARNED.test(name)) continue
      const type = typeOf(name, properties[name], now)
      if (type) learned.set(key, { owner, name, type })
    }
  }

  for (const { event, properties, person, groupIdentify, isStored } of events) {
    const typeIndex = groupIdentify && typeIndexes.get(groupIdentify.type)
    if (groupIdentify && typeof typeIndex === 'number') learn(`group_${typeIndex}`, groupIdentify.set)
    // The other properties of `$groupidentify` are about the group as well.
    if (isStored && !groupIdentify) learn('event', properties)
    if (person) {
      learn('person', person.changes.set)
      learn('person', person.changes.setOnce)
      if (person.copies) {
        learn('person', person.copies.set)
        learn('person', person.copies.setOnce)
      }
    }
    if (isStored) learnName(event)
  }
  return [...learned.values()]
}

/** Whether a name can be stored as it is: SQLite ends text at U+0000, and UTF-8 has no half surrogates. */
const isName = (name: string): boolean =>
  name !== '' && !isLongerThan(name, MAX_NAME) && !name.includes('\u0000') && name.isWellFormed()

/** Returns the type that upstream detects, or null for objects, lists and null, which have none. */
export function typeOf(name: string, value: unknown, now: Date): PropertyType | null {
  switch (typeof value) {
    case 'number':
      if (ALWAYS_TEXT.test(name)) return 'String'
      return TIME_NAME.test(name) && isRecentTime(value, now) ? 'DateTime' : 'Numeric'
    case 'boolean':
      return ALWAYS_TEXT.test(name) ? 'String' : 'Boolean'
    case 'string':
      return ALWAYS_TEXT.test(name) ? 'String' : typeOfText(value.trim())
    default:
      return null
  }
}

const isRecentTime = (value: number, now: Date): boolean =>
  Number.isInteger(value) && value >= now.getTime() / 1000 - TIME_NUMBER_AGE_S

function typeOfText(text: string): PropertyType {
  if (/^(?:true|false|TRUE|FALSE)$/.test(text)) return 'Boolean'
  return parseTimestamp(text) !== null || DATE.test(text) || MAIL_DATE.test(text) ? 'DateTime' : 'String'
}

/** Maximum definitions of a project, of properties and events. Other properties have no definition, and their values are text. */
export const MAX_DEFINITIONS = 10_000

/** Maximum bytes of the cache, which all projects share. The largest project takes 5 MB. */
export const MAX_KNOWN_BYTES = 8 * 1024 * 1024
/** Bytes of a name in the cache besides its characters. */
const NAME_BYTES = 60

export interface ProjectDefinitions {
  names: ReadonlyMap<DefinitionOwner, ReadonlySet<string>>
  /** The number of further definitions that may be stored. */
  remaining: number
}

export interface KnownProperties {
  of(projectId: number): ProjectDefinitions
  /** Adds definitions that were stored or rejected by the limit. Neither are written again. */
  add(projectId: number, definitions: readonly LearnedDefinition[]): void
  readonly bytes: number
}

interface Entry {
  names: Map<DefinitionOwner, Set<string>>
  size: number
  bytes: number
}

/** Creates the isolate's cache of names, because of which steady traffic neither reads nor writes definitions. */
export function createKnownProperties(maxBytes = MAX_KNOWN_BYTES): KnownProperties {
  const entries = new LruCache<number, Entry>(maxBytes)
  return {
    get bytes() {
      return entries.weight
    },
    of(projectId) {
      const entry = entries.get(projectId)
      return entry
        ? { names: entry.names, remaining: Math.max(0, MAX_DEFINITIONS - entry.size) }
        : { names: new Map(), remaining: MAX_DEFINITIONS }
    },
    add(projectId, definitions) {
      if (definitions.length === 0) return
      const entry = entries.get(projectId) ?? {
        names: new Map<DefinitionOwner, Set<string>>(),
        size: 0,
        bytes: 0,
      }
      for (const { owner, name } of definitions) {
        let names = entry.names.get(owner)
        if (!names) entry.names.set(owner, (names = new Set()))
        if (names.has(name)) continue
        names.add(name)
        entry.size += 1
        entry.bytes += NAME_BYTES + 2 * name.length
      }
      entries.set(projectId, entry, entry.bytes)
    },
  }
}
