// Suggests the people that a text may mean.
import { useQuery } from '@tanstack/react-query'
import { personsQuery } from '../api/queries'
import type { Suggestion } from '../design/fields/combobox'

/** @returns a distinct id of each, with the name if that is another */
export const usePersonSuggestions = (projectId: number, text: string): readonly Suggestion[] =>
  (useQuery(personsQuery(projectId, text)).data?.results ?? []).flatMap(({ distinct_ids: ids, name }) =>
    ids[0] === undefined ? [] : [{ value: ids[0], ...(name === ids[0] ? {} : { detail: name }) }],
  )
