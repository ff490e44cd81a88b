// Flags while the database is away: those that need it fail, after as long as SDKs wait, and no others.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sendBatch } from '../support/capture'
import { dependsOn, open, variants, where } from '../support/filters'
import { createHarness } from '../support/harness'
import { createTenant } from '../support/tenant'
import { ask, fragile, PAID, setProperties, valuesOf } from './flags-support'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('an unavailable database', () => {
  it('fails only the flags that need it', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    await tenant.flag({ key: 'everybody', filters: open({ payloads: { true: '"hi"' } }) })
    const paid = await tenant.flag({ key: 'paid', filters: { ...PAID, payloads: { true: '"rich"' } } })
    await tenant.flag({ key: 'everybody-kept', ensure_experience_continuity: true, filters: open() })
    await tenant.flag({
      key: 'continuous',
      ensure_experience_continuity: true,
      filters: variants({ a: 100 }),
    })
    await sendBatch(tenant, [setProperties('ada', { plan: 'paid' })])
    await ask(tenant)
    d1.break()

    const response = await ask(tenant)
    expect(response.status).toBe(200)
    expect(valuesOf(response)).toEqual({
      everybody: true,
      'everybody-kept': true,
      paid: 'database_unavailable',
      continuous: 'database_unavailable',
    })
    expect(response.body.errorsWhileComputingFlags).toBe(true)
    expect(response.body.flags.paid).toEqual({
      key: 'paid',
      enabled: false,
      variant: null,
      failed: true,
      reason: { code: 'database_unavailable', condition_index: null },
      metadata: { id: paid.id, version: 1, description: null, payload: null, has_experiment: false },
    })
    expect(tenant.lines.map(({ message }) => message)).toContain('work after the response failed')

    expect((await ask(tenant, {}, '/flags/?v=1')).body).toMatchObject({
      errorsWhileComputingFlags: true,
      featureFlags: { everybody: true, 'everybody-kept': true, paid: false, continuous: false },
      featureFlagPayloads: { everybody: '"hi"' },
    })
    expect((await ask(tenant, {}, '/decide/')).body.featureFlags).toEqual(['everybody', 'everybody-kept'])

    // Whoever sends what is looked at does not notice, and asks nobody.
    const keen = await ask(tenant, {
      flag_keys: ['everybody', 'paid'],
      person_properties: { plan: 'paid' },
    })
    expect(valuesOf(keen)).toEqual({ everybody: true, paid: true })
    expect(keen.body.errorsWhileComputingFlags).toBe(false)
    expect(keen.line.d1_round_trips).toBe(0)
  })

  it('matters for no flag that depends on one that is left out, which is off', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    const paid = await tenant.flag({ key: 'paid', evaluation_runtime: 'server', filters: PAID })
    await tenant.flag({ key: 'without', filters: where(dependsOn(paid.id, { value: false })) })
    await ask(tenant)
    d1.break()
    expect(valuesOf(await ask(tenant, { evaluation_runtime: 'server' }))).toEqual({
      paid: 'database_unavailable',
      without: 'database_unavailable',
    })
    const client = await ask(tenant, { evaluation_runtime: 'client' })
    expect(valuesOf(client)).toEqual({ without: true })
    expect(client.line.d1_round_trips).toBe(0)
    expect(client.body.errorsWhileComputingFlags).toBe(false)
  })

  it('times out before SDKs do', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    await tenant.flag({ key: 'everybody', filters: open() })
    await tenant.flag({ key: 'paid', filters: PAID })
    await ask(tenant)
    d1.break('stall')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pending = ask(tenant)
    for (let waited = 0; waited < 50 && vi.getTimerCount() === 0; waited += 1) await scheduler.wait(5)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(valuesOf(await pending)).toEqual({ everybody: true, paid: 'database_unavailable' })
  })

  it('is a 503 or 500 for an uncached project', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const tenant = await createTenant()
    const d1 = fragile(env.DB)
    d1.break()
    const cold = { ...createHarness({ bindings: { DB: d1.d1 } }), projectToken: tenant.projectToken }
    const { status, body } = await ask(cold)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toContain('lost')
  })
})
