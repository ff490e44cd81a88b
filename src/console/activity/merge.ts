// Merges the activity of several kinds of items into one list, from the API's lists of one kind each. The functions are pure.
import type { ActivityEntry } from '../api/client'
import { isGenerated } from '../dashboards/title'

export type Scope = ActivityEntry['scope']

/** A page of a list of activity. Large entries end a page early, and the next one then has a smaller limit. */
export interface PageNumber {
  page: number
  limit: number
}

/** A page of one kind's list. */
export interface PageOf extends PageNumber {
  scope: Scope
}

/** A read of the next page of some kinds. */
export interface ActivityRead {
  pages: readonly (PageOf & {
    entries: readonly ActivityEntry[]
    /** The next page, or null at the end. */
    next: PageOf | null
  })[]
}

/** The number of entries of each kind that a read requests. */
const READ = 50

export const firstPages = (scopes: readonly Scope[]): readonly PageOf[] =>
  scopes.map((scope) => ({ scope, page: 1, limit: READ }))

/** @param next address of the next page, as the API returns it */
export function pageAt(next: string | null): PageNumber | null {
  if (next === null) return null
  const { searchParams: query } = new URL(next)
  return { page: Number(query.get('page')), limit: Number(query.get('limit')) }
}

/** Returns how far the list of each kind that has more entries was read. */
function endsOf(reads: readonly ActivityRead[]): { next: PageOf; oldestMs: number }[] {
  const last = new Map<Scope, ActivityRead['pages'][number]>()
  for (const { pages } of reads) for (const page of pages) last.set(page.scope, page)
  return [...last.values()].flatMap(({ next, entries }) =>
    next === null ? [] : [{ next, oldestMs: timeOf(entries.at(-1)) }],
  )
}

const timeOf = (entry: ActivityEntry | undefined): number =>
  entry ? Date.parse(entry.created_at) : Number.POSITIVE_INFINITY

/** Returns the time in epoch milliseconds from which on the list is complete, which is -Infinity when all entries were read. */
const completeFrom = (reads: readonly ActivityRead[]): number =>
  Math.max(...endsOf(reads).map(({ oldestMs }) => oldestMs))

/** Returns what to read to continue: the kinds that were read least far. Returns null at the end of the list. */
export function nextPages(reads: readonly ActivityRead[]): readonly PageOf[] | null {
  const from = completeFrom(reads)
  const wanted = endsOf(reads).filter(({ oldestMs }) => oldestMs >= from)
  return wanted.length === 0 ? null : wanted.map(({ next }) => next)
}

/**
 * Returns the entries up to which all kinds were read, newest first, without side effects. Reads overlap when something changed between
 * them.
 */
export function entriesOf(reads: readonly ActivityRead[]): ActivityEntry[] {
  const from = completeFrom(reads)
  const found = new Map<string, ActivityEntry>()
  for (const { pages } of reads)
    for (const { entries } of pages)
      for (const entry of entries)
        if (timeOf(entry) >= from && !isSideEffect(entry)) found.set(entry.id, entry)
  return [...found.values()].sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1))
}

/** Whether the service did it along with something that a user did, which has its own entry: each new flag has a dashboard. */
const isSideEffect = ({ scope, activity, detail: { name } }: ActivityEntry): boolean =>
  scope === 'Dashboard' && activity === 'created' && isGenerated(name ?? '')

const SOFT_DELETED: ReadonlySet<Scope> = new Set(['FeatureFlag', 'Cohort', 'Dashboard'])

/** Whether an entry is the deletion of an item that was not restored since. */
export const isRestorable = (entry: ActivityEntry, newestFirst: readonly ActivityEntry[]): boolean =>
  SOFT_DELETED.has(entry.scope) &&
  entry.activity === 'deleted' &&
  newestFirst.find(
    ({ scope, item_id: id, activity }) =>
      scope === entry.scope && id === entry.item_id && (activity === 'deleted' || activity === 'restored'),
  ) === entry
