// Refuses messages of webhooks. A webhook cannot name the host of the service, but may know another name of it, and a key in the address: each
// message would then make a change, and each change the next message.
import type { MiddlewareHandler } from 'hono'
import { permissionDenied } from '../errors'
import type { AppEnv } from './app-env'

/** The `User-Agent` of webhooks. */
export const WEBHOOK_AGENT = 'Halyard-Webhooks/1'

/** @throws 403 */
export const rejectOwnWebhooks: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.header('User-Agent') === WEBHOOK_AGENT)
    throw permissionDenied(
      'A webhook cannot call the API of Halyard, because each message could make a change.',
    )
  await next()
}
