// Push tokens (docs/reference/accounts.md#push-tokens).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { pushTokens, users } from '../../../drizzle'
import { refused, seen } from '../../support/responses'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'

const PATH = '/api/users/@me/push_tokens/'
const UNREGISTER = `${PATH}unregister/`

const stored = ({ user }: Tenant) =>
  database().select().from(pushTokens).where(eq(pushTokens.userId, user.id)).orderBy(pushTokens.token)

const tokensOf = async (tenant: Tenant) => (await stored(tenant)).map(({ token }) => token)

describe('POST push_tokens', () => {
  it('registers a device without returning its token', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(PATH, { token: 'abc', platform: 'ios' }))).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        platform: 'ios',
        created_at: '2026-03-10T12:00:00Z',
        last_seen_at: '2026-03-10T12:00:00Z',
      },
    })
    expect(await tokensOf(tenant)).toEqual(['abc'])
  })

  it('updates platform and last_seen_at of a known token', async () => {
    const tenant = await createTenant()
    const first = await tenant.post(PATH, { token: 'abc', platform: 'ios' })
    tenant.clock.advance({ hours: 1 })
    expect(seen(await tenant.post(PATH, { token: 'abc', platform: 'android' }))).toEqual({
      status: 200,
      body: { ...first.body, platform: 'android', last_seen_at: '2026-03-10T13:00:00Z' },
    })
    expect(await stored(tenant)).toHaveLength(1)
  })

  it('never moves last_seen_at back', async () => {
    const tenant = await createTenant()
    await tenant.post(PATH, { token: 'abc', platform: 'ios' })
    tenant.clock.advance({ hours: -1 })
    const { body } = await tenant.post(PATH, { token: 'abc', platform: 'ios' })
    expect(body.last_seen_at).toBe('2026-03-10T12:00:00Z')
  })

  it('trims the token', async () => {
    const tenant = await createTenant()
    await tenant.post(PATH, { token: '  abc\n', platform: 'ios' })
    expect(await tokensOf(tenant)).toEqual(['abc'])
  })

  it('stores the same token for two users separately', async () => {
    const [a, b] = [await createTenant(), await createTenant()]
    const [first, second] = [
      await a.post(PATH, { token: 'shared', platform: 'web' }),
      await b.post(PATH, { token: 'shared', platform: 'web' }),
    ]
    expect(first.body.id).not.toBe(second.body.id)
    await a.post(UNREGISTER, { token: 'shared' })
    expect([await tokensOf(a), await tokensOf(b)]).toEqual([[], ['shared']])
  })

  it('evicts the least recently seen device beyond 20', async () => {
    const tenant = await createTenant()
    for (let index = 0; index < 20; index += 1) {
      await tenant.post(PATH, { token: `t${String(index).padStart(2, '0')}`, platform: 'web' })
      tenant.clock.advance({ seconds: 1 })
    }
    await tenant.post(PATH, { token: 't00', platform: 'web' })
    tenant.clock.advance({ seconds: 1 })
    expect(await tokensOf(tenant)).toHaveLength(20)
    expect((await tenant.post(PATH, { token: 't20', platform: 'web' })).status).toBe(200)
    const tokens = await tokensOf(tenant)
    expect(tokens).toHaveLength(20)
    expect(tokens).toContain('t00')
    expect(tokens).toContain('t20')
    expect(tokens).not.toContain('t01')
  })

  it('keeps the new device, and 20 in all, when all have the same timestamp', async () => {
    const tenant = await createTenant()
    for (let index = 0; index < 25; index += 1) {
      await tenant.post(PATH, { token: `t${index}`, platform: 'web' })
      expect(await tokensOf(tenant)).toContain(`t${index}`)
    }
    expect(await tokensOf(tenant)).toHaveLength(20)
  })

  it('keeps 20 under concurrent registrations', async () => {
    const tenant = await createTenant()
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => tenant.post(PATH, { token: `t${index}`, platform: 'ios' })),
    )
    expect(await tokensOf(tenant)).toHaveLength(20)
  })

  it('takes one round trip for any number of devices', async () => {
    const tenant = await createTenant()
    const costs = []
    for (let index = 0; index < 25; index += 1) {
      const { line } = await tenant.post(PATH, { token: `t${index}`, platform: 'web' })
      costs.push(line.d1_round_trips)
    }
    expect(costs).toEqual([2, ...Array.from({ length: 24 }, () => 1)])
  })

  it.each([
    [{ platform: 'ios' }, 'token', 'This field is required.', 'required'],
    [{ token: null, platform: 'ios' }, 'token', 'This field may not be null.', 'null'],
    [{ token: '', platform: 'ios' }, 'token', 'This field may not be blank.', 'blank'],
    [{ token: '   ', platform: 'ios' }, 'token', 'This field may not be blank.', 'blank'],
    [{ token: {}, platform: 'ios' }, 'token', 'Not a valid string.', undefined],
    [
      { token: 'x'.repeat(513), platform: 'ios' },
      'token',
      'Ensure this field has no more than 512 characters.',
      'max_length',
    ],
    [{ token: 'abc' }, 'platform', 'This field is required.', 'required'],
    [{ token: 'abc', platform: null }, 'platform', 'This field may not be null.', 'null'],
    [
      { token: 'abc', platform: 'palm' },
      'platform',
      '"palm" is not a valid choice. Valid choices: ios, android, web.',
      'invalid_choice',
    ],
    [
      { token: 'abc', platform: 'IOS' },
      'platform',
      '"IOS" is not a valid choice. Did you mean ios? Valid choices: ios, android, web.',
      'invalid_choice',
    ],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(PATH, body))).toEqual(refused(attr, detail, code))
    expect(await stored(tenant)).toEqual([])
  })

  it('accepts 512 characters', async () => {
    const tenant = await createTenant()
    expect((await tenant.post(PATH, { token: 'x'.repeat(512), platform: 'web' })).status).toBe(200)
  })
})

