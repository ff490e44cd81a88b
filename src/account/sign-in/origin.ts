// What a sign-in needs to know of the request that asks for it.
import { clientOf } from '../../auth/client'
import { cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import type { Origin } from './password-sign-in'

/** The browser behind a request, and the session that it holds already. */
export const originOf = (request: Request): Origin => ({
  client: clientOf(request),
  formerToken: cookieOf(request, SESSION_COOKIE),
})
