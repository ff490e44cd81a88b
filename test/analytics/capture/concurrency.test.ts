import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  event,
  eventsOf,
  groupIdentify,
  groupsOf,
  identify,
  mergeDangerously,
  peopleOf,
  personOf,
  type SentEvent,
  sendBatch,
  sendEach,
} from '../../support/capture'
import { createHarness } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'

const all = async (tenant: Tenant, sent: SentEvent[]) => {
  const responses = await Promise.all(sent.map((each) => sendBatch(tenant, [each])))
  expect(responses.map(({ status, body }) => [status, body])).toEqual(sent.map(() => [200, { status: 'Ok' }]))
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('requests at the same time', () => {
  it('lose no property of one person', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada')])
    await all(
      tenant,
      numbers(20).map((number) => event('ada', { $set: { [`p${number}`]: number } })),
    )
    const expected = Object.fromEntries(numbers(20).map((number) => [`p${number}`, number]))
    expect((await personOf(tenant, 'ada'))?.properties).toEqual(expected)
    expect(await eventsOf(tenant)).toHaveLength(21)
  })

  it('make one person of a new distinct id', async () => {
    const tenant = await createTenant()
    await all(
      tenant,
      numbers(20).map((number) => event('ada', { $set_once: { [`p${number}`]: 1 } })),
    )
    expect(await peopleOf(tenant)).toEqual([
      {
        distinctIds: ['ada'],
        properties: Object.fromEntries(numbers(20).map((number) => [`p${number}`, 1])),
      },
    ])
  })

  it('store one event once', async () => {
    const tenant = await createTenant()
    const uuid = crypto.randomUUID()
    await all(
      tenant,
      numbers(10).map((number) => ({ ...event('ada', { $set: { number } }), uuid })),
    )
    const stored = await eventsOf(tenant)
    expect(stored).toHaveLength(1)
    expect((await personOf(tenant, 'ada'))?.properties).toEqual(stored[0]!.properties.$set)
  })

  it('number group types without gaps, and lose no property of a group', async () => {
    const tenant = await createTenant()
    const types = ['a', 'b', 'c', 'd', 'e']
    await all(
      tenant,
      numbers(15).map((number) =>
        groupIdentify(types[number % 5]!, 'x', { [`p${number}`]: number }, `u${number}`),
      ),
    )
    const { types: numbered, groups } = await groupsOf(tenant)
    expect([...numbered].sort()).toEqual(types)
    expect(groups.map(({ properties }) => Object.keys(properties as object).length)).toEqual([3, 3, 3, 3, 3])
  })

  for (const age of ['stored', 'new']) {
    it(`lose no property of one ${age} group`, async () => {
      const tenant = await createTenant()
      await sendEach(tenant, [groupIdentify('company', age === 'stored' ? 'acme' : 'other')])
      await all(
        tenant,
        numbers(20).map((number) => groupIdentify('company', 'acme', { [`p${number}`]: number })),
      )
      const { groups } = await groupsOf(tenant)
      const expected = Object.fromEntries(numbers(20).map((number) => [`p${number}`, number]))
      expect(groups.find(({ key }) => key === 'acme')?.properties).toEqual(expected)
    })
  }

  it('lose nothing when a person is merged while other requests set properties', async () => {
    const tenant = await createTenant()
    const ids = numbers(10)
    await sendEach(
      tenant,
      ids.flatMap((id) => [event(`from-${id}`), event(`into-${id}`)]),
    )
    // Only the merged ones are written twice, so nothing but their versions tells.
    await all(tenant, [
      ...ids.map((id) => event(`from-${id}`, { $set: { late: id } })),
      ...ids.map((id) => mergeDangerously(`into-${id}`, `from-${id}`)),
    ])
    expect((await peopleOf(tenant)).map(({ properties }) => properties)).toEqual(
      ids.map((id) => ({ late: id })),
    )
  })

  it('merge persons while others give them ids and properties, and keep all of them, each id once', async () => {
    const tenant = await createTenant()
    const ids = numbers(8).map((number) => `u${number}`)
    await sendEach(
      tenant,
      ids.map((id) => event(id, { $set: { [id]: true } })),
    )
    await all(tenant, [
      ...ids.slice(1).map((id, at) => mergeDangerously(ids[at]!, id)),
      ...ids.map((id) => identify(id, `${id}-anon`)),
      ...ids.map((id) => event(id, { $set: { [`${id}-late`]: true } })),
    ])
    expect(await peopleOf(tenant)).toEqual([
      {
        distinctIds: ids.flatMap((id) => [id, `${id}-anon`]),
        properties: Object.fromEntries(ids.flatMap((id) => [id, `${id}-late`]).map((name) => [name, true])),
      },
    ])
  })
})

describe('a request that is never first', () => {
  it('gets Retry-After, and nothing is written', { timeout: 30_000 }, async () => {
    let batches = 0
    // Reads go through; every write, which is each second batch, finds that somebody else was first.
    const contested = new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name).bind(target)
        return async (statements: D1PreparedStatement[]) => {
          batches += 1
          if (batches % 2) return target.batch(statements)
          throw new Error('D1_ERROR: UNIQUE constraint failed: person_distinct_ids.distinct_id')
        }
      },
    })
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: contested } }) })
    const { status, body, headers } = await sendBatch(tenant, [event('ada')])
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        type: 'server_error',
        code: 'database_unavailable',
        detail: 'The same persons are being written by too many requests at once. Please retry.',
        attr: null,
      },
    })
    expect(headers.get('Retry-After')).toBe('1')
    expect(batches).toBe(40)
    expect(await eventsOf(tenant)).toEqual([])
    expect(await peopleOf(tenant)).toEqual([])
  })
})
