// HTML forms: their bodies, and the CSRF token of a browser without a session.
import type { Context } from 'hono'
import { cookieOf, FORM_COOKIE, setFormSecret } from '../../auth/cookies'
import { csrfTokenOf, requireCsrfToken } from '../../auth/csrf'
import { newToken } from '../../auth/sessions'
import { boundedText } from '../../bounded-text'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { html } from '../../pages/respond'

const MAX_BYTES = 64 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const isForm = (request: Request): boolean => typeOf(request) === FORM_TYPE

const typeOf = (request: Request): string =>
  (request.headers.get('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase()

/** @throws 415 for another media type; 413 above 64 KiB. */
export async function parseForm(request: Request): Promise<URLSearchParams> {
  if (!isForm(request)) {
    throw formError(415, 'unsupported_media_type', `Unsupported media type "${typeOf(request)}" in request.`)
  }
  const text = await boundedText(request.body, MAX_BYTES)
  if (text === null)
    throw formError(413, 'request_too_large', `Request body exceeds the maximum of ${MAX_BYTES} bytes.`)
  return new URLSearchParams(text)
}

const formError = (status: number, code: string, detail: string) =>
  new ApiError({ status, type: 'invalid_request', code, detail })

/**
 * Responds with a page that has a form. It sets the cookie of the CSRF token, unless the browser has it.
 * @param folder where the form is sent
 * @param show returns the page for a CSRF token
 */
export function withForm(
  c: Context<AppEnv>,
  folder: string,
  status: number,
  show: (csrf: string) => Parameters<typeof html>[0],
): Response {
  const known = cookieOf(c.req.raw, FORM_COOKIE)
  const secret = known ?? newToken(c.get('deps').ids)
  const response = html(show(csrfTokenOf(secret)), status)
  if (!known) setFormSecret(response.headers, new URL(c.req.url), secret, folder)
  return response
}

/** Checks that this browser has loaded the form. @throws 403 */
export const requireForm = (c: Context<AppEnv>, form: URLSearchParams): void =>
  requireCsrfToken(c.req.raw, cookieOf(c.req.raw, FORM_COOKIE), form.get('csrf'))
