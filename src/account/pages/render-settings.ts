// The settings page with all that it shows, read in one go.
import { csrfTokenOf } from '../../auth/csrf'
import { html } from '../../pages/respond'
import { listKeys } from '../keys/write'
import { readProfile } from '../profile/names'
import { listSessions } from '../sessions/list'
import { twoFactorStatus } from '../two-factor/manage'
import { pendingSecret } from '../two-factor/setup'
import type { Settings } from './settings'
import type { Visit } from './visit'

/**
 * Draws the page for whoever visits it.
 * @param happened what is to be said, or shown this once.
 */
export async function renderSettings(
  { deps, actor, token, client }: Visit,
  happened: Pick<Settings, 'notice' | 'newKey' | 'backupCodes'>,
  status = 200,
): Promise<Response> {
  const { user } = actor
  const [profile, sessions, keys, twoFactor, pending] = await Promise.all([
    readProfile(deps.db, user.id),
    listSessions(deps, actor, client),
    listKeys(deps.db, user.id),
    twoFactorStatus(deps.db, user.id),
    pendingSecret(deps, actor),
  ])
  // What pages are drawn with is loaded when somebody looks at one.
  const { SettingsPage } = await import('./settings')
  const csrf = csrfTokenOf(token)
  return html(SettingsPage({ actor, csrf, profile, sessions, keys, twoFactor, pending, ...happened }), status)
}
