// Defines what the pages about approvals read and change.
import { queryOptions } from '@tanstack/react-query'
import { post } from './client'
import { at, inProject, itemIn, keyOf, listAt, refresh } from './queries'
import type { components } from './schema'

export type Policy = components['schemas']['ApprovalPolicy']
export type PolicyBody = components['schemas']['ApprovalPolicyBody']
export type ChangeRequest = components['schemas']['ChangeRequest']
export type VoteResult = components['schemas']['ChangeRequestVoteResult']

export const POLICIES = '/api/projects/{project_id}/approval_policies/'
const REQUESTS = '/api/projects/{project_id}/change_requests/'

export const policiesQuery = (projectId: number) => at(POLICIES, { path: inProject(projectId) })

/** @param state states, separated by commas. */
export const requestsQuery = (projectId: number, state: string) =>
  listAt(REQUESTS, { path: inProject(projectId), query: { state } })

/** Those that wait for a flag. */
export const flagRequestsQuery = (projectId: number, flagId: number) =>
  at(REQUESTS, { path: inProject(projectId), query: { state: 'pending', resource_id: flagId } })

export const requestQuery = (projectId: number, id: string) => at(`${REQUESTS}{id}/`, itemIn(projectId, id))

/** The interval at which the number of requests that wait for the user is read again. */
const COUNT_REFRESH_MS = 60_000

/** Reads how many requests wait for the vote of the user. */
export const awaitedQuery = (projectId: number) =>
  queryOptions({
    ...at(REQUESTS, {
      path: inProject(projectId),
      query: { state: 'pending', can_approve: true, limit: 1 },
    }),
    select: ({ count }) => count,
    refetchInterval: COUNT_REFRESH_MS,
  })

export type Vote = 'approve' | 'reject' | 'cancel'

/** An empty reason is none. */
export const vote = (projectId: number, id: string, kind: Vote, reason: string): Promise<VoteResult> =>
  post(`${REQUESTS}{id}/${kind}/`, itemIn(projectId, id), reason === '' ? {} : { reason })

export const refreshRequests = (projectId: number): Promise<void> =>
  refresh({ queryKey: keyOf(REQUESTS, { path: inProject(projectId) }) })
