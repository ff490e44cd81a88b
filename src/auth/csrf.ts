// CSRF protection of cookie requests. The token is an HMAC under a random secret of the browser: the session's token, or a cookie of the
// sign-in form. Nothing is stored. Clients copy the cookie `posthog_csrftoken` into the header `X-CSRFToken`.
import { createHmac } from 'node:crypto'
import { permissionDenied } from '../errors'
import { equalsInConstantTime } from './constant-time'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafe = (method: string): boolean => SAFE.has(method)

/** @param secret the random value of the session's or the form's cookie */
export function csrfTokenOf(secret: string): string {
  if (secret === '') throw new Error('A CSRF token needs a secret.')
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

const failed = (reason: string) => permissionDenied(`CSRF Failed: ${reason}`)

/**
 * @param secret cookie from which the token derives; null without one
 * @param token from the header or a form's hidden field
 * @throws 403 for an unsafe method from another origin, without the cookie or with another token
 */
export function requireCsrfToken(
  request: Request,
  secret: string | null,
  token: string | null | undefined,
): void {
  if (isSafe(request.method)) return
  requireSameOrigin(request)
  if (!secret) throw failed('CSRF cookie not set. Your browser may block cookies, or the form is too old.')
  if (!token) throw failed('CSRF token missing.')
  if (!equalsInConstantTime(token, csrfTokenOf(secret))) throw failed('CSRF token incorrect.')
}

/**
 * Rejects a request of another origin. A request without an origin is accepted, because browsers send one.
 * @throws 403 for a request of another origin
 */
export function requireSameOrigin(request: Request): void {
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
