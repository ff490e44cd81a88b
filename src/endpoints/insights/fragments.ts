// Property filters of an insight as named pieces of its HogQL: the compiler puts the conditions where `{fragments.…}` stands.
import { hasFilters } from './series'
import type { PropertyFilters } from './shape'

export interface Fragments {
  readonly all: Record<string, PropertyFilters>
  /** HogQL for filters, under a name of their own; null without any. */
  add(name: string, filters: PropertyFilters | null | undefined): string | null
}

export function createFragments(): Fragments {
  const collected: Record<string, PropertyFilters> = {}
  return {
    all: collected,
    add(name, filters) {
      if (!hasFilters(filters)) return null
      collected[name] = filters
      return `{fragments.${name}}`
    },
  }
}
