// A signed-in browser for tests: its cookies, and the CSRF token with each request.
import { eq } from 'drizzle-orm'
import { sessions } from '../../drizzle'
import { csrfTokenOf } from '../../src/auth/csrf'
import { hashToken, newSession } from '../../src/auth/sessions'
import { createIds } from '../../src/clock'
import { type TestResponse, type Harness, ORIGIN } from './harness'
import { database, type Tenant } from './tenant'
import { updateUser } from './user'

const ids = createIds()

/** Every token that `signIn` returned. None of them may ever occur in a response or a log line. */
export const issuedTokens = new Set<string>()

export interface Browser {
  token: string
  sessionId: string
  /** The headers of a request from one of our own pages. */
  headers: Record<string, string>
  send(method: string, path: string, init?: Parameters<Harness['send']>[2]): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  post(path: string, body?: unknown): Promise<TestResponse>
  patch(path: string, body?: unknown): Promise<TestResponse>
  delete(path: string): Promise<TestResponse>
}

/** The headers of a browser with the session of `token`. */
export const cookiesOf = (token: string): Record<string, string> => ({
  Cookie: `sessionid=${token}; posthog_csrftoken=${csrfTokenOf(token)}`,
  'X-CSRFToken': csrfTokenOf(token),
  Origin: ORIGIN,
})

/** Creates a session of a tenant's user, without a sign-in. `fields` overwrite columns of the session. */
export async function signIn(
  tenant: Pick<Tenant, 'user' | 'clock' | 'send'>,
  fields: Partial<typeof sessions.$inferInsert> = {},
): Promise<Browser> {
  const db = database()
  const client = { network: '203.0.113.7', userAgent: null, location: null }
  const { token, statement } = newSession(
    { db, ids, now: tenant.clock.now() },
    { userId: tenant.user.id, client },
  )
  await statement
  issuedTokens.add(token)
  const [row] = await db
    .update(sessions)
    .set({ tokenHash: hashToken(token), ...fields })
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ id: sessions.id })
  return browserWith(tenant, token, row!.id)
}

/** Makes the user of `staff` staff, and returns their browser, in which they act as the user of `tenant`. */
export async function impersonate(staff: Tenant, { user }: Pick<Tenant, 'user'>): Promise<Browser> {
  await updateUser(staff, { isStaff: true })
  return signIn(staff, {
    impersonatedUserId: user.id,
    impersonationReason: 'support',
    impersonationReadOnly: false,
    impersonationStartedAt: staff.clock.now().toISOString(),
  })
}

/** Returns a browser with the session of `token`. */
export function browserWith({ send }: Pick<Harness, 'send'>, token: string, sessionId: string): Browser {
  const headers = cookiesOf(token)
  const sendAs: Browser['send'] = (method, path, init = {}) =>
    send(method, path, { ...init, headers: { ...headers, ...init.headers } })
  return {
    token,
    sessionId,
    headers,
    send: sendAs,
    get: (path) => sendAs('GET', path),
    post: (path, body = {}) => sendAs('POST', path, { body }),
    patch: (path, body = {}) => sendAs('PATCH', path, { body }),
    delete: (path) => sendAs('DELETE', path),
  }
}
