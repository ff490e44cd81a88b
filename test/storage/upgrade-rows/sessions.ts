// How the two people sign in: a session, half a sign-in, a second factor, and how often somebody tried.
import { AT, LATER, type Rows, SOON } from './row'

/** @param tokenHash of the token of Ada's session. */
export const sessionRows = (tokenHash: string): Rows => ({
  sessions: [
    {
      id: 'session-1',
      token_hash: tokenHash,
      user_id: 1,
      created_at: LATER,
      authenticated_at: LATER,
      expires_at: SOON,
      last_activity: LATER,
      user_agent: 'Firefox',
      location: 'Berlin',
      login_method: 'password',
      sso_organization_id: null,
      impersonated_user_id: null,
      impersonation_reason: null,
      impersonation_read_only: null,
      impersonation_started_at: null,
      impersonation_last_activity: null,
      pending_totp_secret: null,
      pending_totp_expires_at: null,
    },
  ],
  login_challenges: [
    {
      token_hash: 'challenge',
      user_id: 2,
      login_method: 'oidc',
      sso: '{"organizationId":"o","identity":null}',
      expires_at: SOON,
    },
  ],
  password_resets: [{ token_hash: 'reset', user_id: 2, created_by_id: 1, expires_at: SOON }],
  totp_devices: [{ user_id: 2, secret: 'encrypted', last_step: 58_000_000, created_at: AT }],
  backup_codes: [{ user_id: 2, code_hash: 'hash' }],
  key_rotations: [{ secret: 'PAYLOAD_KEYS', state: '{}' }],
  reserve: [{ id: 1, filler: '1' }],
  // Always empty in use; its constraint takes this row.
  write_guards: [{ holds: 1 }],
  throttle_windows: [{ name: 'login', subject: 'ada@example.com', started_at: AT, count: 2 }],
})
