// What pages read, as queries of TanStack Query. A key begins with its project, so that a change refreshes what belongs to it.
import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ActivityRead,
  firstPages,
  nextPages,
  pageAt,
  type PageNumber,
  type Scope,
} from '../activity/merge'
import { client, dataOf, type PropertyFilter, type User } from './client'
import { Problem } from './problem'
import type { paths } from './schema'

export const queryClient = new QueryClient({
  defaultOptions: {
    // A request shows more reliably than the browser whether the service can be reached.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // Rejections are final; outages may end.
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
  },
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) =>
    dataOf(client.GET('/api/users/{uuid}/', { params: { path: { uuid: '@me' } }, signal })),
  staleTime: 60_000,
})

/** Makes another project or organization the current one. @returns the user as it is then. */
export async function switchTo(
  target: { set_current_team: number } | { set_current_organization: string },
): Promise<User> {
  await client.PATCH('/api/users/{uuid}/', { params: { path: { uuid: '@me' } }, body: target })
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}

export const inProject = (projectId: number) => ({ project_id: String(projectId) })

export type FlagFilter = NonNullable<
  paths['/api/projects/{project_id}/feature_flags/']['get']['parameters']['query']
>

export const flagsKey = (projectId: number) => ['project', projectId, 'flags'] as const

const PAGE = 100

export const flagsQuery = (projectId: number, filter: FlagFilter) =>
  infiniteQueryOptions({
    queryKey: [...flagsKey(projectId), 'list', filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/', {
          params: { path: inProject(projectId), query: { ...filter, limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    // A page of large flags ends early.
    getNextPageParam: ({ next, results }, _pages, offset) => (next === null ? null : offset + results.length),
    placeholderData: keepPreviousData,
  })

export const flagKey = (projectId: number, id: number) => [...flagsKey(projectId), 'one', id] as const

const onFlag = (projectId: number, id: number) => ({ path: { ...inProject(projectId), id } })

export const flagQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: flagKey(projectId, id),
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/{id}/', {
          params: onFlag(projectId, id),
          signal,
        }),
      ),
  })

export const flagStatusQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, id), 'status'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/{id}/status/', {
          params: onFlag(projectId, id),
          signal,
        }),
      ),
  })

export const dependentsQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...flagKey(projectId, id), 'dependents'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/{id}/dependent_flags/', {
          params: onFlag(projectId, id),
          signal,
        }),
      ),
  })

/** The first page of an item's activity. */
export const FIRST_ACTIVITY: PageNumber = { page: 1, limit: 30 }

export const flagActivityQuery = (projectId: number, id: number) =>
  infiniteQueryOptions({
    queryKey: [...flagKey(projectId, id), 'activity'],
    initialPageParam: FIRST_ACTIVITY,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/{id}/activity/', {
          params: { ...onFlag(projectId, id), query: pageParam },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => pageAt(next),
  })

interface ActivityFilter {
  user?: string
  start_date?: string
  end_date?: string
}

/** The activity of these kinds of items; `entriesOf` makes one list of what is read. */
export const activityQuery = (projectId: number, scopes: readonly Scope[], filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'activity', scopes, filter],
    initialPageParam: firstPages(scopes),
    queryFn: async ({ pageParam, signal }): Promise<ActivityRead> => ({
      pages: await Promise.all(
        pageParam.map(async (of) => {
          const { results, next } = await dataOf(
            client.GET('/api/projects/{project_id}/activity_log/', {
              params: { path: inProject(projectId), query: { ...of, ...filter } },
              signal,
            }),
          )
          const following = pageAt(next)
          return { ...of, entries: results, next: following && { scope: of.scope, ...following } }
        }),
      ),
    }),
    getNextPageParam: (_read, reads) => nextPages(reads),
  })

export const dashboardQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'dashboard', id],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/dashboards/{id}/', { params: onFlag(projectId, id), signal }),
      ),
  })

type DefinitionKind = 'event' | 'person' | 'group'

