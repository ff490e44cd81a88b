// /settings: one page, and the forms on it. Every form does what an operation of the API does, under the same rules.
import { type Context, Hono } from 'hono'
import { ApiError, methodNotAllowed } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { redirectTo } from '../../pages/respond'
import { STYLE, STYLE_PATH } from '../../pages/style'
import { startImpersonation } from '../sign-in/impersonation'
import { parseForm } from './form'
import { noticeFor, pathAfter, errorNotice } from './notices'
import { renderSettings } from './render-settings'
import { type SettingsForm, settingsForms } from './settings-forms'
import { SETTINGS_PATH, toSettingsWithSession, type PageSession, withPageSession } from './page-guard'

/** Upstream has it among the pages of its admin site. */
const IMPERSONATE_PATH = '/admin/login/user/:id?'

/** Routes of the settings page, and of what hangs on it. */
export function settingsPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get(STYLE_PATH, (c) => {
    c.set('route', STYLE_PATH)
    c.header('Cache-Control', 'public, max-age=300')
    return c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' })
  })
  for (const [name, { section, run }] of Object.entries(settingsForms)) {
    const path = `${SETTINGS_PATH}/${name}`
    router.post(path, (c) => submit(c, { path, section, act: doing(run) }))
    router.all(path, (c) => {
      throw methodNotAllowed(c.req.method, ['POST'])
    })
  }
  router.post(IMPERSONATE_PATH, (c) =>
    submit(c, { path: IMPERSONATE_PATH, section: 'support', act: impersonate(c) }),
  )
  // Links of the API's clients name a section; there is one page for all of them.
  router.get(`${SETTINGS_PATH}/:section?`, show)
  return router
}

function show(c: Context<AppEnv>): Promise<Response> {
  c.set('route', SETTINGS_PATH)
  const notice = noticeFor(new URL(c.req.url).searchParams)
  return withPageSession(c, null, (visit) => renderSettings(visit, { notice }))
}

type Act = (visit: PageSession, form: URLSearchParams) => Promise<Response>

/** Runs what a form asks for. What is refused is said on the page, in the section of the form. */
async function submit(
  c: Context<AppEnv>,
  { path, section, act }: { path: string; section: string; act: Act },
): Promise<Response> {
  c.set('route', path)
  const form = await parseForm(c.req.raw)
  return withPageSession(c, form, async (visit) => {
    try {
      return await act(visit, form)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return renderSettings(visit, { notice: errorNotice(section, error.detail) }, error.status)
    }
  })
}

/** What went well is said after a redirect, unless it shows a secret. */
const doing =
  (run: SettingsForm['run']): Act =>
  async (visit, form) => {
    const { done, ...secrets } = await run(visit.deps, visit.actor, form)
    if (Object.keys(secrets).length === 0) return redirectTo(pathAfter(done))
    return renderSettings(visit, { notice: noticeFor(new URLSearchParams({ done })), ...secrets })
  }

/** Staff only: `user` is an address, or the path names an id. */
const impersonate =
  (c: Context<AppEnv>): Act =>
  async ({ deps, actor }, form) => {
    const id = c.req.param('id')
    const token = await startImpersonation(deps, actor, {
      user: id === undefined ? (form.get('user') ?? '') : Number(id),
      reason: form.get('reason') ?? '',
      readOnly: form.get('read_only') === 'true',
    })
    return toSettingsWithSession(c, token)
  }
