// Serves the console, a static app under public/console that `src/cli/build/console.ts` builds, and the files that pages share.
import { type Context, Hono } from 'hono'
import { cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { serveAsset } from '../../http/asset'
import { loginPath } from '../../pages/login-redirect'
import { redirectTo } from '../../pages/respond'

/** Paths of the console. Its own router renders them. */
const PAGES = ['/', '/project/:project_id', '/project/:project_id/*', '/settings', '/settings/:part']

/** `Cache-Control` by path. */
const SHARED_FILES = {
  '/assets/pages.css': 'public, max-age=300',
  '/assets/tokens.css': 'public, max-age=300',
  '/assets/inter-latin.woff2': 'public, max-age=86400',
  '/assets/inter-licence.txt': 'public, max-age=86400',
  '/favicon.svg': 'public, max-age=86400',
}

/** Built files never change, because their names contain the hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Returns the policy of the console: scripts of this origin only. Libraries that write style elements mark them with the nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export function consolePages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  for (const [path, caching] of Object.entries(SHARED_FILES)) {
    router.get(path, (c) => {
      c.set('route', path)
      return serveAsset(c, path, caching)
    })
  }
  // Browsers request this where a page names no icon.
  router.get('/favicon.ico', (c) => {
    c.set('route', '/favicon.ico')
    return redirectTo('/favicon.svg', 302)
  })
  router.get('/console/assets/:file', (c) => {
    c.set('route', '/console/assets/:file')
    return serveAsset(c, new URL(c.req.url).pathname, IMMUTABLE)
  })
  for (const path of PAGES) {
    router.get(path, (c, next) => {
      // A client that does not accept HTML gets the operation of this path, if there is one.
      if (!c.req.header('Accept')?.includes('text/html')) return next()
      c.set('route', path)
      return showConsole(c)
    })
  }
  router.get('/', (c) => {
    c.set('route', '/')
    return c.text(describeService(new URL(c.req.url).origin))
  })
  return router
}

/** Returns the answer for curl, health checks and link previews at `/`. */
const describeService = (
  origin: string,
): string => `Halyard: feature flags, accounts and saved queries over HTTP.

Reference   ${origin}/docs
Health      ${origin}/health
Readiness   ${origin}/ready
Console     ${origin}/ in a browser
`

async function showConsole(c: Context<AppEnv>): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  // Only the presence of the cookie is checked here. The API checks whether the session is valid.
  if (cookieOf(c.req.raw, SESSION_COOKIE) === null) return redirectTo(loginPath(pathname + search), 302)
  const file = await c.get('deps').env.ASSETS.fetch(new URL('/console/', c.req.url))
  if (!file.ok) throw notBuilt()
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const document = (await file.text()).replaceAll('%NONCE%', nonce)
  return new Response(document, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(nonce),
      'Referrer-Policy': 'same-origin',
    },
  })
}

const notBuilt = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'console_not_built',
    detail: 'The console is not built. `npm start` and `npm run deploy` build it.',
    shape: 'text',
  })
