// Responses of the pages: documents under a strict policy, and redirects within this service.
import type { FC } from 'hono/jsx'

/** No scripts at all; styles and images from here; forms that stay here; never in a frame. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A document. `same-origin` keeps addresses to ourselves, and the `Origin` of forms readable. */
export const html = (document: ReturnType<FC>, status = 200): Response =>
  new Response(`<!doctype html>${String(document)}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'same-origin',
    },
  })

/** To another page; after a form, so that loading it again repeats nothing. */
export const redirectTo = (location: string, status: 302 | 303 = 303): Response =>
  new Response(null, { status, headers: { Location: location } })
