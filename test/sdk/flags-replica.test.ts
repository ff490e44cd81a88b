// Persons are read from the nearest replica of the database, which may lag behind.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sendBatch } from '../support/capture'
import { variants } from '../support/filters'
import { createHarness } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, PAID, setProperties, valuesOf } from './flags-support'

interface Replica {
  bind(...values: unknown[]): Replica
  all(): Promise<D1Result>
}

/** A database whose replica gives what it first gave, until it catches up. */
function laggingD1() {
  let responses = new Map<string, D1Result>()
  const replica = (text: string, values: unknown[] = []): Replica => ({
    bind: (...bound) => replica(text, bound),
    async all() {
      const key = JSON.stringify([text, values])
      const known =
        responses.get(key) ??
        (await env.DB.prepare(text)
          .bind(...values)
          .all())
      responses.set(key, known)
      return known
    },
  })
  const d1 = {
    prepare: (text: string) => env.DB.prepare(text),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    withSession: () => ({
      prepare: (text: string) => replica(text),
      batch: (statements: Replica[]) => Promise.all(statements.map((each) => each.all())),
    }),
  } as unknown as D1Database
  return { d1, catchUp: () => (responses = new Map()) }
}

async function behindReplica(bindings: Partial<Env> = {}) {
  const { d1, catchUp } = laggingD1()
  const tenant: Tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1, ...bindings } }) })
  await tenant.flag({ key: 'paid', filters: PAID })
  return { tenant, catchUp }
}

describe('behind a replica that lags', () => {
  it('a request that sends what it has just set is answered with it', async () => {
    const { tenant, catchUp } = await behindReplica()
    expect(valuesOf(await ask(tenant))).toEqual({ paid: false })
    await sendBatch(tenant, [setProperties('ada', { plan: 'paid' })])
    expect(valuesOf(await ask(tenant, { person_properties: { plan: 'paid' } }))).toEqual({ paid: true })
    expect(valuesOf(await ask(tenant))).toEqual({ paid: false })
    catchUp()
    expect(valuesOf(await ask(tenant))).toEqual({ paid: true })
  })

  it('one that sends other properties than those that flags use is answered with those of the replica', async () => {
    const { tenant } = await behindReplica()
    await sendBatch(tenant, [setProperties('ada', { plan: 'paid' })])
    expect(valuesOf(await ask(tenant, { person_properties: { country: 'FR' } }))).toEqual({ paid: true })
  })

  it('nothing lags where the deployment reads the primary database', async () => {
    const { tenant } = await behindReplica({ PERSON_READS: 'primary' })
    expect(valuesOf(await ask(tenant))).toEqual({ paid: false })
    await sendBatch(tenant, [setProperties('ada', { plan: 'paid' })])
    expect(valuesOf(await ask(tenant))).toEqual({ paid: true })
  })

  it('the bucketing of a person is decided once', async () => {
    const { tenant } = await behindReplica()
    const body = { key: 'kept', filters: variants({ a: 100 }), ensure_experience_continuity: true }
    expect((await tenant.post(tenant.flags(), body)).status).toBe(201)
    await sendBatch(tenant, [setProperties('ada', { plan: 'free' })])
    const stored = async () =>
      (
        await env.DB.prepare('SELECT hash_key FROM flag_hash_key_overrides WHERE project_id = ?')
          .bind(tenant.projectId)
          .all<{ hash_key: string }>()
      ).results.map(({ hash_key: key }) => key)
    await ask(tenant, { $anon_distinct_id: 'first' })
    await ask(tenant, { $anon_distinct_id: 'second' })
    expect(await stored()).toEqual(['first'])
  })
})
