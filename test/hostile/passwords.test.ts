// Overlong passwords: no request makes the service normalize or hash one. And floods of sign-ins.
import crypto from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { organizationInvites, throttleWindows } from '../../drizzle'
import { networkOf } from '../../src/auth/client'
import { csrfTokenOf } from '../../src/auth/csrf'
import { refused, seen } from '../support/responses'
import type { TestResponse } from '../support/harness'
import { signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { createMember, freshIp, login, PASSWORD, storedUser } from '../support/user'

/** Normalizing one of these takes seconds to minutes. */
const MARKS = `a${'\u0300\u0316'.repeat(2_000)}`
const TOO_LONG: readonly [what: string, password: string][] = [
  ['combining marks', MARKS],
  ['a body full of them', `a${'\u0300\u0316'.repeat(100_000)}`],
  ['1,025 letters', 'x'.repeat(1_025)],
  ['3,076 bytes in 769 characters', '😀'.repeat(769)],
]

const ME = '/api/users/@me/'
const WRONG = refused(null, 'Invalid email or password.', 'invalid_credentials')
const MAX_LENGTH = /^Ensure this field has no more than (1024 characters|3072 bytes)\.$/

const hashing = { scrypt: vi.spyOn(crypto, 'scrypt'), normalize: vi.spyOn(String.prototype, 'normalize') }

beforeEach(() => {
  hashing.scrypt = vi.spyOn(crypto, 'scrypt')
  hashing.normalize = vi.spyOn(String.prototype, 'normalize')
})
afterEach(() => vi.restoreAllMocks())

/** How often the expensive functions ran since the last call. */
function work() {
  const counts = { scrypt: hashing.scrypt.mock.calls.length, normalize: hashing.normalize.mock.calls.length }
  hashing.scrypt.mockClear()
  hashing.normalize.mockClear()
  return counts
}
const NONE = { scrypt: 0, normalize: 0 }
const ONE = { scrypt: 1, normalize: 1 }

const failuresOf = async (ip: string) =>
  (
    await database()
      .select({ count: throttleWindows.count })
      .from(throttleWindows)
      .where(eq(throttleWindows.subject, networkOf(ip)))
  ).map(({ count }) => count)

describe.each(TOO_LONG)('%s at sign-in', (_, password) => {
  it('answers as for a wrong password, counts a failure, and hashes nothing', async () => {
    const tenant = await createMember()
    work()
    const ips = [freshIp(), freshIp(), freshIp()] as const
    const wrong = await login(tenant, { ip: ips[0], password: 'x' })
    expect(work()).toEqual(ONE)
    const long = await login(tenant, { ip: ips[1], password })
    const nobody = await login(tenant, { ip: ips[2], password, email: 'nobody@example.com' })
    expect(work()).toEqual(NONE)
    for (const response of [wrong, long, nobody]) {
      expect(seen(response)).toEqual(WRONG)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.line.d1_round_trips).toBe(1)
    }
    expect(await Promise.all(ips.map(failuresOf))).toEqual([[1], [1], [1]])
  })
})

it('locks an address out that sends thirty of them', async () => {
  const tenant = await createMember()
  work()
  const ip = freshIp()
  const statuses = []
  for (let round = 0; round < 30; round += 1)
    statuses.push((await login(tenant, { ip, password: MARKS })).status)
  expect(statuses).toEqual([...Array.from({ length: 29 }, () => 400), 403])
  expect((await login(tenant, { ip })).status).toBe(403)
  expect(work()).toEqual(NONE)
})

it('answers an overlong address as an unknown one', async () => {
  const tenant = await createMember()
  const email = `${'x'.repeat(200_000)}@example.com`
  expect(seen(await login(tenant, { email }))).toEqual(WRONG)
})

