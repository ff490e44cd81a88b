// Forms with which staff start to use the console as another user, at upstream's path, and return to their own account.
import { type Context, Hono } from 'hono'
import { sessionOf } from '../../auth/actor'
import { authorize, sessionCredentials } from '../../auth/authorize'
import { cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import { IMPERSONATION_EXPIRED } from '../../auth/impersonation'
import { apiErrorIn } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { HOME, loginPath } from '../../pages/login-redirect'
import { errorPage, redirectTo } from '../../pages/respond'
import { startImpersonation, stopImpersonation } from '../sign-in/impersonation'
import { parseForm } from './form'
import { withSession } from './proceed'

/** The path that upstream has. */
const PATH = '/admin/login/user/:id?'

const VIEW = { scope: null, impersonation: 'open', beforeTwoFactor: true } as const
const CHANGE = { scope: null, recentAuth: true, impersonation: 'closed' } as const

export function impersonationPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.post(PATH, (c) => start(c))
  return router
}

/** Starts an impersonation of the user whose address is in `user`, or whose id is in the path, and continues in the console. */
async function start(c: Context<AppEnv>): Promise<Response> {
  c.set('route', PATH)
  const deps = c.get('deps')
  const form = await parseForm(c.req.raw)
  const id = c.req.param('id')
  try {
    const credentials = sessionCredentials(c.req.raw, form.get('csrf') ?? '')
    const { actor } = await authorize(deps, credentials, CHANGE, { kind: 'none' })
    c.set('actor', actor)
    const token = await startImpersonation(deps, sessionOf(actor), {
      user: id === undefined ? (form.get('user') ?? '') : Number(id),
      reason: form.get('reason') ?? '',
      readOnly: form.get('read_only') === 'true',
    })
    return withSession(redirectTo(HOME), new URL(c.req.url), token)
  } catch (error) {
    const refusal = apiErrorIn(error)
    // Scripts get the error itself, and browsers a page.
    if (!refusal || !c.req.header('Accept')?.includes('text/html')) throw error
    const needsSignIn = refusal.status === 401 || refusal.code === 'sensitive_action_required_reauth'
    return needsSignIn ? redirectTo(loginPath(HOME)) : errorPage(refusal)
  }
}

/** Returns staff whose impersonation has expired to their own account. It returns null for everyone else. */
export async function afterImpersonation(c: Context<AppEnv>, next: string): Promise<Response | null> {
  const deps = c.get('deps')
  const token = cookieOf(c.req.raw, SESSION_COOKIE)
  if (!token) return null
  try {
    await authorize(deps, sessionCredentials(c.req.raw), VIEW, { kind: 'none' })
    return null
  } catch (error) {
    if (apiErrorIn(error)?.code !== IMPERSONATION_EXPIRED) return null
    const own = await stopImpersonation(deps, token)
    return own ? withSession(redirectTo(next), new URL(c.req.url), own) : null
  }
}
