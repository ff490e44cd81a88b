// What pages about dashboards read, as queries of TanStack Query.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, dataOf } from './client'
import { inProject } from './queries'
import type { components, paths } from './schema'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardSummary = components['schemas']['DashboardBasic']
export type Tile = Dashboard['tiles'][number]

export type DashboardFilter = NonNullable<
  paths['/api/projects/{project_id}/dashboards/']['get']['parameters']['query']
>

export const dashboardsKey = (projectId: number) => ['project', projectId, 'dashboards'] as const

const PAGE = 100

export const dashboardListQuery = (projectId: number, filter: DashboardFilter) =>
  infiniteQueryOptions({
    queryKey: [...dashboardsKey(projectId), filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/dashboards/', {
          params: { path: inProject(projectId), query: { ...filter, limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (page, _pages, offset) => (page.next === null ? null : offset + page.results.length),
    placeholderData: keepPreviousData,
  })

export const onDashboard = (projectId: number, id: number) => ({ path: { ...inProject(projectId), id } })

export interface DateRange {
  date_from: string | null
  date_to: string | null
}

/** Runs a saved query as programs do, with its stored result where that is fresh enough. @param range for insights only. */
const runEndpoint = (projectId: number, name: string, range: DateRange | null, signal?: AbortSignal) =>
  dataOf(
    client.POST('/api/projects/{project_id}/endpoints/{name}/run/', {
      params: { path: { ...inProject(projectId), name } },
      body: range ? { filters_override: range } : {},
      signal,
    }),
  )

/** A saved HogQL query whose `{filters}` are of a time range: not as it is saved, so its stored result does not do. */
const runInRange = (
  projectId: number,
  query: Record<string, unknown>,
  range: DateRange,
  signal?: AbortSignal,
): ReturnType<typeof runEndpoint> =>
  dataOf(
    client.POST('/api/projects/{project_id}/query/', {
      params: { path: inProject(projectId) },
      body: { query: { ...query, filters: { ...(query.filters as object | null), dateRange: range } } },
      signal,
    }),
  ) as Promise<unknown> as ReturnType<typeof runEndpoint>

export const runKey = (projectId: number) => ['project', projectId, 'tile run'] as const

/** @param filtered a HogQL query with `{filters}`, which take the range; null for an insight, which takes it itself */
export const tileRunQuery = (
  projectId: number,
  name: string,
  range: DateRange | null,
  filtered: Record<string, unknown> | null,
) =>
  queryOptions({
    queryKey: [...runKey(projectId), name, range, filtered],
    queryFn: ({ signal }) =>
      range && filtered
        ? runInRange(projectId, filtered, range, signal)
        : runEndpoint(projectId, name, range, signal),
    placeholderData: keepPreviousData,
  })

/** The data of a chart for another range than it was stored with. */
export const chartQuery = (projectId: number, query: Record<string, unknown>, range: DateRange) =>
  queryOptions({
    queryKey: ['project', projectId, 'chart', query, range],
    queryFn: ({ signal }) =>
      dataOf(
        client.POST('/api/projects/{project_id}/query/', {
          params: { path: inProject(projectId) },
          body: { query: { ...query, dateRange: range } },
          signal,
        }),
        // A trend has series.
      ) as Promise<unknown> as Promise<{
        results: {
          label: string
          breakdown_value?: string | null
          data: number[]
          days: string[]
          count: number
        }[]
      }>,
    placeholderData: keepPreviousData,
  })
