// Defines the state of lists of persons and groups in their address.
import type { PeopleFilter } from '../api/people'
import { parseSearch } from '../design/address'
import { conditionsOf, type ConditionSearch, parseWhere } from './conditions'

export interface PeopleSearch extends ConditionSearch {
  search?: string
}

export function parsePeopleSearch(search: Record<string, unknown>): PeopleSearch {
  return { ...parseSearch(search, {}, ['search']), ...parseWhere(search) }
}

export function filterOf(search: PeopleSearch): PeopleFilter {
  const conditions = conditionsOf(search)
  return {
    ...(search.search ? { search: search.search } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
  }
}
