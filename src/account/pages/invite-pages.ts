// /signup/:invite_id, the link of an invite, without scripts.
import { type Context, Hono } from 'hono'
import type { SessionActor } from '../../auth/actor'
import { TWO_FACTOR_REQUIRED } from '../../auth/authorize'
import { clientOf } from '../../auth/client'
import { cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import { csrfTokenOf } from '../../auth/csrf'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { rejectOtherMethods } from '../../http/other-methods'
import { firstFailure } from '../../http/validation'
import { HOME, loginPath, twoFactorPath } from '../../pages/login-redirect'
import { errorPage, html, redirectTo } from '../../pages/respond'
import { acceptInvite, getValidInvite, SignUpBody, signUpByInvite } from '../invites/accept'
import { ssoPath } from '../single-sign-on/paths'
import { optionalSession } from '../sign-in/optional-session'
import { parseForm, requireForm, withForm } from './form'
import { withSession } from './proceed'

const FOLDER = '/signup'
const PATH = `${FOLDER}/:invite_id`

type PageContext = Context<AppEnv, typeof PATH>

export function invitePages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(PATH, (c) => show(c))
  router.post(PATH, (c) => submit(c))
  rejectOtherMethods(router, PATH, ['GET', 'POST'])
  return router
}

interface RejectedForm {
  error: ApiError
  form: URLSearchParams
}

async function show(c: PageContext, rejected: RejectedForm | null = null): Promise<Response> {
  c.set('route', PATH)
  return respondTo(c, async () => {
    const deps = c.get('deps')
    const session = await sessionOf(c, rejected?.form ?? null)
    const invite = await getValidInvite(deps.db, c.req.param('invite_id'), deps.clock.now())
    const path = `${FOLDER}/${invite.id}`
    const { JoinPage, OtherAccountPage, SignUpPage } = await import('./invite-page')
    const shared = {
      path,
      organization: invite.organizationName,
      email: invite.targetEmail,
      error: rejected?.error.detail ?? null,
    }
    const status = rejected?.error.status ?? 200
    if (session) {
      const props = { ...shared, csrf: csrfTokenOf(cookieOf(c.req.raw, SESSION_COOKIE) ?? '') }
      const signedInAs = session.user.email
      return signedInAs === invite.targetEmail
        ? html(JoinPage(props), status)
        : html(OtherAccountPage({ ...props, signedInAs }))
    }
    if (invite.hasAccount) return redirectTo(loginPath(path))
    if (invite.mustUseSso) return redirectTo(ssoPath(HOME))
    const firstName = rejected?.form.get('first_name') ?? invite.firstName
    return withForm(c, FOLDER, status, (csrf) => SignUpPage({ ...shared, csrf, firstName }))
  })
}

async function submit(c: PageContext): Promise<Response> {
  c.set('route', PATH)
  const form = await parseForm(c.req.raw)
  return respondTo(c, async () => {
    try {
      const session = await sessionOf(c, form)
      return await (session ? join(c, session) : signUp(c, form))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === TWO_FACTOR_REQUIRED) throw error
      return show(c, { error, form })
    }
  })
}

async function join(c: PageContext, session: SessionActor): Promise<Response> {
  await acceptInvite(c.get('deps'), session, c.req.param('invite_id'))
  return redirectTo(HOME)
}

async function signUp(c: PageContext, form: URLSearchParams): Promise<Response> {
  requireForm(c, form)
  const sent = { first_name: form.get('first_name') ?? '', password: form.get('password') ?? '' }
  const parsed = SignUpBody.safeParse(sent)
  if (!parsed.success) throw firstFailure(parsed.error, sent)
  const { first_name: firstName, password } = parsed.data
  const account = { firstName, password }
  const { token } = await signUpByInvite(
    c.get('deps'),
    c.req.param('invite_id'),
    account,
    clientOf(c.req.raw),
  )
  return withSession(redirectTo(HOME), new URL(c.req.url), token!)
}

/** @param form null for a page view */
const sessionOf = (c: PageContext, form: URLSearchParams | null): Promise<SessionActor | null> =>
  optionalSession(
    { deps: c.get('deps'), request: c.req.raw, setActor: (actor) => c.set('actor', actor) },
    form ? 'closed' : 'open',
    form && (form.get('csrf') ?? ''),
  )

/** Shows errors that no form can: the invite is not valid, or a second factor is required first. */
async function respondTo(c: PageContext, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === TWO_FACTOR_REQUIRED) return redirectTo(twoFactorPath(new URL(c.req.url).pathname))
    if (error.status !== 400) return errorPage(error)
    const isExpired = error.code === 'expired'
    const { InvalidInvitePage } = await import('./invite-page')
    const title = isExpired ? 'This invite has expired' : 'This invite is not valid'
    return html(InvalidInvitePage({ title }), isExpired ? 410 : 404)
  }
}
