// Scripts of posthog-js, for pages that install it with a snippet of HTML. src/cli/build/browser-sdk.ts copies them from its package.
import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env'
import { serveAsset } from '../http/asset'

/** A day, and another week while a copy is fetched: their names have no version. */
const CACHING = 'public, max-age=86400, stale-while-revalidate=604800'

/** By route. */
export const BROWSER_SCRIPTS: Readonly<Record<string, (c: Context<AppEnv>) => Promise<Response>>> = {
  '/static/:file{[a-z-]+\\.js}': (c) => serveAsset(c, `/static/${c.req.param('file')}`, CACHING),
  '/array/:token/array.js': (c) => serveAsset(c, '/static/array.js', CACHING),
}
