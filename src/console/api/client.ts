// Calls the HTTP API. It uses what every program can use, with the cookie of the session.
import createClient, { type ClientPathsWithMethod, type MethodResponse } from 'openapi-fetch'
import { Problem, problemOf, unreachable } from './problem'
import type { components, paths } from './schema'
import { type Interruption, resumed } from './session'

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
export type Endpoint = Schemas['Endpoint']
export type EndpointVersion = Schemas['EndpointVersion']
export type QueryResult = Schemas['QueryResult']
export type QueryCheck = Schemas['HogQLMetadataResult']
export type DatabaseSchema = Schemas['DatabaseSchema']
export type Variable = Schemas['InsightVariable']

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

/** Returns the step that the user has to take before any request is allowed. */
async function interruptionOf(response: Response): Promise<Interruption | null> {
  if (response.status === 401) return 'sign-in'
  if (response.status !== 403) return null
  const { code } = await problemOf(response.clone())
  if (code === 'sensitive_action_required_reauth') return 'recent-sign-in'
  return code === 'two_factor_setup_required' ? 'two-factor' : null
}

const PAGES: Readonly<Record<Exclude<Interruption, 'recent-sign-in'>, (next: string) => string>> = {
  'sign-in': (next) => `/login?${next}`,
  'two-factor': (next) => `/settings?${next}#two-factor`,
}

/** Whether there is a page, and whether it may show something. Reading the user proves nothing: it is allowed before a second factor is set up. */
let [isDrawn, isAllowed] = [false, false]

/** Is called when the first page is there, which may have input from then on. */
export function markDrawn(): void {
  isDrawn = true
}

/** A page asks several times at once: only the first refusal leaves it, since each further one would begin to load the next page again. */
let isLeaving = false

/** Sends a request; when the session does not allow it any more, once more after the user has signed in again. */
export async function sendSignedIn(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await send(request)
  const interruption = await interruptionOf(response)
  if (interruption === null) {
    isAllowed ||= response.ok && !request.url.includes('/api/users/')
    return response
  }
  // Only a change needs a recent sign-in, and so comes from a page with input.
  if ((isDrawn && isAllowed) || interruption === 'recent-sign-in') {
    await resumed(interruption)
    return send(again)
  }
  if (!isLeaving) {
    // Nothing is shown yet, so no input is lost.
    const next = new URLSearchParams({ next: location.pathname + location.search })
    location.replace(PAGES[interruption](next.toString()))
    isLeaving = true
  }
  return new Promise(() => {})
}

export const client = createClient<paths>({
  baseUrl: location.origin,
  fetch: async (request) => {
    const response = await sendSignedIn(request)
    if (response.ok) return response
    throw await problemOf(response)
  },
})

/** The body of a response. @throws Problem, as the client does. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  if (data === undefined) throw new Problem('The service answered without a body.', 200)
  return data
}

export type Reads = ClientPathsWithMethod<typeof client, 'get'>
export type ReadParams<Path extends Reads> = Omit<paths[Path]['get']['parameters'], 'header' | 'cookie'>

export type ResultOf<Path extends Reads> = MethodResponse<typeof client, 'get', Path>

/** Reads what is at an address. @throws Problem */
export const read = <Path extends Reads>(
  path: Path,
  params: ReadParams<Path>,
  signal?: AbortSignal,
): Promise<ResultOf<Path>> =>
  // Which parameters a path has is checked above; the client's own types want to know the path.
  dataOf(client.GET(path as never, { params, signal } as never))

/** `read` as the function of a query. */
export const reading =
  <Path extends Reads>(path: Path, params: ReadParams<Path>) =>
  ({ signal }: { signal: AbortSignal }) =>
    read(path, params, signal)

type BodyOf<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : undefined

/** Sends a change, and reads what is there then. @throws Problem */
const changing =
  <Method extends 'post' | 'patch'>(method: Method) =>
  <Path extends ClientPathsWithMethod<typeof client, Method>>(
    path: Path,
    params: paths[Path][Method] extends { parameters: infer Given }
      ? Omit<Given, 'header' | 'cookie'>
      : never,
    body?: BodyOf<paths[Path][Method]>,
    signal?: AbortSignal,
  ): Promise<MethodResponse<typeof client, Method, Path>> =>
    dataOf(client.request(method, path as never, { params, body, signal } as never))

export const post = changing('post')
export const patch = changing('patch')

/** What the session's user has to do first. The user can be read before a second factor is set up, the organization cannot. */
export const pendingInterruption = async (): Promise<Interruption | null> =>
  interruptionOf(await send(new Request(`${location.origin}/api/organizations/@current/`)))
