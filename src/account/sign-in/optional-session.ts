// Who is signed in, for operations that anybody may call: what they do then is checked as on any other operation.
import { type SessionActor, sessionOf } from '../../auth/actor'
import { authorize, type Requirement, sessionCredentials } from '../../auth/authorize'
import { ApiError } from '../../errors'
import type { Context } from '../../http/operation'

/**
 * The session whose cookie a request carries; null when there is none, or it is over.
 * @param impersonation what staff may do of it while they look as somebody else.
 * @throws 403 for an unsafe request without the session's CSRF token, and for what is closed while impersonating.
 */
export async function optionalSession(
  { deps, request, setActor }: Pick<Context, 'deps' | 'request' | 'setActor'>,
  impersonation: Requirement['impersonation'],
): Promise<SessionActor | null> {
  const credentials = sessionCredentials(request)
  if (!credentials.sessionToken) return null
  try {
    const requirement = { scope: null, impersonation }
    const { actor } = await authorize(deps, credentials, requirement, { kind: 'none' })
    setActor(actor)
    return sessionOf(actor)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