describe.each(TOO_LONG)('%s in the profile', (_, password) => {
  it('rejects it as the current password, which counts as a try, and as a new one', async () => {
    const tenant = await createMember()
    const before = await storedUser(tenant)
    const browser = await signIn(tenant)
    work()
    for (const path of [ME, `${ME}scene_personalisation/`]) {
      const send = (body: object) =>
        browser.send(path === ME ? 'PATCH' : 'POST', path, { body: { ...body, theme_mode: 'dark' } })
      const wrong = await send({ password: 'quite-0ther-w0rds', current_password: password })
      expect(seen(wrong)).toEqual(
        refused('current_password', 'Your current password is incorrect.', 'incorrect_password'),
      )
      expect(seen(await send({ password, current_password: PASSWORD }))).toEqual(
        refused('password', expect.stringMatching(MAX_LENGTH), 'max_length'),
      )
    }
    expect(work()).toEqual(NONE)
    expect(await storedUser(tenant)).toEqual(before)
    const rows = await database()
      .select({ count: throttleWindows.count })
      .from(throttleWindows)
      .where(eq(throttleWindows.subject, String(tenant.user.id)))
    expect(rows).toEqual([{ count: 2 }])
  })
})

describe.each(TOO_LONG)('%s for a new account', (_, password) => {
  it('rejects it, and keeps the invite', async () => {
    const tenant = await createTenant()
    const path = `/api/organizations/${tenant.organizationId}/invites/`
    const { body } = await tenant.post(path, { target_email: `${crypto.randomUUID()}@example.com` })
    work()
    const response = await tenant.send('POST', `/api/signup/${body.id}/`, {
      body: { first_name: 'Grace', password },
    })
    expect(seen(response)).toEqual(refused('password', expect.stringMatching(MAX_LENGTH), 'max_length'))
    expect(work()).toEqual(NONE)
    const invites = await database()
      .select({ id: organizationInvites.id })
      .from(organizationInvites)
      .where(eq(organizationInvites.id, body.id))
    expect(invites).toEqual([{ id: body.id }])
  })
})

describe('the pages', () => {
  const textIn = ({ status, body }: TestResponse) => [status, String(body)] as const

  async function signInPage(tenant: Tenant, password: string, ip: string): Promise<TestResponse> {
    const secret = 'a-secret-of-this-browser'
    return tenant.send('POST', '/login', {
      raw: new URLSearchParams({ csrf: csrfTokenOf(secret), email: tenant.user.email, password }),
      headers: { Cookie: `login_form=${secret}`, 'CF-Connecting-IP': ip },
    })
  }

  it('hash no overlong password of a form', async () => {
    const tenant = await createMember()
    work()
    const ip = freshIp()
    expect(textIn(await signInPage(tenant, MARKS, ip))).toEqual([
      400,
      expect.stringContaining('Invalid email or password.'),
    ])
    expect(await failuresOf(ip)).toEqual([1])
    expect(work()).toEqual(NONE)
  })
})

describe('concurrent sign-ins', () => {
  it('run two hashes at a time, and are 503 past 32 without a call to D1', async () => {
    const tenant = await createMember()
    const held: ((error: Error | null, key: Buffer) => void)[] = []
    let mostRunning = 0
    hashing.scrypt.mockImplementation(((...args: unknown[]) => {
      held.push(args.at(-1) as (typeof held)[number])
      mostRunning = Math.max(mostRunning, held.length)
    }) as never)

    const ips = Array.from({ length: 60 }, freshIp)
    const sent = ips.map((ip) => login(tenant, { ip, password: 'x' }))
    const refusals = await Promise.all(sent.slice(32))
    for (const response of refusals) {
      expect(seen(response)).toEqual({
        status: 503,
        body: {
          type: 'server_error',
          code: 'password_capacity',
          detail: 'Password checks are temporarily at capacity. Please retry.',
          attr: null,
        },
      })
      expect(response.headers.get('Retry-After')).toBe('1')
      expect(response.line.d1_round_trips).toBe(0)
    }
    expect(await Promise.all(ips.slice(32).map(failuresOf))).toEqual(refusals.map(() => []))
    // Other requests are served in the meantime.
    await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 5_000 })
    expect((await tenant.get(tenant.flags())).status).toBe(200)

    for (let hashed = 0; hashed < 32; hashed += 1) {
      await vi.waitFor(() => expect(held).not.toHaveLength(0), { timeout: 5_000 })
      held.shift()!(null, Buffer.alloc(32, 1))
    }
    const responses = await Promise.all(sent.slice(0, 32))
    expect(responses.map(seen)).toEqual(responses.map(() => WRONG))
    expect(mostRunning).toBe(2)
    vi.restoreAllMocks()
    expect((await login(tenant)).status).toBe(200)
  }, 30_000)
})
