// `/mcp`: the operations as tools for language models, over streamable HTTP without sessions. The code is loaded with the first call.
import { type Context, Hono } from 'hono'
import { methodNotAllowed } from '../errors'
import type { AppEnv } from '../http/app-env'

/** Has the app answer a request as if it had come from outside. */
export type Dispatch = (request: Request, c: Context<AppEnv>) => Response | Promise<Response>

/** There are no streams to open and no sessions to end: everything is a POST. */
export function mcpRoutes(dispatch: Dispatch): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
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
