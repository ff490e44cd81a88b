// The optional session of operations that need no credentials.
import { type SessionActor, sessionOf } from '../../auth/actor'
import { authorize, type Requirement, sessionCredentials } from '../../auth/authorize'
import { ApiError } from '../../errors'
import type { Context } from '../../http/operation'

/**
 * Returns null without a valid session.
 * @param impersonation rule for staff who impersonate a user
 * @param csrfToken of a form; null means that of the header
 * @throws 403 for an unsafe request without the session's CSRF token, and by the impersonation rule
 */
export async function optionalSession(
  { deps, request, setActor }: Pick<Context, 'deps' | 'request' | 'setActor'>,
  impersonation: Requirement['impersonation'],
  csrfToken: string | null = null,
): Promise<SessionActor | null> {
  const credentials = sessionCredentials(request, csrfToken)
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
