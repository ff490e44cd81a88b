// Sign-in, flags and capture while the main database is full; operations.test.ts has the operations of the API.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FILL_RESERVE } from '../../src/storage/reserve'
import { open } from '../support/filters'
import { createHarness } from '../support/harness'
import { failingD1 } from '../support/faults/stalled-d1'
import { createTenant, database, shard, type Tenant } from '../support/tenant'
import { cookieIn, createMember, login } from '../support/user'

const main = failingD1(env.DB)
const harness = createHarness({ bindings: { DB: main.d1 } })

beforeEach(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await env.DB.prepare(FILL_RESERVE).run()
})
afterEach(() => {
  main.recover()
  vi.restoreAllMocks()
})

const storedEvents = async ({ projectId }: Tenant) =>
  (
    await shard().all<{ total: number }>(
      sql`SELECT count(*) AS total FROM events WHERE project_id = ${projectId}`,
    )
  )[0]!.total

const FULL = {
  status: 503,
  body: {
    type: 'server_error',
    code: 'database_full',
    detail: 'The database is full, so nothing was written. The operator of this service has to free space.',
    attr: null,
  },
}

describe('while the main database is nearly full', () => {
  const nearlyFull = createHarness({ bindings: { DATABASE_MAX_BYTES: '100000' } })
  const capture = (tenant: Tenant, event: Record<string, unknown>, { send } = nearlyFull) =>
    send('POST', '/capture/', { body: { api_key: tenant.projectToken, event: 'opened', ...event } })

  it('captures events that change nothing of people, and rejects others', async () => {
    const tenant = await createTenant({ harness })
    expect((await capture(tenant, { distinct_id: 'ada', $set: { age: 36 } }, harness)).status).toBe(200)
    expect((await capture(tenant, { distinct_id: 'ada' })).status).toBe(200)
    expect(await storedEvents(tenant)).toBe(2)
    for (const event of [
      { distinct_id: 'new' },
      { distinct_id: 'ada', $set: { age: 37 } },
      {
        event: '$groupidentify',
        properties: { distinct_id: 'ada', $group_type: 'company', $group_key: 'x' },
      },
    ])
      expect(await capture(tenant, event)).toMatchObject(FULL)
    expect(await storedEvents(tenant)).toBe(2)
    expect(await tenant.get(`/api/projects/${tenant.projectId}/persons/`)).toMatchObject({
      body: { results: [{ properties: { age: 36 } }] },
    })
  })

  it('evaluates flags with continuity by the anonymous id, which it does not store', async () => {
    const tenant = await createTenant({ harness })
    const names = Array.from({ length: 20 }, (_, index) => `half-${index}`)
    for (const key of names)
      await tenant.flag({
        key,
        filters: open({ groups: [{ properties: [], rollout_percentage: 50 }] }),
        ensure_experience_continuity: true,
      })
    await capture(tenant, { distinct_id: 'ada', event: '$identify' }, harness)
    const flagsFor = async ({ send }: Pick<Tenant, 'send'>, more: object) =>
      (await send('POST', '/flags/?v=2', { body: { token: tenant.projectToken, ...more } })).body.flags
    const identified = { distinct_id: 'ada', $anon_distinct_id: 'anonymous' }
    const flags = await flagsFor(nearlyFull, identified)
    const stored = sql`SELECT count(*) AS total FROM flag_hash_key_overrides WHERE project_id = ${tenant.projectId}`
    expect(await database().all(stored)).toEqual([{ total: 0 }])
    expect(await flagsFor(harness, identified)).toEqual(flags)
    expect(await database().all(stored)).toEqual([{ total: names.length }])
  })

  it('runs queries without storing their results in a shard that is nearly full', async () => {
    const tenant = await createTenant({ harness: nearlyFull })
    const { name } = await tenant.endpoint({
      name: 'numbers',
      query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' },
    })
    for (let runs = 0; runs < 2; runs += 1)
      expect(await tenant.post(tenant.endpoints(`${name}/run`), {})).toMatchObject({
        status: 200,
        body: { is_cached: false },
      })
  })

  it('writes flags and accounts', async () => {
    const tenant = await createTenant({ harness: nearlyFull })
    expect((await tenant.post(tenant.flags(), { key: 'last' })).status).toBe(201)
  })
})

describe('while the main database is full', () => {
  it('lets people sign in and read their settings, and flags be evaluated', async () => {
    const tenant = await createMember({ harness })
    await tenant.flag({ key: 'everybody', filters: open() })
    main.fail('is full')
    const signedIn = await login(tenant)
    expect({ status: signedIn.status, body: signedIn.body }).toEqual({ status: 200, body: { success: true } })
    const headers = { Cookie: `sessionid=${cookieIn(signedIn, 'sessionid')}` }
    const me = await tenant.send('GET', '/api/users/@me/', { headers })
    expect(me.body).toMatchObject({ email: tenant.user.email })
    const sessions = await tenant.send('GET', '/api/users/@me/login_sessions/', { headers })
    expect(sessions.body).toMatchObject([{ is_current: true }])
    const flags = await tenant.send('POST', '/flags/?v=2', {
      body: { token: tenant.projectToken, distinct_id: 'ada' },
    })
    expect(flags.body).toMatchObject({
      errorsWhileComputingFlags: false,
      flags: { everybody: { enabled: true } },
    })
  })

  it('takes no event of a new person: 503, and nothing is written or sent', async () => {
    const tenant = await createTenant({ harness })
    main.fail('is full')
    const body = { api_key: tenant.projectToken, batch: [{ event: 'opened', distinct_id: 'ada' }] }
    const response = await tenant.send('POST', '/batch/', { body })
    expect({ status: response.status, code: response.body.code }).toEqual({
      status: 503,
      code: 'database_full',
    })
    expect(await storedEvents(tenant)).toBe(0)
  })

  it('rejects sign-ins once the reserve is used up, and takes them again when it is refilled', async () => {
    const tenant = await createMember({ harness })
    await database().run(sql`DELETE FROM reserve`)
    main.fail('is full')
    expect(await login(tenant)).toMatchObject(FULL)
    await env.DB.prepare(FILL_RESERVE).run()
    expect((await login(tenant)).status).toBe(200)
  })
})
