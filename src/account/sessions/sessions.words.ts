// What the reference says of the browsers that a user is signed in with.
import type { Words } from '../../docs/words'

const session = {
  id: '019d4829-eb40-736b-9820-1e2bd73ab487',
  created_at: '2026-04-01T08:30:00Z',
  last_activity: '2026-04-01T08:50:00Z',
  location: 'London, United Kingdom',
  device: 'Chrome 135.0.0 on macOS 10.15',
  login_method: 'password',
  is_current: true,
}

const phone = {
  ...session,
  id: '019d3567-fa60-720c-bcdc-c69292f45e67',
  created_at: '2026-03-28T17:05:00Z',
  last_activity: '2026-03-31T21:10:00Z',
  device: 'Safari 18.3 on iOS 18.3',
  is_current: false,
}

export const sessionsWords: Words = {
  schemas: {
    LoginSession: {
      is: 'A browser that a user is signed in with, for 14 days at most.',
      fields: {
        id: 'Id of the session, for paths. It opens nothing.',
        created_at: 'When the user signed in. ISO 8601, UTC.',
        last_activity: 'When the session was last used, exact to five minutes. ISO 8601, UTC.',
        location: 'City and country of the last request, as far as known. Null when neither is.',
        device: 'Browser and system, as far as known. Null when the browser does not say.',
        login_method: 'How the user signed in. Always `password`, with or without a second factor.',
        is_current: 'Whether this is the session that asks.',
      },
      example: session,
    },
    UsersLoginSessionsRevokeOthersCreateResponse: {
      is: 'How many browsers were signed out.',
      fields: { revoked_count: 'Sessions that ended; 0 when there was only the one that asks.' },
      example: { revoked_count: 1 },
    },
  },
  operations: {
    users_login_sessions_list: {
      parameters: {
        email: 'Has no effect: the sessions are always the caller’s.',
        is_staff: 'Has no effect: the sessions are always the caller’s.',
      },
      answer: [session, phone],
    },
    users_login_sessions_destroy: {
      parameters: { session_id: { is: 'Id of the session.', example: phone.id } },
    },
  },
}
