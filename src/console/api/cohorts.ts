// Defines what pages about cohorts read, as queries of TanStack Query.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { pageAt } from '../activity/merge'
import { read, reading } from './client'
import { FIRST_ACTIVITY, inProject, matchingQuery, itemIn, listQuery } from './queries'
import type { components, paths } from './schema'

export type Cohort = components['schemas']['Cohort']
export type Person = components['schemas']['Person']

export type CohortFilter = NonNullable<
  paths['/api/projects/{project_id}/cohorts/']['get']['parameters']['query']
>

export const cohortsKey = (projectId: number) => ['project', projectId, 'cohorts'] as const

const PAGE = 100

export const cohortListQuery = (projectId: number, filter: CohortFilter) =>
  listQuery([...cohortsKey(projectId), 'list', filter], (page, signal) =>
    read(
      '/api/projects/{project_id}/cohorts/',
      { path: inProject(projectId), query: { ...filter, ...page } },
      signal,
    ),
  )

export const cohortKey = (projectId: number, id: number) => [...cohortsKey(projectId), 'one', id] as const

export const cohortQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: cohortKey(projectId, id),
    queryFn: reading('/api/projects/{project_id}/cohorts/{id}/', itemIn(projectId, id)),
  })

/** Persons who match a cohort with conditions, as a flag would see them. */
export const sizeQuery = (projectId: number, id: number) => ({
  ...matchingQuery(projectId, [{ key: 'id', type: 'cohort', operator: 'in', value: id }], null),
  queryKey: [...cohortKey(projectId, id), 'size'],
})

export const cohortUsesQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...cohortKey(projectId, id), 'uses'],
    queryFn: reading('/api/projects/{project_id}/cohorts/{id}/uses/', itemIn(projectId, id)),
  })

export const membersKey = (projectId: number, id: number) => [...cohortKey(projectId, id), 'members'] as const

export const cohortMembersQuery = (projectId: number, id: number) =>
  infiniteQueryOptions({
    queryKey: membersKey(projectId, id),
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      read(
        '/api/projects/{project_id}/cohorts/{id}/persons/',
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
  infiniteQueryOptions({
    queryKey: [...cohortKey(projectId, id), 'activity'],
    initialPageParam: FIRST_ACTIVITY,
    queryFn: ({ pageParam, signal }) =>
      read(
        '/api/projects/{project_id}/cohorts/{id}/activity/',
        { ...itemIn(projectId, id), query: pageParam },
        signal,
      ),
    getNextPageParam: ({ next }) => pageAt(next),
  })
