import type { FC } from 'hono/jsx'
import type { ApiError } from '../errors'

/** The policy: no scripts; styles, images, fonts and forms of this origin; no frames. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Sets the policies of a page without scripts. `same-origin` keeps addresses private and the `Origin` header of forms intact. */
export function asPage(response: Response): Response {
  response.headers.set('Content-Security-Policy', POLICY)
  response.headers.set('Referrer-Policy', 'same-origin')
  return response
}

export const html = (document: ReturnType<FC>, status = 200): Response =>
  asPage(
    new Response(`<!doctype html>${String(document)}`, {
      status,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    }),
  )

/** Shows an error that no form or section can. */
export async function errorPage({ detail, status }: Pick<ApiError, 'detail' | 'status'>): Promise<Response> {
  const { ErrorPage } = await import('./layout')
  return html(
    ErrorPage({ detail, title: status === 404 ? 'Page not found' : 'That is not possible' }),
    status,
  )
}

/** Redirects with 303 after a form, so that a reload repeats nothing. */
export const redirectTo = (location: string, status: 302 | 303 = 303): Response =>
  new Response(null, { status, headers: { Location: location } })
