// Authenticates page requests; redirects to sign-in.
import type { Context } from 'hono'
import { type SessionActor, sessionOf } from '../../auth/actor'
import { authorize, sessionCredentials, TWO_FACTOR_REQUIRED } from '../../auth/authorize'
import { type Client, clientOf } from '../../auth/client'
import { cookieOf, SESSION_COOKIE, setSession } from '../../auth/cookies'
import { IMPERSONATION_EXPIRED } from '../../auth/impersonation'
import type { Deps } from '../../deps'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { loginPath, twoFactorPath } from '../../pages/login-redirect'
import { errorPage, redirectTo } from '../../pages/respond'
import { stopImpersonation } from '../sign-in/impersonation'

export const SETTINGS_PATH = '/settings'

const VIEW = { scope: null, impersonation: 'open', beforeTwoFactor: true } as const
const CHANGE = { scope: null, recentAuth: true, impersonation: 'closed' } as const

export interface SubmittedForm {
  fields: URLSearchParams
  /** Whether a user may send it who still has to set up a second factor. */
  beforeTwoFactor?: boolean | undefined
}

export interface PageSession {
  deps: Deps
  actor: SessionActor
  token: string
  client: Client
}

/**
 * @param form null for a page view.
 * @param take responds; its errors pass through.
 * @returns the response of `take`, or a redirect or error page.
 */
export async function withPageSession(
  c: Context<AppEnv>,
  form: SubmittedForm | null,
  take: (visit: PageSession) => Promise<Response>,
): Promise<Response> {
  let visit: PageSession
  try {
    visit = await authenticatePage(c, form)
  } catch (error) {
    if (error instanceof ApiError) return redirectOrReject(c, error)
    throw error
  }
  return take(visit)
}

/** @throws as `authorize` does. */
async function authenticatePage(c: Context<AppEnv>, form: SubmittedForm | null): Promise<PageSession> {
  const deps = c.get('deps')
  const credentials = sessionCredentials(c.req.raw, form?.fields.get('csrf') ?? '')
  const requirement = form
    ? { ...CHANGE, ...(form.beforeTwoFactor ? { beforeTwoFactor: true as const } : {}) }
    : VIEW
  const { actor } = await authorize(deps, credentials, requirement, { kind: 'none' })
  c.set('actor', actor)
  return { deps, actor: sessionOf(actor), token: credentials.sessionToken ?? '', client: clientOf(c.req.raw) }
}

/** Redirects to sign-in, or shows the error. */
async function redirectOrReject(c: Context<AppEnv>, error: ApiError): Promise<Response> {
  if (error.code === IMPERSONATION_EXPIRED) return toOwnAccount(c)
  if (error.code === TWO_FACTOR_REQUIRED) return redirectTo(twoFactorPath())
  if (error.status === 401 || error.code === 'sensitive_action_required_reauth') {
    return redirectTo(loginPath(SETTINGS_PATH))
  }
  return errorPage(error)
}

/** Ends an expired impersonation. */
async function toOwnAccount(c: Context<AppEnv>): Promise<Response> {
  const own = await stopImpersonation(c.get('deps'), cookieOf(c.req.raw, SESSION_COOKIE) ?? '')
  return own ? toSettingsWithSession(c, own) : redirectTo(loginPath(SETTINGS_PATH))
}

export function toSettingsWithSession(c: Context<AppEnv>, token: string): Response {
  const response = redirectTo(SETTINGS_PATH)
  setSession(response.headers, new URL(c.req.url), token)
  return response
}
