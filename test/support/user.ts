// Tenants whose user has a password, and signing in with it as a client does.
import { eq } from 'drizzle-orm'
import { users } from '../../drizzle'
import { hashPassword } from '../../src/account/password/hash'
import type { TestResponse } from './harness'
import { createTenant, database, type Tenant } from './tenant'

export const PASSWORD = 'wellkept-Tr0ub4dor'

/** A tenant whose user has `PASSWORD`. */
export async function createMember(options: Parameters<typeof createTenant>[0] = {}): Promise<Tenant> {
  const tenant = await createTenant(options)
  await updateUser(tenant, { passwordHash: await passwordHash() })
  return tenant
}

let hash: string | undefined

/** The hash of `PASSWORD`, computed once: hashing takes longer than most tests. */
export const passwordHash = async (): Promise<string> => (hash ??= await hashPassword(PASSWORD))

/** Changes a tenant's user behind the back of the API. */
export const updateUser = ({ user }: Pick<Tenant, 'user'>, fields: Partial<typeof users.$inferInsert>) =>
  database().update(users).set(fields).where(eq(users.id, user.id))

/** A tenant's user as they are stored. */
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

/** An address of an unused network. */
export const freshIp = (): string => `2001:db8:0:${(lastAddress += 1).toString(16)}::1`

/** Signs in with a password; from an address of its own by default. */
export const login = (tenant: Tenant, { email, password, ip = freshIp(), headers = {} }: Attempt = {}) =>
  tenant.send('POST', '/api/login/', {
    body: { email: email ?? tenant.user.email, password: password ?? PASSWORD },
    headers: { 'CF-Connecting-IP': ip, ...headers },
  })

/** Sends the second factor, with the challenge that a sign-in gave. */
export const sendCode = (tenant: Tenant, challenge: string, token: string) =>
  tenant.send('POST', '/api/login/token/', {
    body: { token },
    headers: { Cookie: `login_challenge=${challenge}` },
  })

/** The value that a response sets a cookie to; '' when it clears it, null when it says nothing of it. */
export function cookieIn({ headers }: TestResponse, name: string): string | null {
  const found = headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1, found.indexOf(';'))
}
