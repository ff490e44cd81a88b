// Defines the state of the list of cohorts in its address.
import type { CohortFilter } from '../api/cohorts'
import { parseSearch } from '../design/address'

const CHOICES = { type: ['static', 'dynamic'] } as const
const TEXTS = ['search', 'created_by'] as const

export interface CohortSearch {
  search?: string
  type?: 'static' | 'dynamic'
  /** The id of a user. */
  created_by?: string
}

export const parseCohortSearch = (search: Record<string, unknown>): CohortSearch =>
  parseSearch(search, CHOICES, TEXTS)

export const cohortFilterOf = ({ search, type, created_by: createdBy }: CohortSearch): CohortFilter => ({
  ...(search ? { search } : {}),
  ...(type ? { type } : {}),
  ...(createdBy && /^\d+$/.test(createdBy) ? { created_by_id: Number(createdBy) } : {}),
})
