// How often a key may run saved queries, and how many queries a project may have under way.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { endpointLogs } from '../../../drizzle/events'
import { createConcurrencyLimit } from '../../../src/endpoints/run/concurrency-limit'
import { HOURLY_QUOTAS } from '../../../src/http/limits/key-quota'
import { NOT_FOUND, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { hogql as hogqlOf } from '../../support/endpoints/endpoints'
import { createMaterializingTenant } from '../../support/endpoints/materialization'
import { storedEndpoint } from '../../support/endpoints/saved-queries'
import { createTenant, shard, type Tenant } from '../../support/tenant'
import { countedElsewhere, throttledFor } from '../../support/throttles'

const busyTenant = (bindings: Partial<Env> = {}) =>
  createTenant({ harness: createHarness({ bindings: { THROTTLES: 'on', ...bindings } }) })

const runner = async (tenant: Tenant) => {
  const { id, name } = await storedEndpoint(tenant)
  const path = `/api/projects/${tenant.projectId}/endpoints/${name}/run/`
  return { id, path, run: () => tenant.post(path) }
}

describe('a key', () => {
  it('may run 2,400 queries an hour, those that fail included', async () => {
    const tenant = await busyTenant()
    const { id, run } = await runner(tenant)
    await countedElsewhere(tenant, HOURLY_QUOTAS.RUN_RATE!, 2)
    expect((await run()).status).toBe(200)
    // Guessing names counts.
    expect(seen(await tenant.post(tenant.endpoints('nope/run')))).toEqual(NOT_FOUND)
    const refused = await run()
    expect(seen(refused)).toEqual(throttledFor(1_800))
    expect(refused.headers.get('Retry-After')).toBe('1800')
    expect(seen(await tenant.post(tenant.endpoints('nope/run')))).toEqual(throttledFor(1_800))
    const unsaved = { query: { kind: 'HogQLQuery', query: 'SELECT 1' } }
    expect(seen(await tenant.post(`/api/projects/${tenant.projectId}/query/`, unsaved))).toEqual(
      throttledFor(1_800),
    )
    // What was rejected for its number is not in the log.
    const lines = await shard().select().from(endpointLogs).where(eq(endpointLogs.endpointId, id))
    expect(lines).toHaveLength(1)
    tenant.clock.advance({ minutes: 30 })
    expect((await run()).status).toBe(200)
  })

  it('may run 240 queries a minute, whichever they are', async () => {
    const keys: string[] = []
    const full = {
      limit({ key }: { key: string }) {
        keys.push(key)
        return Promise.resolve({ success: false })
      },
    } as Env['RUN_RATE']
    const tenant = await busyTenant({ RUN_RATE: full })
    const { path, run } = await runner(tenant)
    expect(seen(await run())).toEqual(throttledFor(60))
    expect(keys).toHaveLength(1)
    expect(tenant.key).not.toContain(keys[0])
    // A session may run as often as it likes.
    expect((await (await signIn(tenant)).post(path)).status).toBe(200)
    expect(keys).toHaveLength(1)
    const { success } = await env.RUN_RATE.limit({ key: crypto.randomUUID() })
    expect(success).toBe(true)
  })

  it('may run five times as often where materialized rows answer, which counts by itself', async () => {
    const limited: string[] = []
    const counting = (name: string) => ({
      limit() {
        limited.push(name)
        return Promise.resolve({ success: true })
      },
    })
    const tenant = await createMaterializingTenant({
      THROTTLES: 'on',
      // What a key may do in all: runs are not among it, or 1,200 a minute would be none.
      KEY_RATE: counting('any'),
      RUN_RATE: counting('inline'),
      MATERIALIZED_RUN_RATE: counting('materialized'),
    })
    const { name } = await tenant.endpoint({ query: hogqlOf('SELECT 1 AS one'), is_materialized: true })
    expect(limited.splice(0)).toEqual(['any'])
    await tenant.consume()
    const run = (body = {}) => tenant.post(tenant.endpoints(`${name}/run`), body)
    await run()
    expect((await run({ refresh: 'force' })).body.endpoint_materialized).toBe(true)
    await run({ refresh: 'direct' })
    // What is rejected for what it asks counts as if it were answered the same way.
    await run({ variables: { unknown: 1 } })
    await run({ nonsense: 1 })
    await tenant.get(tenant.endpoints(`${name}/run`))
    await tenant.get(tenant.endpoints(`${name}/run`).replace('projects', 'environments'))
    expect(limited).toEqual(
      'materialized materialized inline inline inline materialized materialized'.split(' '),
    )
  })

  it('has an hour of its own for materialized rows', async () => {
    const tenant = await createMaterializingTenant({ THROTTLES: 'on' })
    const { name } = await tenant.endpoint({ query: hogqlOf('SELECT 1 AS one'), is_materialized: true })
    await tenant.consume()
    const run = (body = {}) => tenant.post(tenant.endpoints(`${name}/run`), body)
    await countedElsewhere(tenant, HOURLY_QUOTAS.RUN_RATE!, 0)
    await countedElsewhere(tenant, HOURLY_QUOTAS.MATERIALIZED_RUN_RATE!, 2)
    // The isolate learns the number of others with its first call.
    expect((await run({ refresh: 'direct' })).status).toBe(200)
    expect((await run({ refresh: 'direct' })).status).toBe(429)
    expect((await run()).status).toBe(200)
    expect((await run()).status).toBe(200)
    expect((await run()).status).toBe(429)
  })

  it('is not limited with throttles off', async () => {
    const none = { limit: () => Promise.resolve({ success: false }) } as Env['RUN_RATE']
    const tenant = await createTenant({ harness: createHarness({ bindings: { RUN_RATE: none } }) })
    const { run } = await runner(tenant)
    expect((await run()).status).toBe(200)
  })
})

describe('the concurrency limit', () => {
  it('admits as many as the limit, each project by itself', async () => {
    const gate = createConcurrencyLimit(2)
    const held = Promise.withResolvers<string>()
    const inside = [gate.pass(1, () => held.promise), gate.pass(1, () => held.promise)]
    await expect(gate.pass(1, () => Promise.resolve('third'))).rejects.toMatchObject({
      status: 429,
      code: 'throttled',
      detail: 'Too many concurrent requests. Please try again later.',
    })
    expect(await gate.pass(2, () => Promise.resolve('other'))).toBe('other')
    held.resolve('done')
    expect(await Promise.all(inside)).toEqual(['done', 'done'])
    expect(await gate.pass(1, () => Promise.resolve('again'))).toBe('again')
  })

  it('frees its place after a failure', async () => {
    const gate = createConcurrencyLimit(1)
    await expect(gate.pass(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await gate.pass(1, () => Promise.resolve('yes'))).toBe('yes')
  })
})
