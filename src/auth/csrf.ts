// Requests that a browser sends with its cookie must come from our own pages (decision 10).
//
// The token is an HMAC under a random secret of the browser: its session's token, or a cookie of the sign-in form. There is nothing to
// store, and a request without that secret is refused: there is no default.
// Clients do what they do elsewhere: copy the cookie `posthog_csrftoken` into the header `X-CSRFToken`.
import { createHmac } from 'node:crypto'
import { permissionDenied } from '../errors'
import { equalsInConstantTime } from './constant-time'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method changes nothing. */
export const isSafe = (method: string): boolean => SAFE.has(method)

/** The CSRF token of a session or of a sign-in form. @param secret the random value of its cookie. */
export function csrfTokenOf(secret: string): string {
  if (secret === '') throw new Error('A CSRF token needs a secret.')
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

const failed = (reason: string) => permissionDenied(`CSRF Failed: ${reason}`)

/**
 * @param secret the cookie that the token derives from; null when the browser sent none.
 * @param token what came in the header or in a form's hidden field.
 * @throws 403 unless the method is safe, or the request comes from this origin, has the cookie, and its token derives from it.
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
 * Browsers say where a request comes from. One that says nothing is no browser's, or one where the token alone has to do.
 * @throws 403 for a request that a page of another origin sent.
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
