// Renders errors as responses.
import { ApiError, apiErrorIn } from '../errors'

const crash = () =>
  new ApiError({ status: 500, type: 'server_error', code: 'error', detail: 'A server error occurred.' })

/** Returns the response for any error. Unexpected errors reveal nothing. */
export function renderError(error: unknown): Response {
  const known = apiErrorIn(error) ?? crash()
  const headers = new Headers(known.headers)
  // RFC 9110, 15.5.2 requires this header.
  if (known.status === 401) headers.set('WWW-Authenticate', 'Bearer')
  const body = bodyOf(known)
  if (body === null) return new Response(null, { status: known.status, headers })
  if (typeof body === 'string') return new Response(body, { status: known.status, headers })
  return Response.json({ ...body, ...known.more }, { status: known.status, headers })
}

/** Returns the body of an error, or null without one. */
export function bodyOf({ shape, type, code, detail, attr }: ApiError): object | string | null {
  switch (shape) {
    case 'envelope':
      return { type, code, detail, attr }
    case 'error':
      return { error: detail }
    case 'detail':
      return { detail }
    case 'error+detail':
      return { error: detail, detail }
    case 'success+error':
      return { success: false, error: detail }
    case 'text':
      return detail
    case 'empty':
      return null
  }
}
