// What a run of events teaches about the types of properties: the first value that says something decides. Pure.
import { isLongerThan } from '../../characters'
import type { JsonObject } from '../../json'
import { LruCache } from '../../lru-cache'
import { parseTimestamp } from '../../timestamps'
import type { PropertyDefinition, PropertyOwner, PropertyType } from '../property-definitions/property-type'
import type { CapturedEvent } from './parse-event'

/** Code points that the name of a property with a definition may have. */
const MAX_NAME = 200

/** Properties that carry changes and names of groups: nobody queries them for a value. */
const NEVER_LEARNED = /^\$(?:set|set_once|unset|groups|group_\d)$/

/** Properties of which some values look like something else: campaigns called `2024`, flags that answer `true` or a variant. */
const ALWAYS_TEXT =
  /^(?:utm_|\$initial_utm_|\$feature\/|\$feature_flag_response$|\$survey_response|distinct_id$)/

/**
 * The definitions that events give and the project does not have yet, as far as is known. A group's properties belong to its type's
 * number.
 * @param typeIndexes numbers of the group types.
 */
export function learnProperties(
  events: readonly CapturedEvent[],
  typeIndexes: ReadonlyMap<string, number>,
  { names, room }: KnownOfProject,
): PropertyDefinition[] {
  const learned = new Map<string, PropertyDefinition>()

  const learn = (owner: PropertyOwner, properties: JsonObject) => {
    const known = names.get(owner)
    for (const name of Object.keys(properties)) {
      if (known?.has(name) || learned.size >= room) continue
      const key = `${owner} ${name}`
      if (learned.has(key) || !isName(name)) continue
      const type = typeOf(name, properties[name])
      if (type) learned.set(key, { owner, name, type })
    }
  }

  for (const { properties, person, groupIdentify } of events) {
    const typeIndex = groupIdentify && typeIndexes.get(groupIdentify.type)
    if (groupIdentify && typeof typeIndex === 'number') learn(`group_${typeIndex}`, groupIdentify.set)
    // What else `$groupidentify` carries is about the group, too.
    if (!groupIdentify) learn('event', properties)
    if (person) {
      learn('person', person.changes.set)
      learn('person', person.changes.setOnce)
    }
  }
  return [...learned.values()]
}

/** SQLite ends text at U+0000, and UTF-8 has no half surrogates: such a name would be stored as another. */
const isName = (name: string): boolean =>
  name !== '' &&
  !isLongerThan(name, MAX_NAME) &&
  !name.includes('\u0000') &&
  name.isWellFormed() &&
  !NEVER_LEARNED.test(name)

/** What a value says about its property; null for what has no type: objects, lists, and nothing. */
export function typeOf(name: string, value: unknown): PropertyType | null {
  switch (typeof value) {
    case 'number':
      return ALWAYS_TEXT.test(name) ? 'String' : 'Numeric'
    case 'boolean':
      return ALWAYS_TEXT.test(name) ? 'String' : 'Boolean'
    case 'string':
      return !ALWAYS_TEXT.test(name) && parseTimestamp(value) !== null ? 'DateTime' : 'String'
    default:
      return null
  }
}

/** Definitions that a project may have. Names beyond them have no type: their values are text. */
export const MAX_DEFINITIONS = 10_000

/** Bytes of names that an isolate keeps, of all projects together. A project with as many definitions as it may have takes 5 MB at worst. */
export const MAX_KNOWN_BYTES = 8 * 1024 * 1024
/** Bytes that a name takes in a set, beside its characters. */
const BYTES_OF_A_NAME = 60

/** What is known of one project. */
export interface KnownOfProject {
  /** By owner. */
  names: ReadonlyMap<PropertyOwner, ReadonlySet<string>>
  /** How many further definitions this isolate may try to store. */
  room: number
}

declare module '../../deps' {
  interface Deps {
    /** Property definitions that are stored already. */
    knownProperties: KnownProperties
  }
}

export interface KnownProperties {
  of(projectId: number): KnownOfProject
  /** Notes definitions that were stored just now, or that the table had no room for: neither is tried again. */
  add(projectId: number, definitions: readonly PropertyDefinition[]): void
  /** Bytes that are kept. */
  readonly bytes: number
}

interface Entry {
  names: Map<PropertyOwner, Set<string>>
  size: number
  bytes: number
}

/** Holds names only. The project that nothing came from for longest is forgotten first. */
export function createKnownProperties(maxBytes = MAX_KNOWN_BYTES): KnownProperties {
  const entries = new LruCache<number, Entry>(maxBytes)
  return {
    get bytes() {
      return entries.weight
    },
    of(projectId) {
      const entry = entries.get(projectId)
      return entry
        ? { names: entry.names, room: Math.max(0, MAX_DEFINITIONS - entry.size) }
        : { names: new Map(), room: MAX_DEFINITIONS }
    },
    add(projectId, definitions) {
      if (definitions.length === 0) return
      const entry = entries.get(projectId) ?? {
        names: new Map<PropertyOwner, Set<string>>(),
        size: 0,
        bytes: 0,
      }
      for (const { owner, name } of definitions) {
        let names = entry.names.get(owner)
        if (!names) entry.names.set(owner, (names = new Set()))
        if (names.has(name)) continue
        names.add(name)
        entry.size += 1
        entry.bytes += BYTES_OF_A_NAME + 2 * name.length
      }
      entries.set(projectId, entry, entry.bytes)
    },
  }
}
