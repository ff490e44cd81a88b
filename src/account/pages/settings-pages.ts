// /settings: one page, and the forms on it. Every form does what an operation of the API does, under the same rules.
import { type Context, Hono } from 'hono'
import type { SessionActor } from '../../auth/actor'
import { sessionOf } from '../../auth/actor'
import { authorize, presentedBy } from '../../auth/authorize'
import { cookieOf, SESSION_COOKIE, setSession } from '../../auth/cookies'
import { csrfTokenOf } from '../../auth/csrf'
import { IMPERSONATION_EXPIRED } from '../../auth/impersonation'
import type { Deps } from '../../deps'
import { ApiError, methodNotAllowed } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { listKeys } from '../keys/write'
import { readProfile } from '../profile/names'
import { listSessions } from '../sessions/list'
import { startImpersonation, stopImpersonation } from '../sign-in/impersonate'
import { twoFactorStatus } from '../two-factor/manage'
import { pendingSecret } from '../two-factor/setup'
import { readForm } from './form'
import { loginPath } from '../../pages/next'
import { noticeFor, pathAfter, refusalIn } from './notices'
import { goTo, html } from '../../pages/respond'
import type { Settings } from './settings'
import { type SettingsForm, settingsForms } from './settings-forms'
import { STYLE, STYLE_PATH } from '../../pages/style'

const PATH = '/settings'

/** What every form asks for: all that they change belongs to whoever is signed in. */
const FORM_DEMAND = { scope: null, recentAuth: true, impersonation: 'closed' } as const

/** Routes of the settings page, and of what hangs on it. */
export function settingsPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(STYLE_PATH, (c) => {
    c.set('route', STYLE_PATH)
    c.header('Cache-Control', 'public, max-age=300')
    return c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' })
  })
  for (const [path, action] of Object.entries(settingsForms)) {
    router.post(`${PATH}/${path}`, (c) => submit(c, `${PATH}/${path}`, action))
    router.all(`${PATH}/${path}`, (c) => {
      throw methodNotAllowed(c.req.method, ['POST'])
    })
  }
  router.post('/admin/login/user/:id?', (c) => impersonate(c))
  // Links of the API's clients name a section; there is one page for all of them.
  router.get(`${PATH}/:section?`, (c) => show(c))
  return router
}

/** Who is signed in, and what their forms carry. */
interface Visit {
  deps: Deps
  actor: SessionActor
  token: string
}

/** @throws as an operation for sessions does. */
async function visitOf(c: Context<AppEnv>, form: URLSearchParams | null): Promise<Visit> {
  const deps = c.get('deps')
  const presented = presentedBy(c.req.raw, form?.get('csrf') ?? '')
  const demand = form ? FORM_DEMAND : { scope: null, impersonation: 'open' as const }
  const { actor } = await authorize(deps, presented, demand, { kind: 'nothing' })
  c.set('actor', actor)
  return { deps, actor: sessionOf(actor), token: presented.sessionToken ?? '' }
}

/** Leads those who have to sign in, first or again, to the sign-in page. Anything else is said on a page of its own. */
async function leadAway(c: Context<AppEnv>, error: unknown): Promise<Response> {
  if (!(error instanceof ApiError)) throw error
  const deps = c.get('deps')
  const token = cookieOf(c.req.raw, SESSION_COOKIE)
  // Too long as somebody else: staff are themselves again.
  const own = error.code === IMPERSONATION_EXPIRED && token ? await stopImpersonation(deps, token) : null
  if (own) {
    const response = goTo(PATH)
    setSession(response.headers, new URL(c.req.url), own)
    return response
  }
  if (error.status === 401 || error.code === 'sensitive_action_required_reauth') return goTo(loginPath(PATH))
  const { RefusalPage } = await import('../../pages/layout')
  return html(RefusalPage({ detail: error.detail }), error.status)
}

async function show(c: Context<AppEnv>): Promise<Response> {
  c.set('route', PATH)
  try {
    const visit = await visitOf(c, null)
    return await render(visit, { notice: noticeFor(new URL(c.req.url).searchParams) })
  } catch (error) {
    return leadAway(c, error)
  }
}

async function render(
  { deps, actor, token }: Visit,
  happened: Pick<Settings, 'notice' | 'newKey' | 'backupCodes'>,
  status = 200,
): Promise<Response> {
  const { user } = actor
  const [profile, sessions, keys, twoFactor, pending] = await Promise.all([
    readProfile(deps.db, user.id),
    listSessions(deps, actor),
    listKeys(deps.db, user.id),
    twoFactorStatus(deps.db, user.id),
    pendingSecret(deps, actor),
  ])
  // What pages are drawn with is loaded when somebody looks at one.
  const { SettingsPage } = await import('./settings')
  const page = SettingsPage({
    actor,
    csrf: csrfTokenOf(token),
    profile,
    sessions,
    keys,
    twoFactor,
    pending,
    ...happened,
  })
  return html(page, status)
}

/** Runs what a form asks for. What is refused is said on the page; what went well is said after a redirect, unless it shows a secret. */
async function submit(c: Context<AppEnv>, route: string, action: SettingsForm): Promise<Response> {
  c.set('route', route)
  const form = await readForm(c.req.raw)
  let visit: Visit
  try {
    visit = await visitOf(c, form)
  } catch (error) {
    return leadAway(c, error)
  }
  try {
    const { done, ...secrets } = await action.run(visit.deps, visit.actor, form)
    if (Object.keys(secrets).length === 0) return goTo(pathAfter(done))
    return await render(visit, { notice: noticeFor(new URLSearchParams({ done })), ...secrets })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return render(visit, { notice: refusalIn(action.section, error.detail) }, error.status)
  }
}

/** Staff only: `user` is an address, or the path names an id. */
async function impersonate(c: Context<AppEnv>): Promise<Response> {
  c.set('route', '/admin/login/user/:id?')
  const form = await readForm(c.req.raw)
  let visit: Visit
  try {
    visit = await visitOf(c, form)
  } catch (error) {
    return leadAway(c, error)
  }
  try {
    const id = c.req.param('id')
    const token = await startImpersonation(visit.deps, visit.actor, {
      user: id === undefined ? (form.get('user') ?? '') : Number(id),
      reason: form.get('reason') ?? '',
      readOnly: form.get('read_only') === 'true',
    })
    const response = goTo(PATH)
    setSession(response.headers, new URL(c.req.url), token)
    return response
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return render(visit, { notice: refusalIn('support', error.detail) }, error.status)
  }
}
