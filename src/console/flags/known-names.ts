import { useInfiniteQuery } from '@tanstack/react-query'
import type { Flag } from '../api/client'
import { flagsKey, flagsQuery, queryClient } from '../api/queries'
import type { Suggestion } from '../design/fields/combobox'

interface Page {
  results: Flag[]
}

/** Returns the tags or evaluation contexts of the newest flags, and of all that were listed, as suggestions of a field. */
export function useKnownNames(projectId: number, field: 'tags' | 'evaluation_contexts'): Suggestion[] {
  // The component renders again when a list is read, and the first page is read if none was.
  useInfiniteQuery(flagsQuery(projectId, {}))
  const lists = queryClient.getQueriesData<{ pages: Page[] }>({ queryKey: [...flagsKey(projectId), 'list'] })
  const flags = lists.flatMap(([, list]) => list?.pages ?? []).flatMap(({ results }) => results)
  return [...new Set(flags.flatMap((flag) => flag[field]))].toSorted().map((value) => ({ value }))
}
