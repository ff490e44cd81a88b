// Operations that may be called so often and no more (docs/reference/accounts.md#limits-of-attempts).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { personalApiKeys } from '../../drizzle'
import { maskOf } from '../../src/auth/api-keys'
import { seen } from '../support/responses'
import { createHarness } from '../support/harness'
import { signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { freshIp } from '../support/user'

const SKIP = '/api/users/@me/onboarding/skip/'
const throttled = (seconds: number) => ({
  status: 429,
  body: {
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    attr: null,
  },
})

const busyTenant = () => createTenant({ harness: createHarness({ bindings: { THROTTLES: 'on' } }) })
/** The id of a tenant's key, by which its calls are counted. */
async function keyIdOf({ key }: Tenant): Promise<string> {
  const [row] = await database()
    .select({ id: personalApiKeys.id })
    .from(personalApiKeys)
    .where(eq(personalApiKeys.maskValue, maskOf(key)))
  return row!.id
}

const skip = (tenant: Tenant) => tenant.post(SKIP, { reason: 'later' })

describe('a throttle', () => {
  it('rejects calls beyond the limit with Retry-After', async () => {
    const tenant = await busyTenant()
    for (let call = 0; call < 30; call += 1) expect((await skip(tenant)).status).toBe(200)
    tenant.clock.advance({ minutes: 10 })
    const response = await skip(tenant)
    expect(seen(response)).toEqual(throttled(3_000))
    expect(response.headers.get('Retry-After')).toBe('3000')
    tenant.clock.advance({ seconds: 2_999 })
    expect(seen(await skip(tenant))).toEqual(throttled(1))
    tenant.clock.advance({ seconds: 1 })
    expect((await skip(tenant)).status).toBe(200)
  })

  it('counts rejected calls', async () => {
    const tenant = await busyTenant()
    for (let call = 0; call < 30; call += 1) expect((await tenant.post(SKIP, {})).status).toBe(400)
    expect((await skip(tenant)).status).toBe(429)
  })

  it('counts by user, across keys', async () => {
    const tenant = await busyTenant()
    for (let call = 0; call < 30; call += 1) await skip(tenant)
    expect((await skip(await tenant.withKey({}))).status).toBe(429)
    const other = await createTenant({ harness: tenant })
    expect((await skip(other)).status).toBe(200)
  })

  it('counts across isolates and concurrent calls', async () => {
    const tenant = await busyTenant()
    const elsewhere = createHarness({ clock: tenant.clock, bindings: { THROTTLES: 'on' } })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const body = { reason: 'later' }
    const responses = await Promise.all(
      Array.from({ length: 34 }, (_, call) =>
        (call % 2 ? elsewhere : tenant).send('POST', SKIP, { body, headers }),
      ),
    )
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(4)
  })

  it('is separate per operation: ten delegations an hour', async () => {
    const tenant = await busyTenant()
    const path = `/api/organizations/${tenant.organizationId}/invites/delegate/`
    const ask = () => tenant.post(path, { target_email: 'grace@example.com' })
    for (let call = 0; call < 10; call += 1) expect((await ask()).status).toBe(201)
    expect(seen(await ask())).toEqual(throttled(3_600))
    expect((await skip(tenant)).status).toBe(200)
  })

  it('counts the calls of a public operation by network', async () => {
    const tenant = await busyTenant()
    const precheck = (ip: string) =>
      tenant.send('POST', '/api/login/precheck/', {
        body: { email: 'ada@example.com' },
        headers: { 'CF-Connecting-IP': ip },
      })
    const ip = freshIp()
    for (let call = 0; call < 30; call += 1) expect((await precheck(ip)).status).toBe(200)
    expect(seen(await precheck(ip))).toEqual(throttled(60))
    expect((await precheck(freshIp())).status).toBe(200)
  })

  it('takes one round trip when on, none otherwise', async () => {
    const [busy, calm] = [await busyTenant(), await createTenant()]
    for (const tenant of [busy, calm]) await skip(tenant)
    expect((await skip(busy)).line.d1_round_trips).toBe(3)
    expect((await skip(calm)).line.d1_round_trips).toBe(2)
  })

  it('is off unless the deployment turns it on', async () => {
    const tenant = await createTenant()
    for (let call = 0; call < 31; call += 1) expect((await skip(tenant)).status).toBe(200)
  })
})

describe('a key', () => {
  it('can call 480 times a minute', async () => {
    const tenant = await busyTenant()
    const list = () => tenant.get('/api/projects/')
    const key = await keyIdOf(tenant)
    // The platform's windows begin on the minute: the calls may fall into two of them, and then twice as many pass.
    let response = await list()
    let calls = 1
    while (response.status === 200 && calls <= 2 * 480) {
      // The binding itself takes the place of most calls.
      while (calls <= 2 * 480 && (await env.KEY_RATE.limit({ key })).success) calls += 1
      response = await list()
      calls += 1
    }
    expect(seen(response)).toEqual(throttled(60))
    expect(calls).toBeGreaterThan(480)
    expect((await (await tenant.withKey({})).get('/api/projects/')).status).toBe(200)
  })

  it('is limited by its id, and sessions are not', async () => {
    const keys: string[] = []
    const full = {
      limit({ key }: { key: string }) {
        keys.push(key)
        return Promise.resolve({ success: false })
      },
    } as Env['KEY_RATE']
    const harness = createHarness({ bindings: { THROTTLES: 'on', KEY_RATE: full } })
    const tenant = await createTenant({ harness })
    expect(seen(await tenant.get('/api/projects/'))).toEqual(throttled(60))
    expect(keys).toHaveLength(1)
    expect(tenant.key).not.toContain(keys[0])
    expect((await (await signIn(tenant)).get('/api/projects/')).status).toBe(200)
    expect((await tenant.send('GET', '/api/projects/')).status).toBe(401)
    expect(keys).toHaveLength(1)
  })

  it('has other limits for some operations', async () => {
    const asked: string[] = []
    const limiter = (name: string) =>
      ({
        limit() {
          asked.push(name)
          return Promise.resolve({ success: name !== 'full' })
        },
      }) as Env['KEY_RATE']
    const harness = createHarness({
      bindings: {
        THROTTLES: 'on',
        KEY_RATE: limiter('any'),
        TEST_EVALUATION_RATE: limiter('full'),
        REMOTE_CONFIG_RATE: limiter('remote config'),
        RUN_RATE: limiter('run'),
      },
    })
    const tenant = await createTenant({ harness })
    const { id } = await tenant.flag({ is_remote_configuration: true })
    await tenant.endpoint({ name: 'top-events' })
    asked.length = 0
    const test = await tenant.post(tenant.flags(`${id}/test_evaluation`), { distinct_id: 'ada' })
    expect(seen(test)).toEqual(throttled(60))
    expect((await tenant.get(tenant.flags(`${id}/remote_config`))).status).toBe(200)
    expect((await tenant.get(tenant.endpoints('top-events/run'))).status).toBe(200)
    expect((await tenant.get('/api/feature_flag/local_evaluation/')).status).toBe(200)
    expect(asked).toEqual(['full', 'remote config', 'run', 'any'])
  })

  it('is unlimited when throttles are off', async () => {
    const none = { limit: () => Promise.resolve({ success: false }) } as Env['KEY_RATE']
    const tenant = await createTenant({ harness: createHarness({ bindings: { KEY_RATE: none } }) })
    expect((await tenant.get('/api/projects/')).status).toBe(200)
  })
})
