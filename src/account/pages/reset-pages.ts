// /reset/:token, a link that sets a new password, without scripts.
import { type Context, Hono } from 'hono'
import { requireSameOrigin } from '../../auth/csrf'
import { ApiError } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { rejectOtherMethods } from '../../http/other-methods'
import { html } from '../../pages/respond'
import { listOtherCredentials } from '../password/other-credentials'
import { getResetUser, RESET_PATH, resetPassword } from '../password/reset'
import { parseForm } from './form'

const PATH = `${RESET_PATH}/:token`

type PageContext = Context<AppEnv, typeof PATH>

export function resetPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(PATH, (c) => show(c))
  router.post(PATH, (c) => submit(c))
  rejectOtherMethods(router, PATH, ['GET', 'POST'])
  return router
}

async function show(c: PageContext, error: ApiError | null = null): Promise<Response> {
  c.set('route', PATH)
  const { InvalidResetPage, ResetPage } = await import('./reset-page')
  try {
    const token = c.req.param('token')
    const { id, email } = await getResetUser(c.get('deps'), token)
    const others = await listOtherCredentials(c.get('deps').db, id)
    const page = ResetPage({ path: `${RESET_PATH}/${token}`, email, others, error: error?.detail ?? null })
    return html(page, error?.status ?? 200)
  } catch (invalid) {
    if (!(invalid instanceof ApiError) || invalid.code !== 'invalid_token') throw invalid
    return html(InvalidResetPage({}), 404)
  }
}

/** Sets the password. The token is a secret of this form, so that it needs no CSRF token. */
async function submit(c: PageContext): Promise<Response> {
  c.set('route', PATH)
  requireSameOrigin(c.req.raw)
  const form = await parseForm(c.req.raw)
  try {
    const choice = form.get('other_credentials')
    await resetPassword(c.get('deps'), c.req.param('token'), {
      password: form.get('password') ?? '',
      choice: choice === 'keep' || choice === 'remove' ? choice : null,
    })
  } catch (error) {
    if (error instanceof ApiError) return show(c, error)
    throw error
  }
  const { ResetDonePage } = await import('./reset-page')
  return html(ResetDonePage({}))
}
