// Serves `/mcp`: operations as tools for language models, over stateless streamable HTTP. The first call loads the code.
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { methodNotAllowed } from '../errors'
import type { AppEnv } from '../http/app-env'

/** Handles a request in the app. */
export type Dispatch = (request: Request, c: Context<AppEnv>) => Response | Promise<Response>

/** Allows any origin, for clients in browsers. Calls authenticate by keys, never by cookies. */
const anyOrigin = cors({
  origin: '*',
  allowMethods: ['POST'],
  exposeHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
  maxAge: 86_400,
})

/** Without streams and sessions, every call is a POST. */
export function mcpRoutes(dispatch: Dispatch): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.use('/mcp', anyOrigin)
  router.all('/mcp', async (c) => {
    c.set('route', '/mcp')
    if (c.req.method !== 'POST') throw methodNotAllowed(c.req.method, ['POST'])
    const { serve } = await import('./serve')
    return serve({
      deps: c.get('deps'),
      request: c.req,
      dispatch: async (request) => dispatch(request, c),
      recognised: (actor) => c.set('actor', actor),
    })
  })
  return router
}
