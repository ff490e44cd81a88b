// The settings page: who somebody is, where they are signed in, their second factor, their keys.
import type { FC } from 'hono/jsx'
import type { SessionActor } from '../../auth/actor'
import type { KeyRecord } from '../keys/key-record'
import type { LoginSession } from '../sign-in/login-session'
import type { TwoFactorStatus } from '../two-factor/manage'
import type { PendingSecret } from '../two-factor/setup'
import { KeySection } from './keys-section'
import { Brand, Document, Notice, type PageNotice, Post } from '../../pages/layout'
import { PasswordSection, ProfileSection } from './profile-section'
import { SessionSection } from './sessions-section'
import { SupportSection } from './support-section'
import { TwoFactorSection } from './two-factor-section'

export interface Settings {
  actor: SessionActor
  csrf: string
  profile: { firstName: string; lastName: string; email: string; hasPassword: boolean }
  sessions: LoginSession[]
  keys: KeyRecord[]
  twoFactor: TwoFactorStatus
  pending: Pick<PendingSecret, 'text'> | null
  notice?: PageNotice | null
  /** What is shown this once, and never again. */
  newKey?: string | null
  backupCodes?: string[] | null
}

export const SettingsPage: FC<Settings> = (settings) => {
  const { actor, csrf, notice = null, profile } = settings
  const shared = { csrf, notice }
  return (
    <Document title="Settings">
      <header class="top">
        <div>
          <Brand />
          <div class="who">
            <span class="small soft">{profile.email}</span>
            <Post csrf={csrf} to="/logout" inline>
              <button class="quiet" type="submit">
                Sign out
              </button>
            </Post>
          </div>
        </div>
      </header>
      <main id="content">
        <h1>Settings</h1>
        {actor.impersonation ? <ImpersonationNotice actor={actor} csrf={csrf} /> : null}
        {notice && notice.section === null ? <Notice tone={notice.tone}>{notice.text}</Notice> : null}
        <ProfileSection {...shared} profile={profile} />
        <PasswordSection {...shared} profile={profile} />
        <SessionSection {...shared} sessions={settings.sessions} />
        <TwoFactorSection
          {...shared}
          status={settings.twoFactor}
          pending={settings.pending}
          backupCodes={settings.backupCodes ?? null}
        />
        <KeySection {...shared} keys={settings.keys} newKey={settings.newKey ?? null} />
        {actor.user.isStaff && !actor.impersonation ? <SupportSection {...shared} /> : null}
      </main>
    </Document>
  )
}

const ImpersonationNotice: FC<{ actor: SessionActor; csrf: string }> = ({ actor, csrf }) => (
  <Notice tone="warn">
    <strong>You are looking at the service as {actor.user.email}.</strong>
    <span>
      Reason: {actor.impersonation!.reason}.{' '}
      {actor.impersonation!.readOnly ? 'You can look, not change. ' : ''}
      What belongs to the user alone cannot be changed.
    </span>
    <Post csrf={csrf} to="/logout" inline>
      <button class="quiet" type="submit">
        Back to your own account
      </button>
    </Post>
  </Notice>
)
