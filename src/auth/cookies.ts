// Cookies of a sign-in (docs/reference/accounts.md#sign-in).
import { type CookieOptions, parse, serialize } from 'hono/utils/cookie'
import { isLoopback } from './client'
import { csrfTokenOf } from './csrf'
import { SESSION_SECONDS } from './sessions'

export const SESSION_COOKIE = 'sessionid'
/** The cookie of the CSRF token. Scripts can read it, and copy it into the header `X-CSRFToken`. */
export const CSRF_COOKIE = 'posthog_csrftoken'
/** The token of a sign-in that waits for the second factor. */
export const CHALLENGE_COOKIE = 'login_challenge'

/** The secret from which the sign-in form's CSRF token derives. */
export const FORM_COOKIE = 'login_form'

const FORM_SECONDS = 3600

export const CHALLENGE_SECONDS = 600

export function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('Cookie')
  return (header && parse(header, name)[name]) || null
}

/** Returns the options of a cookie. Browsers accept `Secure` cookies only over HTTPS. On loopback it depends on the browser. */
const optionsFor = (url: URL): CookieOptions => ({
  path: '/',
  sameSite: 'Lax',
  httpOnly: true,
  secure: !isLoopback(url),
})

const set = (headers: Headers, name: string, value: string, options: CookieOptions) =>
  headers.append('Set-Cookie', serialize(name, value, options))

/** Sets the cookies of the session's token and CSRF token. */
export function setSession(headers: Headers, url: URL, token: string): void {
  const options = { ...optionsFor(url), maxAge: SESSION_SECONDS }
  set(headers, SESSION_COOKIE, token, options)
  set(headers, CSRF_COOKIE, csrfTokenOf(token), { ...options, httpOnly: false })
  clearChallenge(headers, url)
}

export function clearSession(headers: Headers, url: URL): void {
  const options = { ...optionsFor(url), maxAge: 0 }
  set(headers, SESSION_COOKIE, '', options)
  set(headers, CSRF_COOKIE, '', { ...options, httpOnly: false })
}

export const setChallenge = (headers: Headers, url: URL, token: string): void =>
  set(headers, CHALLENGE_COOKIE, token, { ...optionsFor(url), maxAge: CHALLENGE_SECONDS })

/** @param path of the page with the form */
export const setFormSecret = (headers: Headers, url: URL, secret: string, path: string): void =>
  set(headers, FORM_COOKIE, secret, {
    ...optionsFor(url),
    path,
    sameSite: 'Strict',
    maxAge: FORM_SECONDS,
  })

/** Sets a cookie that a step of single sign-on leaves for the next. @param seconds 0 to clear it */
export const setStep = (headers: Headers, url: URL, name: string, value: string, seconds: number): void =>
  set(headers, name, value, { ...optionsFor(url), path: '/login/sso', maxAge: seconds })

const clearChallenge = (headers: Headers, url: URL): void =>
  set(headers, CHALLENGE_COOKIE, '', { ...optionsFor(url), maxAge: 0 })
