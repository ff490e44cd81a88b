// Tenants whose user has a password, and sign-ins with it as a client makes them.
import { eq } from 'drizzle-orm'
import { users } from '../../drizzle'
import { hashPassword } from '../../src/account/password/hash'
import type { TestResponse } from './harness'
import { createTenant, database, type Tenant } from './tenant'

export const PASSWORD = 'wellkept-Tr0ub4dor'

/** Returns a tenant whose user has `PASSWORD`. */
export async function createMember(options: Parameters<typeof createTenant>[0] = {}): Promise<Tenant> {
  const tenant = await createTenant(options)
  await updateUser(tenant, { passwordHash: await passwordHash() })
  return tenant
}

let hash: string | undefined

/** The hash of `PASSWORD`, computed once: hashing takes longer than most tests. */
export const passwordHash = async (): Promise<string> => (hash ??= await hashPassword(PASSWORD))

/** Changes a tenant's user without the API. */
export const updateUser = ({ user }: Pick<Tenant, 'user'>, fields: Partial<typeof users.$inferInsert>) =>
  database().update(users).set(fields).where(eq(users.id, user.id))

/** Returns a tenant's user as they are stored. */
export async function storedUser({ user }: Pick<Tenant, 'user'>): Promise<typeof users.$inferSelect> {
  const [row] = await database().select().from(users).where(eq(users.id, user.id))
  return row!
}

interface Attempt {
  email?: string
  password?: string
  ip?: string
  headers?: Record<string, string>
}

let lastAddress = 0

/** Returns an address of an unused network. */
export const freshIp = (): string => `2001:db8:0:${(lastAddress += 1).toString(16)}::1`

/** Signs in with a password, by default from a separate address. */
export const login = (tenant: Tenant, { email, password, ip = freshIp(), headers = {} }: Attempt = {}) =>
  tenant.send('POST', '/api/login/', {
    body: { email: email ?? tenant.user.email, password: password ?? PASSWORD },
    headers: { 'CF-Connecting-IP': ip, ...headers },
  })

/** Sends the second factor, with the challenge of a sign-in. */
export const sendCode = (tenant: Tenant, challenge: string, token: string) =>
  tenant.send('POST', '/api/login/token/', {
    body: { token },
    headers: { Cookie: `login_challenge=${challenge}` },
  })

/** Returns the value that a response sets a cookie to: '' when it clears the cookie, and null when it does not set it. */
export function cookieIn({ headers }: TestResponse, name: string): string | null {
  const found = headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1, found.indexOf(';'))
}
