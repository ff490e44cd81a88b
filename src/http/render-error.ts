// The one function that turns an error into a response.
import { ApiError, apiErrorIn } from '../errors'

const crash = () =>
  new ApiError({ status: 500, type: 'server_error', code: 'error', detail: 'A server error occurred.' })

/** The response for anything that was thrown. A crash says nothing of itself. */
export function renderError(error: unknown): Response {
  const known = apiErrorIn(error) ?? crash()
  const headers = new Headers(known.headers)
  // Whatever it was that opened nothing, a key would (RFC 9110, 15.5.2).
  if (known.status === 401) headers.set('WWW-Authenticate', 'Bearer')
  const body = bodyOf(known)
  if (body === null) return new Response(null, { status: known.status, headers })
  if (typeof body === 'string') return new Response(body, { status: known.status, headers })
  return Response.json({ ...body, ...known.more }, { status: known.status, headers })
}

/** What an error says; null where it has no body. */
export function bodyOf({ shape, type, code, detail, attr }: ApiError): object | string | null {
  switch (shape) {
    case 'envelope':
      return { type, code, detail, attr }
    case 'without attr':
      return { type, code, detail }
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