export const propertiesQuery = (
  projectId: number,
  type: DefinitionKind,
  groupType: number | null,
  search = '',
) =>
  queryOptions({
    queryKey: ['project', projectId, 'properties', type, groupType, search],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/property_definitions/', {
          params: {
            path: inProject(projectId),
            query: {
              type,
              limit: 50,
              ...(search ? { search } : {}),
              ...(type === 'group' && groupType !== null ? { group_type_index: groupType } : {}),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const groupTypesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'group types'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/groups_types/', {
          params: { path: inProject(projectId) },
          signal,
        }),
      ),
  })

export const personsQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'persons', search],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/persons/', {
          params: { path: inProject(projectId), query: { limit: 20, ...(search ? { search } : {}) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** How many people, or groups of a type, match all of these conditions. */
export const matchingQuery = (
  projectId: number,
  properties: readonly PropertyFilter[],
  groupType: number | null,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'matching', properties, groupType],
    queryFn: ({ signal }) =>
      dataOf(
        client.POST('/api/projects/{project_id}/feature_flags/user_blast_radius/', {
          params: { path: inProject(projectId) },
          body: {
            condition: { properties: [...properties], rollout_percentage: 100 },
            group_type_index: groupType,
          },
          signal,
        }),
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Groups of a type whose keys begin with a text. Keys are in order, so that those after the text come first. */
export const groupsQuery = (projectId: number, groupType: number, prefix: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'groups', groupType, prefix],
    queryFn: async ({ signal }) => {
      const { results } = await dataOf(
        client.GET('/api/projects/{project_id}/groups/', {
          params: {
            path: inProject(projectId),
            query: { group_type_index: groupType, ...(prefix === '' ? {} : { cursor: prefix }) },
          },
          signal,
        }),
      )
      return results.filter(({ group_key: key }) => key.startsWith(prefix))
    },
    placeholderData: keepPreviousData,
  })

export const projectQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'itself'],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/projects/{project_id}/', { params: { path: inProject(projectId) }, signal })),
  })

export const organizationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/organizations/{organization_id}/', {
          params: { path: { organization_id: organizationId } },
          signal,
        }),
      ),
  })

interface ListPage<T> {
  count: number
  next: string | null
  results: T[]
}

/** Rows of a page, as many as the API allows, and pages that are read of a list. */
const WHOLE = { limit: 1_000, pages: 10 }

/** A list as a whole, as far as the limit goes. */
async function wholeList<T>(
  read: (query: { limit: number; offset: number }) => Promise<ListPage<T>>,
): Promise<Omit<ListPage<T>, 'next'>> {
  const results: T[] = []
  for (let page = 0; ; page += 1) {
    const { count, next, results: rows } = await read({ limit: WHOLE.limit, offset: results.length })
    results.push(...rows)
    if (next === null || page + 1 === WHOLE.pages) return { count, results }
  }
}

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members'],
    queryFn: ({ signal }) =>
      wholeList((query) =>
        dataOf(
          client.GET('/api/organizations/{organization_id}/members/', {
            params: { path: { organization_id: organizationId }, query },
            signal,
          }),
        ),
      ),
  })

export const invitesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'invites'],
    queryFn: ({ signal }) =>
      wholeList((query) =>
        dataOf(
          client.GET('/api/organizations/{organization_id}/invites/', {
            params: { path: { organization_id: organizationId }, query },
            signal,
          }),
        ),
      ),
  })

/** Values that a property of people or groups has, of those that contain `text`; the frequent ones first. */
export const propertyValuesQuery = (projectId: number, groupType: number | null, key: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'property values', groupType, key, text],
    queryFn: ({ signal }) => {
      const query = { key, ...(text ? { value: text } : {}) }
      return dataOf(
        groupType === null
          ? client.GET('/api/projects/{project_id}/persons/values/', {
              params: { path: inProject(projectId), query },
              signal,
            })
          : client.GET('/api/projects/{project_id}/groups/property_values/', {
              params: { path: inProject(projectId), query: { ...query, group_type_index: groupType } },
              signal,
            }),
      )
    },
    select: (values) =>
      values.map(({ name, count }) => ({ value: name, detail: count.toLocaleString('en') })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
