// The hourly limits of keys, by the clock.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { ApiKeyActor } from '../../src/auth/actor'
import { createKeyQuota, HOURLY_QUOTAS } from '../../src/http/limits/key-quota'
import { apiErrorIn } from '../../src/errors'
import { testClock } from '../support/clock'
import { createHarness } from '../support/harness'
import { seen } from '../support/responses'
import { signIn } from '../support/session'
import { createTenant, database } from '../support/tenant'
import { countedElsewhere, throttledFor } from '../support/throttles'

/** The platform's limiter of the minute, which these tests exceed. */
const open: RateLimit = { limit: () => Promise.resolve({ success: true }) }

/** An isolate that counts the calls of one key; a "response" is the end of `call`. */
function isolate(keyId: string, clock = testClock(), db = database()) {
  const quota = createKeyQuota()
  const actor = { kind: 'apiKey', keyId } as ApiKeyActor
  let reports = 0
  return {
    clock,
    get reports() {
      return reports
    },
    /** @returns seconds to wait, or null when the call passes */
    async call(rate: 'KEY_RATE' | 'TEST_EVALUATION_RATE' = 'KEY_RATE'): Promise<number | null> {
      const after: (() => Promise<unknown>)[] = []
      const bindings = { ...env, THROTTLES: 'on' as const, KEY_RATE: open, TEST_EVALUATION_RATE: open }
      const afterResponse = (work: () => Promise<unknown>) => void after.push(work)
      try {
        await quota.count({ db, env: bindings, clock, afterResponse }, actor, rate)
      } catch (error) {
        return Number(apiErrorIn(error)!.headers!['Retry-After'])
      }
      reports += after.length
      await Promise.all(after.map((work) => work().catch(() => undefined)))
      return null
    },
  }
}

const passing = async (counter: ReturnType<typeof isolate>, rate?: 'TEST_EVALUATION_RATE') => {
  let calls = 0
  while (calls < 10_000 && (await counter.call(rate)) === null) calls += 1
  return calls
}

describe('the hour of a key', () => {
  it('has 4,800 calls, of which one in 48 is reported', async () => {
    const counter = isolate(crypto.randomUUID())
    expect(await passing(counter)).toBe(4_800)
    expect(counter.reports).toBeLessThanOrEqual(1 + 4_800 / 48)
    counter.clock.advance({ minutes: 30 })
    expect(await counter.call()).toBe(1_800)
    counter.clock.advance({ minutes: 30 })
    expect(await counter.call()).toBe(null)
  })

  it('has 1,200 calls of test_evaluation besides', async () => {
    const counter = isolate(crypto.randomUUID())
    expect(await passing(counter, 'TEST_EVALUATION_RATE')).toBe(1_200)
    expect(await counter.call()).toBe(null)
  })

  it('is exceeded by at most 1 % for each isolate', async () => {
    const [key, clock] = [crypto.randomUUID(), testClock()]
    const isolates = Array.from({ length: 4 }, () => isolate(key, clock))
    let passed = 0
    for (let round = 0; round < 1_300; round += 1)
      for (const each of isolates) if ((await each.call()) === null) passed += 1
    expect(passed).toBeGreaterThanOrEqual(4_800)
    expect(passed).toBeLessThanOrEqual(4_800 + 4 * 48)
    // A new isolate learns it with its first call.
    const another = isolate(key, clock)
    expect([await another.call(), await another.call()]).toEqual([null, 3_600])
  })

  it('reports a slow key every ten minutes at most', async () => {
    const counter = isolate(crypto.randomUUID())
    for (let call = 0; call < 50; call += 1) {
      await counter.call()
      counter.clock.advance({ minutes: 1 })
    }
    expect(counter.reports).toBe(5)
  })

  it('keeps counting when reports fail', async () => {
    const broken = {
      insert: () => ({
        values: () => ({
          onConflictDoUpdate: () => ({ returning: () => Promise.reject(new Error('away')) }),
        }),
      }),
    }
    const counter = isolate(crypto.randomUUID(), testClock(), broken as never)
    expect(await passing(counter)).toBe(4_800)
  })
})

describe('over HTTP', () => {
  const busy = () => createTenant({ harness: createHarness({ bindings: { THROTTLES: 'on' } }) })
  const { KEY_RATE, TEST_EVALUATION_RATE } = HOURLY_QUOTAS

  it('rejects with 429 and Retry-After, until the hour is over; sessions and SDK paths go on', async () => {
    const tenant = await busy()
    await countedElsewhere(tenant, KEY_RATE!, 3)
    const list = () => tenant.get('/api/projects/')
    for (let call = 0; call < 3; call += 1) expect((await list()).status).toBe(200)
    const response = await list()
    expect(seen(response)).toEqual(throttledFor(1_800))
    expect(response.headers.get('Retry-After')).toBe('1800')
    expect((await tenant.get('/api/feature_flag/local_evaluation/')).status).toBe(200)
    expect((await (await signIn(tenant)).get('/api/projects/')).status).toBe(200)
    expect((await (await tenant.withKey({})).get('/api/projects/')).status).toBe(200)
    tenant.clock.advance({ minutes: 30 })
    expect((await list()).status).toBe(200)
  })

  it('counts test_evaluation apart', async () => {
    const tenant = await busy()
    const { id } = await tenant.flag()
    await countedElsewhere(tenant, TEST_EVALUATION_RATE!, 1)
    const test = () => tenant.post(tenant.flags(`${id}/test_evaluation`), { distinct_id: 'ada' })
    expect((await test()).status).toBe(200)
    expect(seen(await test())).toEqual(throttledFor(1_800))
    expect((await tenant.get('/api/projects/')).status).toBe(200)
  })

  it('adds no round trip to a call, and does nothing unless it is on', async () => {
    const [on, off] = [await busy(), await createTenant()]
    for (const tenant of [on, off]) await tenant.get('/api/projects/')
    expect((await on.get('/api/projects/')).line.d1_round_trips).toBe(
      (await off.get('/api/projects/')).line.d1_round_trips,
    )
    await countedElsewhere(off, KEY_RATE!, 0)
    expect((await off.get('/api/projects/')).status).toBe(200)
  })
})
