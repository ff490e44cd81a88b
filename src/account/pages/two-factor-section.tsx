import type { FC } from 'hono/jsx'
import type { TwoFactorStatus } from '../two-factor/manage'
import type { PendingSecret } from '../two-factor/setup'
import { HOME } from '../../pages/login-redirect'
import { ConfirmedPost, Card, Notice, type PageNotice, Post } from '../../pages/layout'

interface Props {
  csrf: string
  notice: PageNotice | null
  status: TwoFactorStatus
  pending: Pick<PendingSecret, 'text'> | null
  backupCodes: string[] | null
  next: string
}

export const TwoFactorSection: FC<Props> = ({ csrf, notice, status, pending, backupCodes, next }) => (
  <Card
    id="two-factor"
    title="Two-factor authentication"
    about="A code from your phone, on top of your password."
    notice={notice}
    aside={status.is_enabled ? <span class="badge">On</span> : <span class="badge off">Off</span>}
  >
    {backupCodes ? <BackupCodes codes={backupCodes} next={next} /> : null}
    {pending ? <Setup csrf={csrf} secret={pending.text} next={next} /> : null}
    {pending && !status.is_enabled ? null : (
      <div class="actions">
        {pending ? null : (
          <Post csrf={csrf} to={formPath('start', next)} inline>
            <button class={status.is_enabled ? 'quiet' : undefined} type="submit">
              {status.is_enabled ? 'Set up another app' : 'Set up'}
            </button>
          </Post>
        )}
        {status.is_enabled ? (
          <>
            <Post csrf={csrf} to="/settings/two-factor/backup-codes#two-factor" inline>
              <button class="quiet" type="submit">
                New backup codes ({status.backup_codes_remaining} left)
              </button>
            </Post>
            <ConfirmedPost
              csrf={csrf}
              to="/settings/two-factor/disable#two-factor"
              action="Turn off"
              question="Your password alone opens the account then."
            />
          </>
        ) : null}
      </div>
    )}
  </Card>
)

/** Forms keep the page on which to continue. */
const formPath = (name: string, next: string): string =>
  `/settings/two-factor/${name}${next === HOME ? '' : `?${new URLSearchParams({ next }).toString()}`}#two-factor`

const Setup: FC<{ csrf: string; secret: string; next: string }> = ({ csrf, secret, next }) => (
  <div class="setup">
    <img src="/api/users/@me/two_factor_qr/" alt="QR code for your authenticator app" />
    <div>
      <div class="field">
        <p>Scan the code with your authenticator app, or type this key into it:</p>
        <code class="secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </div>
      <Post csrf={csrf} to={formPath('confirm', next)}>
        <div class="field">
          <label for="token">Code that the app shows</label>
          <input
            class="code"
            id="token"
            name="token"
            type="text"
            inputmode="numeric"
            required
            maxlength={10}
            autocomplete="one-time-code"
          />
        </div>
        <button type="submit">Turn on</button>
      </Post>
    </div>
  </div>
)

const BackupCodes: FC<{ codes: string[]; next: string }> = ({ codes, next }) => (
  <Notice tone="warn">
    <strong>Keep these backup codes somewhere safe. They are not shown again.</strong>
    <ul class="codes">
      {codes.map((code) => (
        <li>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <span class="small">
      Each one signs you in once, when your phone is not at hand. Earlier codes do not work any more.
    </span>
    <p>
      <a class="button" href={next}>
        {next === HOME ? 'Go to the console' : 'Continue where you were'}
      </a>
    </p>
  </Notice>
)
