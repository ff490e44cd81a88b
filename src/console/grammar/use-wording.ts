// Finds the names of the cohorts, flags and types of groups that condition sets name by id.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ConditionSet } from '../api/client'
import { cohortQuery } from '../api/cohorts'
import { flagQuery, groupTypesQuery } from '../api/queries'
import { isOfGroups } from './sets'
import { unnamedIn, type Wording } from './conditions'

/** The most cohorts, and flags, that are looked up. Further ones are named by their ids. */
const MAX_LOOKUPS = 50

/** @returns the known names; a deleted item has none */
export function useWording(projectId: number, sets: readonly ConditionSet[]): Wording {
  const { cohorts, flags } = unnamedIn(sets.flatMap(({ properties }) => properties ?? []))
  const cohortNames = useQueries({
    queries: cohorts.slice(0, MAX_LOOKUPS).map((id) => ({ ...cohortQuery(projectId, id), retry: false })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.id, data.name]] : []))),
  })
  const flagKeys = useQueries({
    queries: flags.slice(0, MAX_LOOKUPS).map((id) => ({ ...flagQuery(projectId, id), retry: false })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.id, data.key]] : []))),
  })
  const types = useQuery({ ...groupTypesQuery(projectId), enabled: sets.some(isOfGroups) })
  return {
    cohortOf: (id) => cohortNames.get(id),
    flagOf: (id) => flagKeys.get(id),
    groupTypeOf: (index) => types.data?.find((type) => type.group_type_index === index)?.group_type,
  }
}
