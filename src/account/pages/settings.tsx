// The settings page: who somebody is, where they are signed in, their keys, their second factor.
import type { FC } from 'hono/jsx'
import type { SessionActor } from '../../auth/actor'
import type { KeyRecord } from '../keys/record'
import type { LoginSession } from '../sessions/list'
import type { TwoFactorStatus } from '../two-factor/manage'
import type { PendingSecret } from '../two-factor/setup'
import { KeySection } from './keys-section'
import { Brand, Csrf, Document, Field, Notice, type Tone } from './layout'
import { SessionSection } from './sessions-section'
import { TwoFactorSection } from './two-factor-section'

export interface Settings {
  actor: SessionActor
  csrf: string
  profile: { firstName: string; lastName: string; email: string; hasPassword: boolean }
  sessions: LoginSession[]
  keys: KeyRecord[]
  twoFactor: TwoFactorStatus
  pending: Pick<PendingSecret, 'text'> | null
  /** What the last form came to. */
  notice?: { tone: Tone; text: string } | null
  /** What is shown this once, and never again. */
  newKey?: string | null
  backupCodes?: string[] | null
}

export const SettingsPage: FC<Settings> = (settings) => {
  const { actor, csrf, notice, profile } = settings
  return (
    <Document title="Settings">
      <header class="top">
        <div>
          <Brand />
          <div class="who">
            <span class="small soft">{profile.email}</span>
            <form class="inline" method="post" action="/logout">
              <Csrf token={csrf} />
              <button class="quiet" type="submit">
                Sign out
              </button>
            </form>
          </div>
        </div>
      </header>
      <main id="content">
        <h1>Settings</h1>
        {actor.impersonation ? <ImpersonationNotice actor={actor} csrf={csrf} /> : null}
        {notice ? <Notice tone={notice.tone}>{notice.text}</Notice> : null}
        <ProfileSection csrf={csrf} profile={profile} />
        <SessionSection csrf={csrf} sessions={settings.sessions} />
        <TwoFactorSection
          csrf={csrf}
          status={settings.twoFactor}
          pending={settings.pending}
          backupCodes={settings.backupCodes ?? null}
        />
        <KeySection csrf={csrf} keys={settings.keys} newKey={settings.newKey ?? null} />
        {actor.user.isStaff && !actor.impersonation ? <SupportSection csrf={csrf} /> : null}
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
    <form class="inline" method="post" action="/logout">
      <Csrf token={csrf} />
      <button class="quiet" type="submit">
        Back to your own account
      </button>
    </form>
  </Notice>
)

const ProfileSection: FC<Pick<Settings, 'csrf' | 'profile'>> = ({ csrf, profile }) => (
  <section class="card" aria-labelledby="profile">
    <header>
      <h2 id="profile">Profile</h2>
    </header>
    <form method="post" action="/settings/profile">
      <Csrf token={csrf} />
      <div class="pair">
        <Field
          label="First name"
          name="first_name"
          value={profile.firstName}
          maxlength={150}
          autocomplete="given-name"
        />
        <Field
          label="Last name"
          name="last_name"
          value={profile.lastName}
          maxlength={150}
          autocomplete="family-name"
        />
      </div>
      <Field label="Email" name="email" type="email" value={profile.email} required autocomplete="email" />
      <button class="quiet" type="submit">
        Save profile
      </button>
    </form>
    <form method="post" action="/settings/password">
      <Csrf token={csrf} />
      <input type="text" name="username" value={profile.email} autocomplete="username" hidden />
      <h3>Password</h3>
      <div class="pair">
        {profile.hasPassword ? (
          <Field
            label="Current password"
            name="current_password"
            type="password"
            required
            autocomplete="current-password"
          />
        ) : null}
        <Field
          label="New password"
          name="password"
          type="password"
          required
          autocomplete="new-password"
          hint="At least 8 characters, and hard to guess. All other browsers are signed out."
        />
      </div>
      <button class="quiet" type="submit">
        Change password
      </button>
    </form>
  </section>
)

const SupportSection: FC<{ csrf: string }> = ({ csrf }) => (
  <section class="card" aria-labelledby="support">
    <header>
      <h2 id="support">Look as another user</h2>
      <p class="soft small">
        For two hours, or until half an hour has passed without a request. It does not show among the user's
        sessions.
      </p>
    </header>
    <form method="post" action="/admin/login/user/">
      <Csrf token={csrf} />
      <div class="pair">
        <Field label="Email of the user" name="user" type="email" required autocomplete="off" />
        <Field label="Reason" name="reason" required maxlength={500} autocomplete="off" />
      </div>
      <label class="choice">
        <input type="checkbox" name="read_only" value="true" checked />
        Look only, change nothing
      </label>
      <button class="quiet" type="submit">
        Start
      </button>
    </form>
  </section>
)
