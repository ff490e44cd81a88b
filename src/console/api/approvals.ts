// Defines what the pages about approvals read and change.
import { queryOptions } from '@tanstack/react-query'
import { client, read, reading, patch, post } from './client'
import { inProject, queryClient, itemIn, listQuery } from './queries'
import type { components } from './schema'

export type Policy = components['schemas']['ApprovalPolicy']
export type PolicyBody = components['schemas']['ApprovalPolicyBody']
export type ChangeRequest = components['schemas']['ChangeRequest']
export type VoteResult = components['schemas']['ChangeRequestVoteResult']

const POLICIES = '/api/projects/{project_id}/approval_policies/'
const REQUESTS = '/api/projects/{project_id}/change_requests/'

const policiesKey = (projectId: number) => ['project', projectId, 'approval-policies'] as const
const requestsKey = (projectId: number) => ['project', projectId, 'change-requests'] as const

export const policiesQuery = (projectId: number) =>
  queryOptions({
    queryKey: policiesKey(projectId),
    queryFn: reading(POLICIES, { path: inProject(projectId) }),
  })

/** @param id null for a new one. */
export const savePolicy = (projectId: number, id: string | null, body: PolicyBody): Promise<Policy> =>
  id === null
    ? post(POLICIES, { path: inProject(projectId) }, body)
    : patch(`${POLICIES}{id}/`, itemIn(projectId, id), body)

export const deletePolicy = (projectId: number, id: string) =>
  client.DELETE(`${POLICIES}{id}/`, { params: itemIn(projectId, id) })

export const refreshPolicies = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: policiesKey(projectId) })

/** @param state states, separated by commas. */
export const requestsQuery = (projectId: number, state: string) =>
  listQuery([...requestsKey(projectId), 'list', state], (page, signal) =>
    read(REQUESTS, { path: inProject(projectId), query: { state, ...page } }, signal),
  )

/** Those that wait for a flag. */
export const flagRequestsQuery = (projectId: number, flagId: number) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'flag', flagId],
    queryFn: reading(REQUESTS, {
      path: inProject(projectId),
      query: { state: 'pending', resource_id: flagId },
    }),
  })

export const requestQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'one', id],
    queryFn: reading(`${REQUESTS}{id}/`, itemIn(projectId, id)),
  })

/** The interval at which the number of requests that wait for the user is read again. */
const COUNT_REFRESH_MS = 60_000

/** Reads how many requests wait for the vote of the user. */
export const awaitedQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'awaited'],
    queryFn: ({ signal }) =>
      read(
        REQUESTS,
        {
          path: inProject(projectId),
          query: { state: 'pending', can_approve: true, limit: 1 },
        },
        signal,
      ).then(({ count }) => count),
    refetchInterval: COUNT_REFRESH_MS,
  })

export type Vote = 'approve' | 'reject' | 'cancel'

export const vote = (projectId: number, id: string, kind: Vote, reason: string): Promise<VoteResult> => {
  const params = itemIn(projectId, id)
  const body = reason === '' ? {} : { reason }
  switch (kind) {
    case 'approve':
      return post(`${REQUESTS}{id}/approve/`, params, body)
    case 'reject':
      return post(`${REQUESTS}{id}/reject/`, params, body)
    case 'cancel':
      return post(`${REQUESTS}{id}/cancel/`, params, body)
  }
}

export const refreshRequests = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: requestsKey(projectId) })
