// Defines what pages read, as queries of TanStack Query. A key begins with its project, so that a change refreshes what belongs to it.
import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import {
  type ActivityRead,
  firstPages,
  nextPages,
  pageAt,
  type PageNumber,
  type Scope,
} from '../activity/merge'
import {
  client,
  type Flag,
  type PropertyFilter,
  type ReadParams,
  type Reads,
  type ResultOf,
  type User,
  read,
  reading,
  post,
} from './client'
import { Problem } from './problem'
import type { paths } from './schema'

export const queryClient = new QueryClient({
  defaultOptions: {
    // A request shows more reliably than the browser whether the service can be reached.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // That mode would switch it off.
      refetchOnReconnect: true,
      staleTime: 15_000,
      // Rejections are final; outages may end.
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
  },
})

/** The parts of an address, so that a refresh of something includes what is below it. */
export const keyOf = (path: string, { path: ids, query }: { path?: object; query?: object | undefined }) => [
  ...path
    .slice('/api/'.length, -1)
    .split('/')
    .map((part) => (part.startsWith('{') ? (ids as Record<string, unknown>)[part.slice(1, -1)] : part)),
  ...(query ? [query] : []),
]

/** What is at an address. */
export const at = <Path extends Reads>(path: Path, params: ReadParams<Path>) =>
  queryOptions({ queryKey: keyOf(path, params), queryFn: reading(path, params) })

/** Reads again what has a key that begins as this one. */
export const refresh = ({ queryKey }: { queryKey: QueryKey }): Promise<void> =>
  queryClient.invalidateQueries({ queryKey })

export const meQuery = queryOptions({
  ...at('/api/users/{uuid}/', { path: { uuid: '@me' } }),
  staleTime: 60_000,
})

/** Returns the time zone of the project, which the frame has read. */
export const projectTimeZone = (): string =>
  queryClient.getQueryData(meQuery.queryKey)?.team?.timezone ?? 'UTC'

/** Makes another project or organization the current one. @returns the user as it is then. */
export async function switchTo(
  target: { set_current_team: number } | { set_current_organization: string },
): Promise<User> {
  await client.PATCH('/api/users/{uuid}/', { params: { path: { uuid: '@me' } }, body: target })
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}

/** The `path` of requests about a project. */
export const inProject = (projectId: number) => ({ project_id: String(projectId) })

/** The parameters of requests about one thing that a project has. */
export const itemIn = <Id extends number | string>(projectId: number, id: Id) => ({
  path: { ...inProject(projectId), id },
})

/** The members of a page of a list. */
interface ListPart<Row = unknown> {
  next: string | null
  results: readonly Row[]
}

type RowOf<Path extends Reads> = ResultOf<Path> extends ListPart<infer Row> ? Row : never

/** The list at an address, which is read in pages. */
export const listAt = <Path extends Reads>(path: Path, params: ReadParams<Path>) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(path, { path: params.path }), 'list', params.query],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      read(path, { ...params, query: { ...params.query, limit: 100, offset } }, signal),
    // A page of large items ends early.
    getNextPageParam: (page, _pages, offset) => {
      const { next, results } = page as ListPart
      return next === null ? null : offset + results.length
    },
    placeholderData: keepPreviousData,
  })

export type FlagFilter = NonNullable<
  paths['/api/projects/{project_id}/feature_flags/']['get']['parameters']['query']
>

const FLAGS = '/api/projects/{project_id}/feature_flags/'

export const flagsKey = (projectId: number) => keyOf(FLAGS, { path: inProject(projectId) })

export const flagsQuery = (projectId: number, query: FlagFilter) =>
  listAt(FLAGS, { path: inProject(projectId), query })

/** The flags that match a filter, read in pages as far as the caller goes. */
export async function* eachFlag(
  projectId: number,
  filter: FlagFilter,
  signal?: AbortSignal,
): AsyncGenerator<Flag> {
  for (let offset: number | null = 0; offset !== null;) {
    const { results, next }: { results: Flag[]; next: string | null } = await read(
      FLAGS,
      { path: inProject(projectId), query: { ...filter, limit: 1_000, offset } },
      signal,
    )
    yield* results
    offset = next === null || results.length === 0 ? null : offset + results.length
  }
}

export const flagQuery = (projectId: number, id: number) => at(`${FLAGS}{id}/`, itemIn(projectId, id))

export const flagKey = (projectId: number, id: number) => flagQuery(projectId, id).queryKey

export const flagStatusQuery = (projectId: number, id: number) =>
  at(`${FLAGS}{id}/status/`, itemIn(projectId, id))

export const dependentsQuery = (projectId: number, id: number) =>
  at(`${FLAGS}{id}/dependent_flags/`, itemIn(projectId, id))

