// Property definitions that this isolate knows to be stored, so that steady traffic neither asks for them nor writes them again.
import type { PropertyDefinition, PropertyOwner } from '../property-type'

/** Definitions that a project may have. Names beyond them have no type: their values are text. */
export const MAX_DEFINITIONS = 10_000

/** Names that an isolate keeps, of all projects together: some megabytes at most. */
const CAPACITY = 2 * MAX_DEFINITIONS

/** What is known of one project. */
export interface KnownOfProject {
  /** By owner. */
  names: ReadonlyMap<PropertyOwner, ReadonlySet<string>>
  /** How many further definitions this isolate may try to store. */
  room: number
}

export interface KnownProperties {
  of(projectId: number): KnownOfProject
  /** Notes definitions that were stored just now, or that the table had no room for: neither is tried again. */
  add(projectId: number, definitions: readonly PropertyDefinition[]): void
}

interface Entry {
  names: Map<PropertyOwner, Set<string>>
  size: number
}

/** Holds names only, in order of use by project: the project that nothing came from for longest is forgotten first. */
export function createKnownProperties(): KnownProperties {
  const entries = new Map<number, Entry>()
  let total = 0

  function touch(projectId: number): Entry {
    const entry = entries.get(projectId) ?? { names: new Map(), size: 0 }
    entries.delete(projectId)
    entries.set(projectId, entry)
    return entry
  }

  function forgetOthers(than: number): void {
    for (const [projectId, { size }] of entries) {
      if (total <= CAPACITY) return
      if (projectId === than) continue
      entries.delete(projectId)
      total -= size
    }
  }

  return {
    of(projectId) {
      const { names, size } = touch(projectId)
      return { names, room: Math.max(0, MAX_DEFINITIONS - size) }
    },
    add(projectId, definitions) {
      const entry = touch(projectId)
      const before = entry.size
      for (const { owner, name } of definitions) {
        let names = entry.names.get(owner)
        if (!names) entry.names.set(owner, (names = new Set()))
        if (names.has(name)) continue
        names.add(name)
        entry.size += 1
      }
      total += entry.size - before
      forgetOthers(projectId)
    },
  }
}
