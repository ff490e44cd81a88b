// Requests that a browser sends with its cookie must come from our own pages (decision 10).
//
// The token is an HMAC of the session's own: there is nothing to store, and whoever can plant a cookie in a browser still cannot know it.
// Clients do what they do elsewhere: copy the cookie `posthog_csrftoken` into the header `X-CSRFToken`.
import { createHmac } from 'node:crypto'
import { permissionDenied } from '../errors'
import { sameText } from './same-text'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method changes nothing. */
export const isSafe = (method: string): boolean => SAFE.has(method)

/** The token that goes with a session (or with a sign-in form) known by `secret`. */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('csrf').digest('base64url')

const failed = (reason: string) => permissionDenied(`CSRF Failed: ${reason}`)

/**
 * @param token what came in the header or in a form's hidden field.
 * @throws 403 unless the method is safe, or the request comes from this origin and its token is that of the session.
 */
export function requireOwnPage(request: Request, secret: string, token: string | null | undefined): void {
  if (isSafe(request.method)) return
  requireOwnOrigin(request)
  if (!token) throw failed('CSRF token missing.')
  if (!sameText(token, csrfTokenOf(secret))) throw failed('CSRF token incorrect.')
}

/**
 * Browsers say where a request comes from. One that says nothing is no browser's, or one where the token alone has to do.
 * @throws 403 for a request that a page of another origin sent.
 */
export function requireOwnOrigin(request: Request): void {
  const own = new URL(request.url).origin
  const origin = request.headers.get('Origin') ?? originOf(request.headers.get('Referer'))
  if (origin !== null && origin !== own) {
    throw failed('Origin checking failed - the request does not come from this site.')
  }
}

function originOf(referer: string | null): string | null {
  if (referer === null) return null
  return URL.parse(referer)?.origin ?? 'null'
}
