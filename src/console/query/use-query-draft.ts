import type { Endpoint } from '../api/client'
import { useDraft } from '../edit/use-draft'
import { changedFields, type Draft, draftOf } from './draft'

/** The edit of a saved query. */
export const useQueryDraft = (query: Endpoint) =>
  useDraft<Endpoint, Draft>(query, {
    name: `query ${query.id}`,
    draftOf,
    changedFields,
    hasMoved: (loaded, base) => loaded !== base,
  })
