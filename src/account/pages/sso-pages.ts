// Pages of single sign-on, without scripts.
import { type Context, Hono } from 'hono'
import { authorize, sessionCredentials } from '../../auth/authorize'
import { clientOf } from '../../auth/client'
import { cookieOf, setStep } from '../../auth/cookies'
import { ApiError, methodNotAllowed } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { rejectOtherMethods } from '../../http/other-methods'
import { HOME, safeNext, STEP_PATHS } from '../../pages/login-redirect'
import { html, redirectTo } from '../../pages/respond'
import { originOf } from '../sign-in/open-sign-in'
import { finishSignIn } from '../single-sign-on/finish'
import { getLink, proveAccount } from '../single-sign-on/open-account'
import { SSO_PATHS } from '../single-sign-on/paths'
import { notSetUp, requireAdmin, selectSettings } from '../single-sign-on/settings'
import { departFor, startSignIn } from '../single-sign-on/start'
import { LINK_COOKIE, STATE_COOKIE, STATE_SECONDS } from '../single-sign-on/state'
import { parseForm, requireForm, withForm } from './form'
import { continueSignIn } from './proceed'

type PageContext = Context<AppEnv>

export function ssoPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(SSO_PATHS.start, (c) => page(c, SSO_PATHS.start, () => showStart(c)))
  router.post(SSO_PATHS.start, (c) => page(c, SSO_PATHS.start, () => start(c)))
  router.get(SSO_PATHS.test, (c) => page(c, SSO_PATHS.test, () => test(c)))
  router.get(SSO_PATHS.callback, (c) => page(c, SSO_PATHS.callback, () => finish(c)))
  router.get(SSO_PATHS.link, (c) => page(c, SSO_PATHS.link, () => showProof(c)))
  router.post(SSO_PATHS.link, (c) => page(c, SSO_PATHS.link, () => prove(c)))
  rejectOtherMethods(router, SSO_PATHS.start, ['GET', 'POST'])
  rejectOtherMethods(router, SSO_PATHS.test, ['GET'])
  rejectOtherMethods(router, SSO_PATHS.callback, ['GET'])
  rejectOtherMethods(router, SSO_PATHS.link, ['GET', 'POST'])
  return router
}

/** Runs a page, and shows errors that no form can. */
async function page(c: PageContext, route: string, respond: () => Promise<Response>): Promise<Response> {
  c.set('route', route)
  // Hono answers HEAD like GET, and a link checker would use up a sign-in.
  if (c.req.method === 'HEAD') throw methodNotAllowed('HEAD', ['GET'])
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { RefusedPage } = await import('./sso-page')
    return html(RefusedPage({ detail: error.detail }), error.status)
  }
}

const nextOf = (c: PageContext, next: string | null | undefined): string =>
  safeNext(next, new URL(c.req.url).origin)

async function showStart(
  c: PageContext,
  rejected: { next: string; email: string; error: ApiError } | null = null,
): Promise<Response> {
  const next = rejected?.next ?? nextOf(c, c.req.query('next'))
  const { SsoPage } = await import('./sso-page')
  return withForm(c, STEP_PATHS.password, rejected?.error.status ?? 200, (csrf) =>
    SsoPage({ csrf, next, email: rejected?.email ?? '', error: rejected?.error.detail ?? null }),
  )
}

/** Parses a form, and checks that this browser has loaded it. */
async function formOf(c: PageContext): Promise<URLSearchParams> {
  const form = await parseForm(c.req.raw)
  requireForm(c, form)
  return form
}

async function start(c: PageContext): Promise<Response> {
  const form = await formOf(c)
  const [email, next] = [form.get('email') ?? '', nextOf(c, form.get('next'))]
  const url = new URL(c.req.url)
  try {
    const { network } = clientOf(c.req.raw)
    const departure = await startSignIn(c.get('deps'), email, next, url, network)
    const { DepartPage } = await import('./sso-page')
    const response = html(DepartPage({ url: departure.url.href }))
    response.headers.set('Refresh', `0; url=${departure.url.href}`)
    setStep(response.headers, url, STATE_COOKIE, departure.cookie, STATE_SECONDS)
    return response
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return showStart(c, { next, email, error })
  }
}

/** Sends an admin to the provider, to show the result of a sign-in. */
async function test(c: PageContext): Promise<Response> {
  const deps = c.get('deps')
  const url = new URL(c.req.url)
  const { actor, organization } = await authorize(
    deps,
    sessionCredentials(c.req.raw),
    { scope: null, impersonation: 'closed' },
    { kind: 'organization', id: '@current' },
  )
  c.set('actor', actor)
  requireAdmin(organization!)
  const [settings] = await selectSettings(deps.db, organization!.id)
  if (!settings) throw notSetUp()
  const departure = await departFor(deps, settings, { next: HOME, isTest: true }, url)
  const response = redirectTo(departure.url.href, 302)
  setStep(response.headers, url, STATE_COOKIE, departure.cookie, STATE_SECONDS)
  return response
}

async function finish(c: PageContext): Promise<Response> {
  const url = new URL(c.req.url)
  const { raw } = c.req
  const arrival = await finishSignIn(c.get('deps'), url, cookieOf(raw, STATE_COOKIE), originOf(raw))
  const response = await respondTo(arrival, url)
  setStep(response.headers, url, STATE_COOKIE, '', 0)
  return response
}

async function respondTo(arrival: Awaited<ReturnType<typeof finishSignIn>>, url: URL): Promise<Response> {
  switch (arrival.kind) {
    case 'signed in':
      return continueSignIn(arrival.signIn, arrival.next, url)
    case 'prove': {
      const response = redirectTo(SSO_PATHS.link, 302)
      setStep(response.headers, url, LINK_COOKIE, arrival.cookie, STATE_SECONDS)
      return response
    }
    case 'test': {
      const { TestPage } = await import('./sso-page')
      return html(TestPage(arrival))
    }
  }
}

async function showProof(c: PageContext, error: ApiError | null = null): Promise<Response> {
  const { email } = getLink(c.get('deps'), cookieOf(c.req.raw, LINK_COOKIE))
  const { ProvePage } = await import('./sso-page')
  return withForm(c, STEP_PATHS.password, error?.status ?? 200, (csrf) =>
    ProvePage({ csrf, email, error: error?.detail ?? null }),
  )
}

async function prove(c: PageContext): Promise<Response> {
  const form = await formOf(c)
  const url = new URL(c.req.url)
  const cookie = cookieOf(c.req.raw, LINK_COOKIE)
  const { next } = getLink(c.get('deps'), cookie)
  try {
    const signIn = await proveAccount(c.get('deps'), cookie, form.get('password') ?? '', originOf(c.req.raw))
    const response = await continueSignIn(signIn, next, url)
    setStep(response.headers, url, LINK_COOKIE, '', 0)
    return response
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return showProof(c, error)
  }
}
