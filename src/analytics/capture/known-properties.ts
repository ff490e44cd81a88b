// Property definitions that this isolate knows to be stored, so that steady traffic neither asks for them nor writes them again.
import { LruCache } from '../../lru-cache'
import type { PropertyDefinition, PropertyOwner } from '../property-type'

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