describe('POST push_tokens/unregister', () => {
  it('responds with 204 for known and unknown tokens', async () => {
    const tenant = await createTenant()
    await tenant.post(PATH, { token: 'abc', platform: 'ios' })
    for (const token of [' abc ', 'abc', 'never']) {
      expect(seen(await tenant.post(UNREGISTER, { token }))).toEqual({ status: 204, body: null })
    }
    expect(await stored(tenant)).toEqual([])
  })

  it('requires a token', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(UNREGISTER, {}))).toEqual(
      refused('token', 'This field is required.', 'required'),
    )
  })
})

describe('the path', () => {
  const denied = {
    status: 403,
    body: {
      type: 'authentication_error',
      code: 'permission_denied',
      detail: 'Push tokens can only be managed via the `@me` path.',
      attr: null,
    },
  }

  it('rejects other users, for staff too', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await database().update(users).set({ isStaff: true }).where(eq(users.id, tenant.user.id))
    const body = { token: 'abc', platform: 'ios' }
    for (const uuid of [other.user.uuid, crypto.randomUUID(), 'x']) {
      expect(seen(await tenant.post(`/api/users/${uuid}/push_tokens/`, body))).toEqual(denied)
      expect(seen(await tenant.post(`/api/users/${uuid}/push_tokens/unregister/`, body))).toEqual(denied)
    }
    expect(await stored(other)).toEqual([])
    expect((await tenant.post(`/api/users/${tenant.user.uuid}/push_tokens/`, body)).status).toBe(200)
  })

  it('is checked after the body', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    expect((await tenant.post(`/api/users/${other.user.uuid}/push_tokens/`, {})).status).toBe(400)
  })

  it('needs no recent authentication', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    tenant.clock.advance({ days: 2 })
    expect((await browser.post(PATH, { token: 'abc', platform: 'ios' })).status).toBe(200)
  })
})
