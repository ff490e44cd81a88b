import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { queryClient } from './queries'

/**
 * Changes an item in the loaded lists that have it. A stale list is not changed, because the item may no longer belong in it.
 * @param queryKey the start of the lists' keys
 */
export function changeInLists<Item>(
  queryKey: QueryKey,
  isItem: (item: Item) => boolean,
  change: (item: Item) => Item,
): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state
    const pages = (data as InfiniteData<{ results: Item[] }> | undefined)?.pages
    if (!pages?.some(({ results }) => results.some(isItem))) continue
    const changed = pages.map((page) => ({
      ...page,
      results: page.results.map((item) => (isItem(item) ? change(item) : item)),
    }))
    queryClient.setQueryData(query.queryKey, { ...(data as object), pages: changed }, { updatedAt })
    if (isInvalidated) query.invalidate()
  }
}
