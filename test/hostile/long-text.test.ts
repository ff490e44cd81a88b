// Overlong text from callers: rejected before the service hashes, matches, stores or merges it.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { throttleWindows } from '../../drizzle'
import { networkOf } from '../../src/auth/client'
import { START } from '../../src/account/chat/signed-state'
import { normalizeCode } from '../../src/account/two-factor/codes'
import { refused, seen } from '../support/responses'
import { createTenant, database } from '../support/tenant'
import { createMember, login } from '../support/user'

const LONG = 'x'.repeat(200_000)

afterEach(() => vi.restoreAllMocks())

describe('a key of 200,000 characters', () => {
  it('responds with 401 without hashing the key or reading D1', async () => {
    const tenant = await createTenant()
    const digest = vi.spyOn(crypto.subtle, 'digest')
    const response = await tenant.send('POST', tenant.flags(), {
      body: { key: 'a', personal_api_key: `phx_${LONG}` },
    })
    expect(seen(response)).toEqual({
      status: 401,
      body: {
        type: 'authentication_error',
        code: 'authentication_failed',
        detail: 'Personal API key found in request body is invalid.',
        attr: null,
      },
    })
    expect(digest).not.toHaveBeenCalled()
    expect(response.line.d1_round_trips).toBe(0)
  })
})

describe('notification settings', () => {
  it('rejects more than 16,384 bytes before D1, which merges them in quadratic time', async () => {
    const tenant = await createTenant()
    await tenant.get('/api/users/@me/')
    const projects = Object.fromEntries(Array.from({ length: 40_000 }, (_, id) => [`p${id}`, true]))
    const response = await tenant.patch('/api/users/@me/', {
      notification_settings: { project_weekly_digest_disabled: projects },
    })
    expect(seen(response)).toEqual(
      refused(
        'notification_settings',
        'Ensure this field has no more than 16384 bytes of JSON.',
        'max_length',
      ),
    )
    expect(response.line.d1_round_trips).toBe(0)
  })
})

describe('an overlong CF-Connecting-IP', () => {
  it('counts as an unknown address', async () => {
    const tenant = await createMember()
    const ip = `2001:${'0'.repeat(10_000)}`
    expect(networkOf(ip)).toBe('unknown')
    expect((await login(tenant, { ip, password: LONG })).status).toBe(400)
    const rows = await database()
      .select({ subject: throttleWindows.subject })
      .from(throttleWindows)
      .where(eq(throttleWindows.subject, ip))
    expect(rows).toEqual([])
  })
})

describe('other long text', () => {
  it('is rejected as a one-time code and as the state of a chat link', () => {
    expect(normalizeCode(`${' '.repeat(100_000)}123456`)).toBe('')
    expect(normalizeCode(' 123-456 ')).toBe('123456')
    expect(START.verify(env, '.'.repeat(100_000), new Date())).toBe(null)
  })

  it('is rejected as a time zone and as an address to invite', async () => {
    const tenant = await createTenant({ level: 15 })
    const path = `/api/organizations/${tenant.organizationId}/`
    expect(seen(await tenant.post(`${path}projects/`, { timezone: LONG }))).toEqual(
      refused('timezone', `${`"${LONG}`.slice(0, 8_000)}…`, 'invalid_choice'),
    )
    expect(seen(await tenant.post(`${path}invites/`, { target_email: `${LONG}@example.com` }))).toEqual(
      refused('target_email', 'Ensure this field has no more than 254 characters.', 'max_length'),
    )
  })
})
