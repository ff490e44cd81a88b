// /settings: one page with forms, under the same rules as the API.
import { type Context, Hono } from 'hono'
import { ApiError, methodNotAllowed } from '../../errors'
import type { AppEnv } from '../../http/app-env'
import { HOME, safeNext } from '../../pages/login-redirect'
import { html, redirectTo } from '../../pages/respond'
import { startImpersonation } from '../sign-in/impersonation'
import { parseForm } from './form'
import { type SettingsForm, settingsForms } from './settings-forms'
import { type PageSession, SETTINGS_PATH, toSettingsWithSession, withPageSession } from './page-guard'
import { csrfTokenOf } from '../../auth/csrf'
import { listKeys } from '../keys/key-write'
import { getProfile } from '../users/user-record'
import { listSessions } from '../sign-in/login-session'
import { getTwoFactorStatus } from '../two-factor/manage'
import { pendingSecret } from '../two-factor/setup'
import type { Settings } from './settings-page'
import type { PageNotice } from '../../pages/layout'

/** Upstream path. */
const IMPERSONATE_PATH = '/admin/login/user/:id?'

export function settingsPages(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  for (const [name, { section, beforeTwoFactor, run }] of Object.entries(settingsForms)) {
    const path = `${SETTINGS_PATH}/${name}`
    router.post(path, (c) => submit(c, { path, section, beforeTwoFactor, act: doing(run, nextOf(c)) }))
    router.all(path, (c) => {
      throw methodNotAllowed(c.req.method, ['POST'])
    })
  }
  router.post(IMPERSONATE_PATH, (c) =>
    submit(c, { path: IMPERSONATE_PATH, section: 'support', act: impersonate(c) }),
  )
  // Clients link to sections; one page shows all of them.
  router.get(`${SETTINGS_PATH}/:section?`, show)
  return router
}

function show(c: Context<AppEnv>): Promise<Response> {
  c.set('route', SETTINGS_PATH)
  const notice = noticeFor(new URL(c.req.url).searchParams)
  return withPageSession(c, null, (visit) => renderSettings(visit, { notice, next: nextOf(c) }))
}

/** The page on which to continue when a required second factor is set up. */
function nextOf(c: Context<AppEnv>): string {
  const { searchParams, origin } = new URL(c.req.url)
  return safeNext(searchParams.get('next'), origin)
}

type Act = (visit: PageSession, form: URLSearchParams) => Promise<Response>

interface FormTarget extends Pick<SettingsForm, 'section'> {
  path: string
  beforeTwoFactor?: true | undefined
  act: Act
}

/** Shows errors in the section of the form. */
async function submit(
  c: Context<AppEnv>,
  { path, section, beforeTwoFactor, act }: FormTarget,
): Promise<Response> {
  c.set('route', path)
  const form = await parseForm(c.req.raw)
  return withPageSession(c, { fields: form, beforeTwoFactor }, async (visit) => {
    try {
      return await act(visit, form)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return renderSettings(
        visit,
        { notice: { ...errorNotice(section, error.detail), values: form }, next: nextOf(c) },
        error.status,
      )
    }
  })
}

/** Redirects after success, unless the page shows a secret. */
const doing =
  (run: SettingsForm['run'], next: string): Act =>
  async (visit, form) => {
    const { done, ...secrets } = await run(visit.deps, visit.actor, form)
    if (Object.keys(secrets).length === 0) return redirectTo(pathAfter(done, next))
    return renderSettings(visit, { notice: noticeFor(new URLSearchParams({ done })), next, ...secrets })
  }

/** Takes the address in `user`, or the id in the path. */
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

/** @param state notices and secrets of this request. */
async function renderSettings(
  { deps, actor, token, client }: PageSession,
  state: Pick<Settings, 'notice' | 'newKey' | 'backupCodes' | 'next'>,
  status = 200,
): Promise<Response> {
  const { user } = actor
  const [profile, sessions, keys, twoFactor, pending] = await Promise.all([
    getProfile(deps.db, user.id),
    listSessions(deps, actor, client),
    listKeys(deps.db, user.id),
    getTwoFactorStatus(deps.db, user.id),
    pendingSecret(deps, actor),
  ])
  // Loaded on first use.
  const { SettingsPage } = await import('./settings-page')
  const csrf = csrfTokenOf(token)
  const now = deps.clock.now()
  return html(
    SettingsPage({ actor, csrf, profile, sessions, keys, twoFactor, pending, now, ...state }),
    status,
  )
}

/** By the `done` parameter: links cannot supply text. */
const DONE: Record<string, readonly [section: string, text: string]> = {
  profile: ['profile', 'Your profile is saved.'],
  password: ['password-section', 'Your password is changed. All other browsers are signed out.'],
  session: ['sessions', 'That browser is signed out.'],
  sessions: ['sessions', 'All other browsers are signed out.'],
  // The section has instructions.
  setup: ['two-factor', ''],
  'two-factor': ['two-factor', 'Two-factor authentication is on. All other browsers are signed out.'],
  'backup-codes': ['two-factor', 'Here are your new backup codes.'],
  'two-factor-off': ['two-factor', 'Two-factor authentication is off.'],
  key: ['keys', 'Your key is ready.'],
  'key-made': [
    'keys',
    'That key is made already; it was shown once. Delete it and make another if you lost it.',
  ],
  'key-deleted': ['keys', 'The key is deleted and no longer valid.'],
}

function pathAfter(done: string, next: string): string {
  const query = new URLSearchParams({ done, ...(next === HOME ? {} : { next }) })
  return `${SETTINGS_PATH}?${query.toString()}#${DONE[done]?.[0] ?? ''}`
}

function noticeFor(query: URLSearchParams): PageNotice | null {
  const done = query.get('done')
  if (done !== null && Object.hasOwn(DONE, done)) {
    const [section, text] = DONE[done]!
    return text === '' ? null : { tone: 'good', text, section }
  }
  if (query.has('chat_link_success')) {
    return { tone: 'good', text: 'Your chat account is linked.', section: null }
  }
  if (query.has('chat_link_error')) {
    return {
      tone: 'bad',
      text: 'Your chat account could not be linked. Please start again.',
      section: null,
    }
  }
  return null
}

const errorNotice = (section: string, text: string): PageNotice => ({ tone: 'bad', text, section })
