// Serves `/metrics` for Prometheus, only with a secret of the deployment, METRICS_TOKEN.
import { Hono } from 'hono'
import { equalsInConstantTime } from '../auth/constant-time'
import { notAuthenticated, notFound } from '../errors'
import type { AppEnv } from '../http/app-env'
import { rejectOtherMethods } from '../http/other-methods'
import { readInstanceStatus } from './instance-status'
import { metricsText } from './metrics'

const PATH = '/metrics'
const MIN_TOKEN_LENGTH = 16

export function metricsRoutes(): Hono<AppEnv> {
  const router = new Hono<AppEnv>()
  router.get(PATH, async (c) => {
    c.set('route', PATH)
    const deps = c.get('deps')
    const token = deps.env.METRICS_TOKEN ?? ''
    if (token.length < MIN_TOKEN_LENGTH) throw notFound()
    const [scheme = '', sent = ''] = (c.req.header('Authorization') ?? '').split(' ', 2)
    if (scheme.toLowerCase() !== 'bearer' || !equalsInConstantTime(sent, token)) throw notAuthenticated()
    const text = metricsText(await readInstanceStatus(deps), deps.clock.now())
    return c.body(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  rejectOtherMethods(router, PATH, ['GET'])
  return router
}
