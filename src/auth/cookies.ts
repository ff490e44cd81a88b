// The cookies of a sign-in: their names, lives and flags (decision 10, reference/account-api.md §9.1).
import type { CookieOptions } from 'hono/utils/cookie'
import { parse, serialize } from 'hono/utils/cookie'
import { isLoopback } from './loopback'
import { csrfTokenOf } from './csrf'
import { SESSION_SECONDS } from './sessions'

/** The session's token. */
export const SESSION_COOKIE = 'sessionid'
/** What clients copy into the header `X-CSRFToken`; scripts may read it. */
export const CSRF_COOKIE = 'posthog_csrftoken'
/** A sign-in that waits for its second factor. */
export const CHALLENGE_COOKIE = 'login_challenge'

/** A sign-in form, before there is a session. */
export const FORM_COOKIE = 'login_form'

const FORM_SECONDS = 3600

/** How long a sign-in waits for its second factor. */
export const CHALLENGE_SECONDS = 600

/** The value of a cookie that a request carries, or null. */
export function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('Cookie')
  return (header && parse(header, name)[name]) || null
}

/** Browsers take `Secure` cookies from HTTPS only, and from their own machine it depends on the browser. */
const optionsFor = (url: URL): CookieOptions => ({
  path: '/',
  sameSite: 'Lax',
  httpOnly: true,
  secure: !isLoopback(url),
})

const set = (headers: Headers, name: string, value: string, options: CookieOptions) =>
  headers.append('Set-Cookie', serialize(name, value, options))

/** Signs the browser in: the session's token, and the CSRF token that goes with it. */
export function setSession(headers: Headers, url: URL, token: string): void {
  const options = { ...optionsFor(url), maxAge: SESSION_SECONDS }
  set(headers, SESSION_COOKIE, token, options)
  set(headers, CSRF_COOKIE, csrfTokenOf(token), { ...options, httpOnly: false })
  clearChallenge(headers, url)
}

/** Signs the browser out. */
export function clearSession(headers: Headers, url: URL): void {
  const options = { ...optionsFor(url), maxAge: 0 }
  set(headers, SESSION_COOKIE, '', options)
  set(headers, CSRF_COOKIE, '', { ...options, httpOnly: false })
}

/** Remembers a sign-in that waits for its second factor. */
export const setChallenge = (headers: Headers, url: URL, token: string): void =>
  set(headers, CHALLENGE_COOKIE, token, { ...optionsFor(url), maxAge: CHALLENGE_SECONDS })

/** Ties a sign-in form to the browser that it was shown to, for as long as somebody may take to fill it in. */
export const setFormSecret = (headers: Headers, url: URL, secret: string): void =>
  set(headers, FORM_COOKIE, secret, {
    ...optionsFor(url),
    path: '/login',
    sameSite: 'Strict',
    maxAge: FORM_SECONDS,
  })

const clearChallenge = (headers: Headers, url: URL): void =>
  set(headers, CHALLENGE_COOKIE, '', { ...optionsFor(url), maxAge: 0 })
