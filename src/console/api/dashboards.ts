// Defines what pages about dashboards read, as queries of TanStack Query.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { post } from './client'
import { Problem } from './problem'
import { inProject, keyOf, listAt, queryClient } from './queries'
import type { components, paths } from './schema'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardSummary = components['schemas']['DashboardBasic']
export type Tile = Dashboard['tiles'][number]

export type DashboardFilter = NonNullable<
  paths['/api/projects/{project_id}/dashboards/']['get']['parameters']['query']
>

const DASHBOARDS = '/api/projects/{project_id}/dashboards/'

/** The key of lists of dashboards. */
export const dashboardsKey = (projectId: number) => [
  ...keyOf(DASHBOARDS, { path: inProject(projectId) }),
  'list',
]

export const dashboardListQuery = (projectId: number, query: DashboardFilter) =>
  listAt(DASHBOARDS, { path: inProject(projectId), query })

export interface DateRange {
  date_from: string | null
  date_to: string | null
}

type RunBody = components['schemas']['RunEndpoint']

/** Runs a saved query as programs do. */
const runEndpoint = (projectId: number, name: string, body: RunBody, signal?: AbortSignal) =>
  post(
    '/api/projects/{project_id}/endpoints/{name}/run/',
    { path: { ...inProject(projectId), name } },
    body,
    signal,
  )

/** A saved HogQL query whose `{filters}` are of a time range: not as it is saved, so its stored result does not do. */
const runInRange = (
  projectId: number,
  query: Record<string, unknown>,
  range: DateRange,
  signal?: AbortSignal,
): ReturnType<typeof runEndpoint> =>
  post(
    '/api/projects/{project_id}/query/',
    { path: inProject(projectId) },
    { query: { ...query, filters: { ...(query.filters as object | null), dateRange: range } } },
    signal,
  ) as Promise<unknown> as ReturnType<typeof runEndpoint>

export const runKey = (projectId: number) => ['project', projectId, 'tile run'] as const

export interface TileRun {
  name: string
  /** The current one. */
  version: number
  range: DateRange | null
  /** A HogQL query with `{filters}`, which take the range; null for an insight, which takes it itself. */
  filtered: Record<string, unknown> | null
  /** The values of variables by code name. */
  variables: Readonly<Record<string, unknown>>
}

/** The first read takes the stored result where that is fresh enough; each refresh computes a new one. */
export const tileRunQuery = (projectId: number, run: TileRun) =>
  queryOptions({
    queryKey: [...runKey(projectId), run],
    queryFn: async ({ signal, queryKey }) => {
      const { name, range, filtered, variables } = run
      if (range && filtered) return runInRange(projectId, filtered, range, signal)
      const body: RunBody = {
        refresh: queryClient.getQueryData(queryKey) === undefined ? 'cache' : 'force',
        ...(Object.keys(variables).length > 0 ? { variables } : {}),
        ...(range ? { filters_override: range } : {}),
      }
      try {
        return await runEndpoint(projectId, name, body, signal)
      } catch (error) {
        // The rows of a materialized insight require a value of its breakdown; a tile shows all values.
        const isOfBreakdown = error instanceof Problem && error.attr === 'variables'
        if (!isOfBreakdown || Object.keys(variables).length > 0) throw error
        return runEndpoint(projectId, name, { ...body, refresh: 'direct' }, signal)
      }
    },
    // Only its interval and its button refresh it.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

export interface ChartSeries {
  label: string
  breakdown_value?: string | null
  data: number[]
  days: string[]
  count: number
}

/** The data of a chart for another range than it was stored with. */
export const chartQuery = (projectId: number, query: Record<string, unknown>, range: DateRange) =>
  queryOptions({
    queryKey: ['project', projectId, 'chart', query, range],
    queryFn: ({ signal }) =>
      // A trend has series.
      post(
        '/api/projects/{project_id}/query/',
        { path: inProject(projectId) },
        { query: { ...query, dateRange: range } },
        signal,
      ) as Promise<unknown> as Promise<{ results: ChartSeries[] }>,
    placeholderData: keepPreviousData,
  })
