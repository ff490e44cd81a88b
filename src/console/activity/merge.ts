// The activity of several kinds of items as one list, from the API's lists of one kind each. Pure.
import type { ActivityEntry } from '../api/client'

export type Scope = ActivityEntry['scope']

/** A page of a list of activity. Large entries end a page early: the limit of the next one is smaller then. */
export interface PageNumber {
  page: number
  limit: number
}

/** A page of a kind's list. */
export interface PageOf extends PageNumber {
  scope: Scope
}

/** A read of the next page of some kinds. */
export interface ActivityRead {
  pages: readonly (PageOf & {
    entries: readonly ActivityEntry[]
    /** The page after this one; null at the end. */
    next: PageOf | null
  })[]
}

/** Entries of each kind that a read has. */
const READ = 50

export const firstPages = (scopes: readonly Scope[]): readonly PageOf[] =>
  scopes.map((scope) => ({ scope, page: 1, limit: READ }))

/** @param next address of the next page, as the API gives it. */
export function pageAt(next: string | null): PageNumber | null {
  if (next === null) return null
  const { searchParams: query } = new URL(next)
  return { page: Number(query.get('page')), limit: Number(query.get('limit')) }
}

/** Where the list of each kind that has more is read to. */
function endsOf(reads: readonly ActivityRead[]): { next: PageOf; oldestMs: number }[] {
  const last = new Map<Scope, ActivityRead['pages'][number]>()
  for (const { pages } of reads) for (const page of pages) last.set(page.scope, page)
  return [...last.values()].flatMap(({ next, entries }) =>
    next === null ? [] : [{ next, oldestMs: timeOf(entries.at(-1)) }],
  )
}

const timeOf = (entry: ActivityEntry | undefined): number =>
  entry ? Date.parse(entry.created_at) : Number.POSITIVE_INFINITY

/** Until when the list is complete, in epoch milliseconds: every entry from then on is read. -Infinity when all are. */
const completeFrom = (reads: readonly ActivityRead[]): number =>
  Math.max(...endsOf(reads).map(({ oldestMs }) => oldestMs))

/** What to read to go back further: the kinds that hold the list up. Null at its end. */
export function nextPages(reads: readonly ActivityRead[]): readonly PageOf[] | null {
  const from = completeFrom(reads)
  const wanted = endsOf(reads).filter(({ oldestMs }) => oldestMs >= from)
  return wanted.length === 0 ? null : wanted.map(({ next }) => next)
}

/** The entries that are read completely, newest first. Reads overlap when something changed in between. */
export function entriesOf(reads: readonly ActivityRead[]): ActivityEntry[] {
  const from = completeFrom(reads)
  const found = new Map<string, ActivityEntry>()
  for (const { pages } of reads)
    for (const { entries } of pages)
      for (const entry of entries) if (timeOf(entry) >= from) found.set(entry.id, entry)
  return [...found.values()].sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1))
}
