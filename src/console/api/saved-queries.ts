// Defines what pages about saved queries read, as queries of TanStack Query.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type DatabaseSchema, type QueryCheck, type QueryResult, read, reading, post } from './client'
import { inProject, listQuery } from './queries'
import type { paths } from './schema'

export type EndpointFilter = NonNullable<
  paths['/api/projects/{project_id}/endpoints/']['get']['parameters']['query']
>

export const endpointsKey = (projectId: number) => ['project', projectId, 'endpoints'] as const

export const endpointsQuery = (projectId: number, filter: EndpointFilter) =>
  listQuery([...endpointsKey(projectId), 'list', filter], (page, signal) =>
    read(
      '/api/projects/{project_id}/endpoints/',
      { path: inProject(projectId), query: { ...filter, ...page } },
      signal,
    ),
  )

export const endpointKey = (projectId: number, name: string) =>
  [...endpointsKey(projectId), 'one', name] as const

export const onEndpoint = (projectId: number, name: string) => ({ path: { ...inProject(projectId), name } })

export const endpointQuery = (projectId: number, name: string) =>
  queryOptions({
    queryKey: endpointKey(projectId, name),
    queryFn: reading('/api/projects/{project_id}/endpoints/{name}/', onEndpoint(projectId, name)),
  })

export const versionQuery = (projectId: number, name: string, version: number) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'version', version],
    queryFn: reading('/api/projects/{project_id}/endpoints/{name}/', {
      ...onEndpoint(projectId, name),
      query: { version },
    }),
  })

export const versionsQuery = (projectId: number, name: string) =>
  listQuery([...endpointKey(projectId, name), 'versions'], (page, signal) =>
    read(
      '/api/projects/{project_id}/endpoints/{name}/versions/',
      { ...onEndpoint(projectId, name), query: page },
      signal,
    ),
  )

export const runsQuery = (projectId: number, name: string, level: 'INFO' | 'ERROR' | undefined) =>
  listQuery([...endpointKey(projectId, name), 'runs', level], (page, signal) =>
    read(
      '/api/projects/{project_id}/endpoints/{name}/logs/',
      { ...onEndpoint(projectId, name), query: { ...page, ...(level ? { level } : {}) } },
      signal,
    ),
  )

export const materializationQuery = (projectId: number, name: string) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'materialization'],
    queryFn: reading(
      '/api/projects/{project_id}/endpoints/{name}/materialization_status/',
      onEndpoint(projectId, name),
    ),
  })

export const previewQuery = (projectId: number, name: string, version: number) =>
  queryOptions({
    queryKey: [...endpointKey(projectId, name), 'preview', version],
    queryFn: ({ signal }) =>
      post(
        '/api/projects/{project_id}/endpoints/{name}/materialization_preview/',
        onEndpoint(projectId, name),
        {},
        signal,
      ),
  })

export const variablesKey = (projectId: number) => ['project', projectId, 'variables'] as const

/** The first 1,000 variables of a project. */
export const variablesQuery = (projectId: number) =>
  queryOptions({
    queryKey: variablesKey(projectId),
    queryFn: ({ signal }) =>
      read(
        '/api/projects/{project_id}/insight_variables/',
        {
          path: inProject(projectId),
          query: { limit: 1_000 },
        },
        signal,
      ),
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
    queryKey: ['project', projectId, 'event', name],
    queryFn: reading('/api/projects/{project_id}/event_definitions/', {
      path: inProject(projectId),
      query: { names: JSON.stringify([name]), limit: 1 },
    }),
    staleTime: 60_000,
  })

export const eventNamesQuery = (projectId: number, search: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'event names', search],
    queryFn: reading('/api/projects/{project_id}/event_definitions/', {
      path: inProject(projectId),
      query: { limit: 50, exclude_hidden: true, ...(search ? { search } : {}) },
    }),
    staleTime: 60_000,
  })
