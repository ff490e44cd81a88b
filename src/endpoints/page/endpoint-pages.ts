// /project/:id/endpoints/:name, the target of `ui_url`.
import { type Context, Hono } from 'hono'
import { loginPath, twoFactorPath } from '../../pages/login-redirect'
import { errorPage, html, redirectTo } from '../../pages/respond'
import { authorize, sessionCredentials, TWO_FACTOR_REQUIRED } from '../../auth/authorize'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { idIn } from '../../http/fields'
import { describeEndpoint } from '../find-endpoint'

const PATH = '/project/:project_id/endpoints/:name'

/** For signed-in members of the project. */
export function endpointPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      return await show(c)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { pathname } = new URL(c.req.url)
      if (error.status === 401) return redirectTo(loginPath(pathname))
      if (error.code === TWO_FACTOR_REQUIRED) return redirectTo(twoFactorPath(pathname))
      return errorPage(error)
    }
  })
  return router
}

async function show(c: Context<AppEnv, typeof PATH>): Promise<Response> {
  const deps = c.get('deps')
  const { project_id: id, name } = c.req.param()
  const target = { kind: 'project', id: idIn(id) } as const
  const requirement = { scope: 'endpoint:read', impersonation: 'open' } as const
  const { actor, project } = await authorize(deps, sessionCredentials(c.req.raw), requirement, target)
  c.set('actor', actor)
  c.set('project', project!)
  const endpoint = await describeEndpoint({ deps, project: project! }, name)
  const { EndpointPage } = await import('./endpoint-page')
  return html(EndpointPage({ ...endpoint, origin: new URL(c.req.url).origin }))
}
