// Who is signed in, for operations that anybody may call: what they do then is checked as on any other operation.
import type { User } from '../auth/actor'
import { userOf } from '../auth/actor'
import { authorize } from '../auth/authorize'
import { cookieOf, SESSION_COOKIE } from '../auth/cookies'
import type { Deps } from '../deps'
import { ApiError, permissionDenied } from '../errors'

/**
 * The user whose session's cookie a request carries; null when there is none, or it is over.
 * @throws 403 for an unsafe request without the session's CSRF token, and for staff who look at the service as somebody else.
 */
export async function signedInUser(deps: Deps, request: Request): Promise<User | null> {
  const sessionToken = cookieOf(request, SESSION_COOKIE)
  if (!sessionToken) return null
  const presented = { key: null, sessionToken, request, body: () => Promise.resolve(null) }
  try {
    const { actor } = await authorize(deps, presented, { scope: null }, { kind: 'nothing' })
    // Joining is for the user to decide, not for whoever looks as them.
    if (actor.kind === 'session' && actor.impersonation) {
      throw permissionDenied('This action is not allowed during impersonation.', 'impersonation_path_blocked')
    }
    return userOf(actor)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