/** The activity of one item, by the address of that. */
export const activityAt = (
  path: `/api/projects/{project_id}/${'feature_flags' | 'cohorts'}/{id}/activity/`,
  params: ReturnType<typeof itemIn<number>>,
) =>
  infiniteQueryOptions({
    queryKey: keyOf(path, params),
    initialPageParam: { page: 1, limit: 30 } as PageNumber,
    queryFn: ({ pageParam, signal }) => read(path, { ...params, query: pageParam }, signal),
    getNextPageParam: ({ next }) => pageAt(next),
  })

export const flagActivityQuery = (projectId: number, id: number) =>
  activityAt(`${FLAGS}{id}/activity/`, itemIn(projectId, id))

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
          const { results, next } = await read(
            '/api/projects/{project_id}/activity_log/',
            { path: inProject(projectId), query: { ...of, ...filter } },
            signal,
          )
          const following = pageAt(next)
          return { ...of, entries: results, next: following && { scope: of.scope, ...following } }
        }),
      ),
    }),
    getNextPageParam: (_read, reads) => nextPages(reads),
  })

export const dashboardQuery = (projectId: number, id: number) =>
  at('/api/projects/{project_id}/dashboards/{id}/', itemIn(projectId, id))

type DefinitionKind = 'event' | 'person' | 'group'

export const propertiesQuery = (
  projectId: number,
  type: DefinitionKind,
  groupType: number | null,
  search = '',
) =>
  queryOptions({
    ...at('/api/projects/{project_id}/property_definitions/', {
      path: inProject(projectId),
      query: {
        type,
        limit: 50,
        ...(search ? { search } : {}),
        ...(type === 'group' && groupType !== null ? { group_type_index: groupType } : {}),
      },
    }),
    placeholderData: keepPreviousData,
  })

export const groupTypesQuery = (projectId: number) =>
  at('/api/projects/{project_id}/groups_types/', { path: inProject(projectId) })

export const personsQuery = (projectId: number, search: string) =>
  queryOptions({
    ...at('/api/projects/{project_id}/persons/', {
      path: inProject(projectId),
      query: { limit: 20, ...(search ? { search } : {}) },
    }),
    placeholderData: keepPreviousData,
  })

/** Counts the people, or groups of a type, that match all of these conditions. */
export const matchingQuery = (
  projectId: number,
  properties: readonly PropertyFilter[],
  groupType: number | null,
  queryKey: QueryKey = ['project', projectId, 'matching', properties, groupType],
) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      post(
        '/api/projects/{project_id}/feature_flags/user_blast_radius/',
        { path: inProject(projectId) },
        {
          condition: { properties: [...properties], rollout_percentage: 100 },
          group_type_index: groupType,
        },
        signal,
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Groups of a type whose keys begin with a text. Keys are in order, so that those after the text come first. */
export const groupsQuery = (projectId: number, groupType: number, prefix: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'groups', groupType, prefix],
    queryFn: async ({ signal }) => {
      const { results } = await read(
        '/api/projects/{project_id}/groups/',
        {
          path: inProject(projectId),
          query: { group_type_index: groupType, ...(prefix === '' ? {} : { cursor: prefix }) },
        },
        signal,
      )
      return results.filter(({ group_key: key }) => key.startsWith(prefix))
    },
    placeholderData: keepPreviousData,
  })

export const projectQuery = (projectId: number) =>
  at('/api/projects/{project_id}/', { path: inProject(projectId) })

/** Rows of a page, as many as the API allows, and pages that are read of a list. */
const WHOLE = { limit: 1_000, pages: 10 }

/** The list at an address as a whole, as far as the limit goes. */
export const wholeListAt = <Path extends `/api/organizations/{organization_id}/${'members' | 'invites'}/`>(
  path: Path,
  params: ReturnType<typeof inOrganization>,
) =>
  queryOptions({
    queryKey: keyOf(path, params),
    async queryFn({ signal }) {
      const results: RowOf<Path>[] = []
      for (let page = 0; ; page += 1) {
        const query = { limit: WHOLE.limit, offset: results.length }
        const part = await read(path, { ...params, query } as unknown as ReadParams<Path>, signal)
        const { count, next, results: rows } = part as ListPart<RowOf<Path>> & { count: number }
        results.push(...rows)
        if (next === null || page + 1 === WHOLE.pages) return { count, results }
      }
    },
  })

/** The `path` of requests about an organization. */
export const inOrganization = (organizationId: string) => ({ path: { organization_id: organizationId } })

export const membersQuery = (organizationId: string) =>
  wholeListAt('/api/organizations/{organization_id}/members/', inOrganization(organizationId))
