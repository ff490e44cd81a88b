// Serves the API reference and the guides: static files under public/, outside of the Worker's code.
import { type Context, Hono } from 'hono'
import type { AppEnv } from '../http/app-env'
import { serveAsset } from '../http/asset'
import { rejectOtherMethods } from '../http/other-methods'
import { asPage } from '../pages/respond'
import { themeOf } from '../pages/theme'

const PAGE = '/docs'

/** Returns the content security policy of a page that has only its own scripts. */
const policyOf = (styles: string, files: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    `img-src ${files}`,
    `font-src ${files}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The policy of the reference. Scalar writes inline styles. */
const POLICY = policyOf("'self' 'unsafe-inline'", "'self' data:")
const GUIDE_POLICY = policyOf("'self'", "'self'")

const REVALIDATE = 'no-cache'
/** Caching of the script, to which the page refers with its version. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** `Cache-Control` by path. */
const FILES = {
  '/openapi.json': 'public, max-age=300',
  '/halyard.schema.json': 'public, max-age=300',
  [PAGE]: REVALIDATE,
  '/docs/reference.js': REVALIDATE,
  '/docs/guide.js': REVALIDATE,
  '/docs/scalar.js': IMMUTABLE,
}

/** The guides, which `src/cli/build/render-guides.tsx` renders. */
const GUIDES = '/docs/guide/*'

/** Returns whether `withTheme` will change a page. */
const isThemed = (c: Context<AppEnv>): boolean => themeOf(c.req.header('Cookie')) !== undefined

/** Routes of the reference and the guides. */
export function referencePages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  for (const [path, caching] of Object.entries(FILES)) {
    router.get(path, async (c) => {
      c.set('route', path)
      const response = await serveAsset(c, path, caching, path === PAGE && isThemed(c))
      if (path === PAGE) {
        response.headers.set('Content-Security-Policy', POLICY)
        response.headers.set('Referrer-Policy', 'same-origin')
      }
      return response
    })
  }
  router.get(GUIDES, async (c) => {
    c.set('route', GUIDES)
    const path = c.req.path.replace(/\/$/, '')
    const response = asPage(
      await serveAsset(c, path === '/docs/guide' ? `${path}/` : path, REVALIDATE, isThemed(c)),
    )
    response.headers.set('Content-Security-Policy', GUIDE_POLICY)
    return response
  })
  for (const path of [...Object.keys(FILES), GUIDES]) {
    rejectOtherMethods(router, path, ['GET'])
  }
  return router
}
