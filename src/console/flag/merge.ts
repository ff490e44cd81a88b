// Merges two edits of the same flag. The functions are pure.
import type { Flag, FlagFilters } from '../api/client'
import { canonical } from '../api/canonical'
import { type Change, changesBetween } from '../grammar/differences'
import { type Draft, DRAFT_FIELDS, draftOf } from './draft'

const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null)

/** Returns the value of the edit that changed it, or of `first` if both did. */
const settled = <T>(base: T, first: T, second: T): T => (same(base, first) ? second : first)

type Members = Readonly<Record<string, unknown>>

/** Merges the members of an object one by one. */
function settledMembers(base: Members, first: Members, second: Members): Members {
  const names = new Set([base, first, second].flatMap(Object.keys))
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = settled(base[name], first[name], second[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

type Sets = FlagFilters['groups']

/** Merges condition sets one by one, unless both edits added or removed sets, so that a position no longer means the same set for both. */
function settledSets(base: Sets, first: Sets, second: Sets): Sets {
  if (first.length !== base.length && second.length !== base.length) return settled(base, first, second)
  const length = Math.max(base.length, first.length, second.length)
  return Array.from({ length }, (_, at) => settled(base[at], first[at], second[at])).filter(
    (set) => set !== undefined,
  )
}

/** Merges both edits of `base`. If they collide, that of `first` wins. */
function merge(base: Draft, first: Draft, second: Draft): Draft {
  const filtersOf = ({ filters }: Draft) => filters
  const [from, one, other] = [base, first, second].map(filtersOf) as [FlagFilters, FlagFilters, FlagFilters]
  const filters = {
    ...settledMembers(from, one, other),
    groups: settledSets(from.groups, one.groups, other.groups),
    payloads: settledMembers(from.payloads ?? {}, one.payloads ?? {}, other.payloads ?? {}),
  } as FlagFilters
  return { ...(settledMembers(base, first, second) as Draft), filters }
}

/** Applies the edit `mine` of `base` to another user's edit. Also returns what both changed, with both values. */
export function rebase(base: Flag, mine: Draft, theirs: Flag): { draft: Draft; collisions: Change[] } {
  const [from, other] = [draftOf(base), draftOf(theirs)]
  const draft = merge(from, mine, other)
  return { draft, collisions: changesBetween(DRAFT_FIELDS, merge(from, other, mine), draft) }
}
