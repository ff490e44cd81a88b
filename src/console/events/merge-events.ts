// Events that arrive while a list is shown. Pure.

interface Event {
  id: string
  timestamp: string
}

const isNewer = (a: Event, b: Event): boolean =>
  a.timestamp === b.timestamp ? a.id > b.id : a.timestamp > b.timestamp

/**
 * The list with the newest events, newest first, without gaps: when more arrived than a page has, the page is the list.
 * @param isWhole whether there are no events before the page.
 */
export function mergeNewest<Row extends Event>(
  known: readonly Row[],
  page: readonly Row[],
  { isWhole, max }: { isWhole: boolean; max: number },
): readonly Row[] {
  const ids = new Set(known.map(({ id }) => id))
  const added = page.filter(({ id }) => !ids.has(id))
  if (added.length === 0) return known
  if (known.length === 0 || (added.length === page.length && !isWhole)) return page
  return [...added, ...known].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, max)
}
