// The second factor: off, being set up, or on.
import type { FC } from 'hono/jsx'
import type { TwoFactorStatus } from '../two-factor/manage'
import type { PendingSecret } from '../two-factor/setup'
import { Csrf, Notice } from './layout'

interface Props {
  csrf: string
  status: TwoFactorStatus
  pending: Pick<PendingSecret, 'text'> | null
  backupCodes: string[] | null
}

export const TwoFactorSection: FC<Props> = ({ csrf, status, pending, backupCodes }) => (
  <section class="card" aria-labelledby="two-factor">
    <div class="row">
      <header>
        <h2 id="two-factor">Two-factor authentication</h2>
        <p class="soft small">A code from your phone, on top of your password.</p>
      </header>
      {status.is_enabled ? <span class="badge">On</span> : <span class="badge off">Off</span>}
    </div>
    {backupCodes ? <BackupCodes codes={backupCodes} /> : null}
    {pending ? <Setup csrf={csrf} secret={pending.text} /> : null}
    <div class="row">
      {pending ? null : (
        <form class="inline" method="post" action="/settings/two-factor/start">
          <Csrf token={csrf} />
          <button class={status.is_enabled ? 'quiet' : ''} type="submit">
            {status.is_enabled ? 'Set up another app' : 'Set up'}
          </button>
        </form>
      )}
      {status.is_enabled ? (
        <>
          <form class="inline" method="post" action="/settings/two-factor/backup-codes">
            <Csrf token={csrf} />
            <button class="quiet" type="submit">
              New backup codes ({status.backup_codes_remaining} left)
            </button>
          </form>
          <form class="inline" method="post" action="/settings/two-factor/disable">
            <Csrf token={csrf} />
            <button class="danger" type="submit">
              Turn off
            </button>
          </form>
        </>
      ) : null}
    </div>
  </section>
)

const Setup: FC<{ csrf: string; secret: string }> = ({ csrf, secret }) => (
  <div class="setup">
    <img src="/api/users/@me/two_factor_qr/" alt="QR code for your authenticator app" />
    <div>
      <p>
        Scan the code with your authenticator app, or type this key into it:
        <code class="secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <form method="post" action="/settings/two-factor/confirm">
        <Csrf token={csrf} />
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
      </form>
    </div>
  </div>
)

const BackupCodes: FC<{ codes: string[] }> = ({ codes }) => (
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
  </Notice>
)
