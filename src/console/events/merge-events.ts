// Merges arriving events into a list. The functions are pure.
import type { EventOrder } from '../api/events'

type Event = { id: string } & Readonly<Record<EventOrder, string>>

interface MergeOptions {
  order: EventOrder
  /** Whether the arrivals are all events since the newest event of the list. */
  isWhole: boolean
  /** Whether older events follow the list. */
  hasOlder: boolean
  max: number
}

/**
 * Returns the list with the events that arrived, newest first, without gaps: when more arrived than were requested, they replace the list.
 * Those that belong after a list with further pages are left to its next page.
 */
export function mergeArrivals<Row extends Event>(
  known: readonly Row[],
  arrivals: readonly Row[],
  { order, isWhole, hasOlder, max }: MergeOptions,
): readonly Row[] {
  const compare = (a: Row, b: Row): number =>
    a[order] === b[order] ? (a.id > b.id ? -1 : 1) : a[order] > b[order] ? -1 : 1
  const ids = new Set(known.map(({ id }) => id))
  const last = known.at(-1)
  const added = arrivals.filter((row) => !ids.has(row.id) && !(hasOlder && last && compare(row, last) > 0))
  if (added.length === 0) return known
  if (!isWhole && added.length === arrivals.length) return arrivals.toSorted(compare)
  return [...added, ...known].sort(compare).slice(0, max)
}
