// Defines what pages about saved queries read, as queries of TanStack Query.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type DatabaseSchema, type QueryCheck, type QueryResult, post } from './client'
import { at, inProject, keyOf, listAt } from './queries'
import type { paths } from './schema'

export type EndpointFilter = NonNullable<
  paths['/api/projects/{project_id}/endpoints/']['get']['parameters']['query']
>

const ENDPOINTS = '/api/projects/{project_id}/endpoints/'

export const endpointsKey = (projectId: number) => keyOf(ENDPOINTS, { path: inProject(projectId) })

export const endpointsQuery = (projectId: number, query: EndpointFilter) =>
  listAt(ENDPOINTS, { path: inProject(projectId), query })

export const onEndpoint = (projectId: number, name: string) => ({ path: { ...inProject(projectId), name } })

export const endpointQuery = (projectId: number, name: string) =>
  at(`${ENDPOINTS}{name}/`, onEndpoint(projectId, name))

export const endpointKey = (projectId: number, name: string) => endpointQuery(projectId, name).queryKey

export const versionQuery = (projectId: number, name: string, version: number) =>
  at(`${ENDPOINTS}{name}/`, { ...onEndpoint(projectId, name), query: { version } })

export const versionsQuery = (projectId: number, name: string) =>
  listAt(`${ENDPOINTS}{name}/versions/`, onEndpoint(projectId, name))

export const runsQuery = (projectId: number, name: string, level: 'INFO' | 'ERROR' | undefined) =>
  listAt(`${ENDPOINTS}{name}/logs/`, { ...onEndpoint(projectId, name), query: level && { level } })

export const materializationQuery = (projectId: number, name: string) =>
  at(`${ENDPOINTS}{name}/materialization_status/`, onEndpoint(projectId, name))

export const previewQuery = (projectId: number, name: string, version: number) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'preview', version],
    queryFn: ({ signal }) =>
      post(`${ENDPOINTS}{name}/materialization_preview/`, onEndpoint(projectId, name), {}, signal),
  })

const VARIABLES = '/api/projects/{project_id}/insight_variables/'

export const variablesKey = (projectId: number) => keyOf(VARIABLES, { path: inProject(projectId) })

/** The first 1,000 variables of a project. */
export const variablesQuery = (projectId: number) =>
  queryOptions({
    ...at(VARIABLES, { path: inProject(projectId), query: { limit: 1_000 } }),
    select: ({ results }) => results,
  })

const send = <Result>(projectId: number, query: Record<string, unknown>, signal?: AbortSignal) =>
  // Which of the responses it is follows from the kind of the query.
  post(
    '/api/projects/{project_id}/query/',
    { path: inProject(projectId) },
    { query },
    signal,
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

/** Reads whether the project has an event, also one that is hidden. */
export const eventQuery = (projectId: number, name: string) =>
  queryOptions({
    ...at('/api/projects/{project_id}/event_definitions/', {
      path: inProject(projectId),
      query: { names: JSON.stringify([name]), limit: 1 },
    }),
    staleTime: 60_000,
  })

export const eventNamesQuery = (projectId: number, search: string) =>
  queryOptions({
    ...at('/api/projects/{project_id}/event_definitions/', {
      path: inProject(projectId),
      query: { limit: 50, exclude_hidden: true, ...(search ? { search } : {}) },
    }),
    staleTime: 60_000,
  })
