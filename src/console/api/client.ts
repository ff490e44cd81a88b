// The client of the HTTP API. It uses what every program can use, with the cookie of the session.
import createClient from 'openapi-fetch'
import { Problem, problemOf, unreachable } from './problem'
import type { components, paths } from './schema'
import { signedInAgain } from './session'

type Schemas = components['schemas']
export type Flag = Schemas['FeatureFlag']
export type FlagFilters = Schemas['FlagFilters']
export type ConditionSet = Schemas['ConditionSet']
export type PropertyFilter = Schemas['PropertyFilter']
export type ActivityEntry = Schemas['ActivityEntry']
export type EvaluationResult = Schemas['TestEvaluationResult']
export type Member = Schemas['OrganizationMember']
export type Invite = Schemas['OrganizationInvite']
export type User = Schemas['User']
export type Project = Schemas['Project']

/** The token that the API wants with a change; null without a session. */
export const csrfToken = (): string | null =>
  /(?:^|; )posthog_csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? null

async function send(request: Request): Promise<Response> {
  const token = csrfToken()
  if (token !== null && request.method !== 'GET') request.headers.set('X-CSRFToken', token)
  try {
    return await fetch(request)
  } catch (error) {
    // A request that was cancelled has not failed.
    throw request.signal.aborted ? error : unreachable()
  }
}

let wasSignedIn = false

/** Sends a request; after the session ended, once more when the person has signed in again. */
async function sendSignedIn(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await send(request)
  if (response.status !== 401) {
    wasSignedIn = true
    return response
  }
  if (wasSignedIn) {
    await signedInAgain()
    return send(again)
  }
  // Nothing is shown yet that could be lost.
  location.replace(`/login?${new URLSearchParams({ next: location.pathname + location.search }).toString()}`)
  return new Promise(() => {})
}

export const client = createClient<paths>({
  baseUrl: location.origin,
  fetch: async (request) => {
    const response = await sendSignedIn(request)
    if (response.ok) return response
    const problem = await problemOf(response)
    // Nothing else is allowed until it is set up.
    if (problem.code === 'two_factor_setup_required') location.assign('/settings#two-factor')
    throw problem
  },
})

/** The body of a response. @throws Problem, as the client does. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Problem('The service answered without a body.', 200)
  return data
}

/** Whether the session still holds. */
export const isSignedIn = async (): Promise<boolean> =>
  (await send(new Request(`${location.origin}/api/users/@me/`))).ok
