// The reference: the document for programs, the page for people, and the page's scripts. Files under public/: the Worker carries none of them.
import { Hono } from 'hono'
import { methodNotAllowed, notFound } from '../errors'
import type { AppEnv } from '../http/app-env'

const PAGE = '/docs'

/**
 * Scripts from here only, none of them in the page or made of text; requests to here only; never in a frame. Styles may stand in the page:
 * Scalar writes its own there.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Looked at again each time, and sent again only when it has changed. */
const REVALIDATE = 'no-cache'
/** The page names the script with its version. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** By path, how long a browser may keep it. */
const FILES = {
  '/openapi.json': 'public, max-age=300',
  [PAGE]: REVALIDATE,
  '/docs/reference.js': REVALIDATE,
  '/docs/scalar.js': FOR_EVER,
}

/** Routes of the reference, and the way to it: a person who opens the service's address wants to know what it is. */
export function referencePages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  for (const [path, caching] of Object.entries(FILES)) {
    router.get(path, async (c) => {
      c.set('route', path)
      const file = await c.env.ASSETS.fetch(new URL(path, c.req.url), { headers: conditionsOf(c.req.raw) })
      if (file.status !== 200 && file.status !== 304) throw notFound()
      const headers = new Headers(file.headers)
      headers.set('Cache-Control', caching)
      if (path === PAGE) {
        headers.set('Content-Security-Policy', POLICY)
        headers.set('Referrer-Policy', 'same-origin')
      }
      return new Response(file.body, { status: file.status, headers })
    })
    router.all(path, (c) => {
      c.set('route', path)
      throw methodNotAllowed(c.req.method, ['GET'])
    })
  }
  router.get('/', (c) => {
    c.set('route', '/')
    // Programs are told that there is nothing.
    if (!c.req.header('Accept')?.includes('text/html')) throw notFound()
    return c.redirect(PAGE)
  })
  return router
}

const conditionsOf = (request: Request): Record<string, string> => {
  const tag = request.headers.get('If-None-Match')
  return tag === null ? {} : { 'If-None-Match': tag }
}
