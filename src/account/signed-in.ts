// Who is signed in, for operations that anybody may call: what they do then is checked as on any other operation.
import { type SessionActor, sessionOf } from '../auth/actor'
import { authorize, type Demand, presentedBy } from '../auth/authorize'
import { ApiError } from '../errors'
import type { Context } from '../http/operation'

/**
 * The session whose cookie a request carries; null when there is none, or it is over.
 * @param impersonation what staff may do of it while they look as somebody else.
 * @throws 403 for an unsafe request without the session's CSRF token, and for what is closed while impersonating.
 */
export async function signedIn(
  { deps, request, recognised }: Pick<Context, 'deps' | 'request' | 'recognised'>,
  impersonation: Demand['impersonation'],
): Promise<SessionActor | null> {
  const presented = presentedBy(request)
  if (!presented.sessionToken) return null
  try {
    const demand = { scope: null, impersonation }
    const { actor } = await authorize(deps, presented, demand, { kind: 'nothing' })
    recognised(actor)
    return sessionOf(actor)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
