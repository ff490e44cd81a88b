// The settings page with all that it shows, read in one go.
import { csrfTokenOf } from '../../auth/csrf'
import { html } from '../../pages/respond'
import { listKeys } from '../keys/key-write'
import { getProfile } from '../users/names'
import { listSessions } from '../sign-in/login-session'
import { getTwoFactorStatus } from '../two-factor/manage'
import { pendingSecret } from '../two-factor/setup'
import type { Settings } from './settings-page'
import type { PageSession } from './page-guard'

/**
 * Draws the page for whoever visits it.
 * @param happened what is to be said, or shown this once.
 */
export async function renderSettings(
  { deps, actor, token, client }: PageSession,
  happened: Pick<Settings, 'notice' | 'newKey' | 'backupCodes'>,
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
  // What pages are drawn with is loaded when somebody looks at one.
  const { SettingsPage } = await import('./settings-page')
  const csrf = csrfTokenOf(token)
  return html(SettingsPage({ actor, csrf, profile, sessions, keys, twoFactor, pending, ...happened }), status)
}
