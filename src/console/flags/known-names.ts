import { useInfiniteQuery } from '@tanstack/react-query'
import type { Flag } from '../api/client'
import { flagsKey, flagsQuery, queryClient } from '../api/queries'
import type { Suggestion } from '../design/fields/combobox'

interface Page {
  results: Flag[]
}

/** The tags or evaluation contexts of the newest flags, and of all that were listed: what a field suggests. */
export function useKnownNames(projectId: number, field: 'tags' | 'evaluation_contexts'): Suggestion[] {
  // Read again when a list is, and read at all where none was.
  useInfiniteQuery(flagsQuery(projectId, {}))
  const lists = queryClient.getQueriesData<{ pages: Page[] }>({ queryKey: [...flagsKey(projectId), 'list'] })
  const flags = lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ results }) => results)
  return [...new Set(flags.flatMap((flag) => flag[field]))].toSorted().map((value) => ({ value }))
}
