// Two edits of the same flag become one. Pure.
import type { Flag, FlagFilters } from '../api/client'
import { canonical, type Change, changesBetween } from '../grammar/differences'
import { type Draft, DRAFT_FIELDS, draftOf } from './draft'

const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null)

/** What only one of two changed; where both did, what `first` made of it. */
const settled = <T>(base: T, first: T, second: T): T => (same(base, first) ? second : first)

type Members = Readonly<Record<string, unknown>>

/** The members of an object, settled one by one. */
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

/** Condition sets, settled one by one where a place means the same set for both: not when both added or removed sets. */
function settledSets(base: Sets, first: Sets, second: Sets): Sets {
  if (first.length !== base.length && second.length !== base.length) return settled(base, first, second)
  const length = Math.max(base.length, first.length, second.length)
  return Array.from({ length }, (_, at) => settled(base[at], first[at], second[at])).filter(
    (set) => set !== undefined,
  )
}

/** Both edits of `base`; where they collide, that of `first`. */
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

/** The edit `mine` of `base` on top of another user's edit, and what both changed: theirs and mine. */
export function rebase(base: Flag, mine: Draft, theirs: Flag): { draft: Draft; collisions: Change[] } {
  const [from, other] = [draftOf(base), draftOf(theirs)]
  const draft = merge(from, mine, other)
  return { draft, collisions: changesBetween(DRAFT_FIELDS, merge(from, other, mine), draft) }
}
