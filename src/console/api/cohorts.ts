// Defines what pages about cohorts read, as queries of TanStack Query.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { read } from './client'
import { activityAt, at, inProject, itemIn, keyOf, listAt, matchingQuery } from './queries'
import type { components, paths } from './schema'

export type Cohort = components['schemas']['Cohort']
export type Person = components['schemas']['Person']

export type CohortFilter = NonNullable<
  paths['/api/projects/{project_id}/cohorts/']['get']['parameters']['query']
>

const COHORTS = '/api/projects/{project_id}/cohorts/'

export const cohortsKey = (projectId: number) => keyOf(COHORTS, { path: inProject(projectId) })

const PAGE = 100

export const cohortListQuery = (projectId: number, query: CohortFilter) =>
  listAt(COHORTS, { path: inProject(projectId), query })

export const cohortQuery = (projectId: number, id: number) => at(`${COHORTS}{id}/`, itemIn(projectId, id))

export const cohortKey = (projectId: number, id: number) => cohortQuery(projectId, id).queryKey

/** Persons who match a cohort with conditions, as a flag would see them. */
export const sizeQuery = (projectId: number, id: number) =>
  matchingQuery(projectId, [{ key: 'id', type: 'cohort', operator: 'in', value: id }], null, [
    ...cohortKey(projectId, id),
    'size',
  ])

export const cohortUsesQuery = (projectId: number, id: number) =>
  at(`${COHORTS}{id}/uses/`, itemIn(projectId, id))

export const membersKey = (projectId: number, id: number) => [...cohortKey(projectId, id), 'members']

export const cohortMembersQuery = (projectId: number, id: number) =>
  infiniteQueryOptions({
    queryKey: membersKey(projectId, id),
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      read(
        `${COHORTS}{id}/persons/`,
        {
          ...itemIn(projectId, id),
          query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        },
        signal,
      ),
    getNextPageParam: ({ next }) =>
      next === null ? null : Number(new URL(next, location.origin).searchParams.get('cursor')),
  })

export const cohortActivityQuery = (projectId: number, id: number) =>
  activityAt(`${COHORTS}{id}/activity/`, itemIn(projectId, id))
