// /login and /logout, without scripts.
import { type Context, Hono } from 'hono'
import { CHALLENGE_COOKIE, clearSession, cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import { requireCsrfToken } from '../../auth/csrf'
import { endSession } from '../../auth/sessions'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { rejectOtherMethods } from '../../http/other-methods'
import { stopImpersonation } from '../sign-in/impersonation'
import { originOf } from '../sign-in/open-sign-in'
import { signIn } from '../sign-in/password-sign-in'
import { passSecondFactor } from '../sign-in/second-factor'
import { isForm, parseForm, requireForm, withForm } from './form'
import { afterImpersonation } from './impersonation-pages'
import { continueSignIn, proceed, withSession } from './proceed'
import { safeNext, type SignInStep, STEP_PATHS } from '../../pages/login-redirect'
import { redirectTo } from '../../pages/respond'

export function signInPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(STEP_PATHS.password, (c) => showLogin(c))
  router.post(STEP_PATHS.password, submitPassword)
  router.get(STEP_PATHS.code, (c) => showStep(c, { step: 'code' }))
  router.post(STEP_PATHS.code, submitCode)
  router.post('/logout', (c) => signOut(c))
  rejectOtherMethods(router, STEP_PATHS.password, ['GET', 'POST'])
  rejectOtherMethods(router, STEP_PATHS.code, ['GET', 'POST'])
  rejectOtherMethods(router, '/logout', ['POST'])
  return router
}

async function showLogin(c: Context<AppEnv>): Promise<Response> {
  const { searchParams, origin } = new URL(c.req.url)
  const next = safeNext(searchParams.get('next'), origin)
  return (await afterImpersonation(c, next)) ?? showStep(c, { step: 'password' })
}

interface ShownStep {
  step: SignInStep
  next?: string | null
  email?: string
  error?: ApiError
}

async function showStep(c: Context<AppEnv>, { step, next, email, error }: ShownStep): Promise<Response> {
  c.set('route', STEP_PATHS[step])
  const url = new URL(c.req.url)
  const props = {
    next: safeNext(next ?? url.searchParams.get('next'), url.origin),
    error: error?.detail ?? null,
  }
  const { CodePage, LoginPage } = await import('./login-page')
  return withForm(c, STEP_PATHS.password, error?.status ?? 200, (csrf) =>
    step === 'code' ? CodePage({ ...props, csrf }) : LoginPage({ ...props, csrf, email }),
  )
}

/** Submits a step, and shows errors above the form. */
async function submit(
  c: Context<AppEnv>,
  step: SignInStep,
  act: (form: URLSearchParams, next: string) => Promise<Response>,
): Promise<Response> {
  c.set('route', STEP_PATHS[step])
  const form = await parseForm(c.req.raw)
  const next = safeNext(form.get('next'), new URL(c.req.url).origin)
  try {
    requireForm(c, form)
    return await act(form, next)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return showStep(c, { step, next, email: form.get('email') ?? '', error })
  }
}

const submitPassword = (c: Context<AppEnv>) =>
  submit(c, 'password', async (form, next) => {
    const credentials = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
    const result = await signIn(c.get('deps'), credentials, originOf(c.req.raw))
    return continueSignIn(result, next, new URL(c.req.url))
  })

const submitCode = (c: Context<AppEnv>) =>
  submit(c, 'code', async (form, next) => {
    const challenge = cookieOf(c.req.raw, CHALLENGE_COOKIE)
    const token = await passSecondFactor(
      c.get('deps'),
      challenge,
      form.get('token') ?? '',
      originOf(c.req.raw),
    )
    return proceed(next, new URL(c.req.url), token)
  })

/**
 * Ends the session, or only the impersonation. It takes the CSRF token from the form or the header. Without a session cookie it changes
 * nothing: browsers omit the cookie in a form of another site, which must not end the session.
 */
async function signOut(c: Context<AppEnv>): Promise<Response> {
  c.set('route', '/logout')
  const deps = c.get('deps')
  const url = new URL(c.req.url)
  const token = cookieOf(c.req.raw, SESSION_COOKIE)
  const form = isForm(c.req.raw) ? await parseForm(c.req.raw) : null
  const next = url.searchParams.get('next') ?? form?.get('next')
  const onward = redirectTo(next ? safeNext(next, url.origin) : '/login', 302)
  if (!token) return onward

  requireCsrfToken(c.req.raw, token, c.req.header('X-CSRFToken') || form?.get('csrf'))
  const own = await stopImpersonation(deps, token)
  if (own) return withSession(redirectTo('/settings', 302), url, own)
  await endSession(deps.db, token)
  clearSession(onward.headers, url)
  return onward
}
