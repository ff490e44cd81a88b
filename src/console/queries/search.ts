// Defines the state of the list of saved queries in its address.
import { parseSearch } from '../design/address'
import type { EndpointFilter } from '../api/saved-queries'

const CHOICES = { is_active: ['true', 'false'] } as const

const TEXTS = ['search', 'created_by'] as const

export interface QuerySearch {
  search?: string
  is_active?: 'true' | 'false'
  /** The id of a user. */
  created_by?: string
}

export const parseQuerySearch = (search: Record<string, unknown>): QuerySearch =>
  parseSearch(search, CHOICES, TEXTS)

export const filterOf = ({
  search,
  is_active: isActive,
  created_by: createdBy,
}: QuerySearch): EndpointFilter => ({
  ...(search ? { search } : {}),
  ...(isActive ? { is_active: isActive === 'true' } : {}),
  ...(createdBy && /^\d+$/.test(createdBy) ? { created_by: Number(createdBy) } : {}),
})
