// Rejects the methods that a path does not have.
import type { Hono } from 'hono'
import { methodNotAllowed } from '../errors'
import type { AppEnv } from './app-env'

/**
 * Adds a route that responds with 405 to all methods that the routes before it do not take. It sets the route for the log, which would
 * otherwise show the path, and some paths contain secrets.
 * @param route the pattern for the log
 */
export function rejectOtherMethods(
  router: Hono<AppEnv>,
  path: string,
  methods: readonly string[],
  route = path,
): void {
  router.all(path, (c) => {
    c.set('route', route)
    throw methodNotAllowed(c.req.method, [...methods])
  })
}
