// The state of lists of persons and groups in their address.
import type { PeopleFilter } from '../api/people'
import { parseSearch } from '../design/address'
import { conditionOf, type ConditionSearch } from '../events/search'

export interface PeopleSearch extends ConditionSearch {
  search?: string
}

export const parsePeopleSearch = (search: Record<string, unknown>): PeopleSearch =>
  parseSearch(search, {}, ['search', 'property', 'operator', 'value'])

export function filterOf(search: PeopleSearch): PeopleFilter {
  const condition = conditionOf(search)
  return { ...(search.search ? { search: search.search } : {}), ...(condition ? { condition } : {}) }
}
