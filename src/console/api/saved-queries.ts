// What pages about saved queries read, as queries of TanStack Query.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, dataOf, type DatabaseSchema, type QueryCheck, type QueryResult } from './client'
import { inProject } from './queries'
import type { paths } from './schema'

export type EndpointFilter = NonNullable<
  paths['/api/projects/{project_id}/endpoints/']['get']['parameters']['query']
>

export const endpointsKey = (projectId: number) => ['project', projectId, 'endpoints'] as const

const PAGE = 100

const following = (page: { next: string | null }, _pages: unknown, offset: number): number | null =>
  page.next === null ? null : offset + PAGE

export const endpointsQuery = (projectId: number, filter: EndpointFilter) =>
  infiniteQueryOptions({
    queryKey: [...endpointsKey(projectId), 'list', filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/endpoints/', {
          params: { path: inProject(projectId), query: { ...filter, limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: following,
    placeholderData: keepPreviousData,
  })

export const endpointKey = (projectId: number, name: string) =>
  [...endpointsKey(projectId), 'one', name] as const

export const onEndpoint = (projectId: number, name: string) => ({ path: { ...inProject(projectId), name } })

export const endpointQuery = (projectId: number, name: string) =>
  queryOptions({
    queryKey: endpointKey(projectId, name),
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/endpoints/{name}/', {
          params: onEndpoint(projectId, name),
          signal,
        }),
      ),
  })

export const versionsQuery = (projectId: number, name: string) =>
  infiniteQueryOptions({
    queryKey: [...endpointKey(projectId, name), 'versions'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/endpoints/{name}/versions/', {
          params: { ...onEndpoint(projectId, name), query: { limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: following,
  })

export const runsQuery = (projectId: number, name: string, level: 'INFO' | 'ERROR' | undefined) =>
  infiniteQueryOptions({
    queryKey: [...endpointKey(projectId, name), 'runs', level],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/endpoints/{name}/logs/', {
          params: {
            ...onEndpoint(projectId, name),
            query: { limit: PAGE, offset: pageParam, ...(level ? { level } : {}) },
          },
          signal,
        }),
      ),
    getNextPageParam: following,
    placeholderData: keepPreviousData,
  })

export const materializationQuery = (projectId: number, name: string) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'materialization'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/endpoints/{name}/materialization_status/', {
          params: onEndpoint(projectId, name),
          signal,
        }),
      ),
  })

export const previewQuery = (projectId: number, name: string, version: number) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'preview', version],
    queryFn: ({ signal }) =>
      dataOf(
        client.POST('/api/projects/{project_id}/endpoints/{name}/materialization_preview/', {
          params: onEndpoint(projectId, name),
          body: {},
          signal,
        }),
      ),
  })

export const variablesKey = (projectId: number) => ['project', projectId, 'variables'] as const

/** The first 1,000 variables of a project. */
export const variablesQuery = (projectId: number) =>
  queryOptions({
    queryKey: variablesKey(projectId),
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/insight_variables/', {
          params: { path: inProject(projectId), query: { limit: 1_000 } },
          signal,
        }),
      ),
    select: ({ results }) => results,
  })

const send = <Result>(projectId: number, query: Record<string, unknown>, signal?: AbortSignal) =>
  dataOf(
    client.POST('/api/projects/{project_id}/query/', {
      params: { path: inProject(projectId) },
      body: { query },
      signal,
    }),
    // Which of the responses it is follows from the kind of the query.
  ) as Promise<Result>

export const runQuery = (projectId: number, query: Record<string, unknown>, signal?: AbortSignal) =>
  send<QueryResult>(projectId, query, signal)

/** What is wrong with a query. @param insight null for SQL */
export const checkQuery = (projectId: number, text: string, insight: Record<string, unknown> | null) =>
  queryOptions({
    queryKey: ['project', projectId, 'check', text, insight === null],
    queryFn: ({ signal }) =>
      send<QueryCheck>(
        projectId,
        {
          kind: 'HogQLMetadata',
          language: 'hogQL',
          query: text,
          ...(insight ? { sourceQuery: insight } : {}),
        },
        signal,
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  })

/** The tables, fields and functions of HogQL. */
export const schemaQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['database schema'],
    queryFn: ({ signal }) => send<DatabaseSchema>(projectId, { kind: 'DatabaseSchemaQuery' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const eventNamesQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'event names', search],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/projects/{project_id}/event_definitions/', {
          params: {
            path: inProject(projectId),
            query: { limit: 50, exclude_hidden: true, ...(search ? { search } : {}) },
          },
          signal,
        }),
      ),
    staleTime: 60_000,
  })
