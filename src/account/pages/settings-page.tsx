import type { FC } from 'hono/jsx'
import type { SessionActor } from '../../auth/actor'
import type { KeyRecord } from '../keys/key-record'
import type { LoginSession } from '../sign-in/login-session'
import type { TwoFactorStatus } from '../two-factor/manage'
import type { Profile } from '../users/user-record'
import type { PendingSecret } from '../two-factor/setup'
import { KeySection } from './keys-section'
import { Brand, Card, Document, Field, Notice, type PageNotice, Post } from '../../pages/layout'
import { PasswordSection, ProfileSection } from './profile-section'
import { SessionSection } from './sessions-section'
import { TwoFactorSection } from './two-factor-section'

export interface Settings {
  actor: SessionActor
  csrf: string
  profile: Profile
  sessions: LoginSession[]
  keys: KeyRecord[]
  twoFactor: TwoFactorStatus
  pending: Pick<PendingSecret, 'text'> | null
  notice?: PageNotice | null
  /** Shown once. */
  newKey?: string | null
  backupCodes?: string[] | null
  /** The page on which to continue when the second factor is set up. */
  next: string
  now: Date
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
            <a class="small" href="/">
              Console
            </a>
            <a class="small" href="/docs">
              API reference
            </a>
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
        {actor.needsTwoFactor && !actor.impersonation ? (
          <Notice tone="warn">
            <strong>An organization of yours requires two-factor authentication.</strong>
            <span>
              <a href="#two-factor">Set it up</a> to continue. Until then, nothing else works.
            </span>
          </Notice>
        ) : null}
        {notice && notice.section === null ? <Notice tone={notice.tone}>{notice.text}</Notice> : null}
        <ProfileSection {...shared} profile={profile} />
        <PasswordSection {...shared} profile={profile} />
        <SessionSection {...shared} sessions={settings.sessions} now={settings.now} />
        <TwoFactorSection
          {...shared}
          status={settings.twoFactor}
          pending={settings.pending}
          backupCodes={settings.backupCodes ?? null}
          next={settings.next}
        />
        <KeySection {...shared} keys={settings.keys} newKey={settings.newKey ?? null} now={settings.now} />
        {actor.user.isStaff && !actor.impersonation ? <SupportSection {...shared} /> : null}
      </main>
    </Document>
  )
}

const ImpersonationNotice: FC<{ actor: SessionActor; csrf: string }> = ({ actor, csrf }) => (
  <Notice tone="warn">
    <strong>You are impersonating {actor.user.email}.</strong>
    <span>
      Reason: {actor.impersonation!.reason}. {actor.impersonation!.readOnly ? 'This is read-only. ' : ''}
      You cannot change personal data of the user.
    </span>
    <Post csrf={csrf} to="/logout" inline>
      <button class="quiet" type="submit">
        Back to your own account
      </button>
    </Post>
  </Notice>
)

const SupportSection: FC<{ csrf: string; notice: PageNotice | null }> = ({ csrf, notice }) => {
  const refused = notice?.section === 'support' ? notice.values : undefined
  return (
    <Card
      id="support"
      title="Impersonate a user"
      about="For two hours, or until half an hour has passed without a request. It does not show among the user's sessions."
      notice={notice}
    >
      <Post csrf={csrf} to="/admin/login/user/#support">
        <div class="pair">
          <Field
            label="Email of the user"
            name="user"
            type="email"
            value={refused?.get('user') ?? ''}
            required
            autocomplete="off"
          />
          <Field
            label="Reason"
            name="reason"
            value={refused?.get('reason') ?? ''}
            required
            maxlength={500}
            autocomplete="off"
          />
        </div>
        <label class="choice">
          <input
            type="checkbox"
            name="read_only"
            value="true"
            checked={refused === undefined || refused.has('read_only')}
          />
          Read-only
        </label>
        <button class="quiet" type="submit">
          Start
        </button>
      </Post>
    </Card>
  )
}
