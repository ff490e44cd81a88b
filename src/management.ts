// Makes the management API, pages and probes, with a Hono router per area.
import { Hono } from 'hono'
import { consolePages } from './account/pages/console-pages'
import { invitePages } from './account/pages/invite-pages'
import { resetPages } from './account/pages/reset-pages'
import { impersonationPages } from './account/pages/impersonation-pages'
import { signInPages } from './account/pages/sign-in-pages'
import { ssoPages } from './account/pages/sso-pages'
import { areas } from './areas'
import { referencePages } from './docs/page'
import type { AppEnv } from './http/app-env'
import { areaRouter } from './http/area-router'
import { healthRoutes } from './http/health'
import { rejectOwnWebhooks } from './http/own-webhooks'
import { renderError } from './http/render-error'
import { metricsRoutes } from './operator/metrics'
import { withTheme } from './pages/theme'
import { unknownPath } from './http/unserved-paths'
import { mcpRoutes } from './mcp/routes'
import type { Sdk } from './sdk/router'
import { sdkRoutes } from './sdk/routes'

/** @param sdk serves the SDK paths that are not found by their text alone */
export function createManagement(sdk: Sdk): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false })

  app.use(async function surround(c, next) {
    const scope = c.env.open(c.req.raw)
    c.set('deps', scope.deps)
    c.set('requestId', scope.requestId)
    await next()
    // Each `c.header` would copy the response.
    const response = withTheme(c.req.raw, new Response(c.res.body, c.res))
    // Otherwise, Hono would merge the headers of both responses.
    c.res = undefined
    c.res = response
    const project = c.get('project')
    if (project && c.res.ok && c.get('isWrite'))
      scope.deps.afterResponse(async () =>
        (await import('./webhooks/delivery-queue')).sendPendingDeliveries(scope.deps, project.id),
      )
    scope.close(response, {
      route: c.get('route'),
      actor: c.get('actor'),
      project,
      error: c.error,
    })
  })

  app.use(rejectOwnWebhooks)

  app.route('/', referencePages())
  app.route('/', healthRoutes())
  app.route('/', metricsRoutes())
  for (const { operations } of areas) app.route('/', areaRouter(operations))
  app.route('/', signInPages())
  app.route('/', ssoPages())
  app.route('/', invitePages())
  app.route('/', resetPages())
  app.route('/', impersonationPages())
  app.route('/', consolePages())
  app.route('/', sdkRoutes(sdk))
  app.route(
    '/',
    mcpRoutes((request, c) => app.fetch(request, c.env, c.executionCtx)),
  )

  app.notFound((c) => renderError(unknownPath(c.req.path)))
  app.onError((error) => renderError(error))
  return app
}
