import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { queryClient } from './queries'

/**
 * Changes an item in the lists that were loaded with it. A list that is out of date stays so: what was changed since may belong in it.
 * @param queryKey what the keys of the lists begin with.
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
