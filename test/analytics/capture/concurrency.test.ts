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
import { createTenant, type Tenant } from '../../support/tenant'

const all = async (tenant: Tenant, sent: SentEvent[]) => {
  const answers = await Promise.all(sent.map((each) => sendBatch(tenant, [each])))
  expect(answers.map(({ status, body }) => [status, body])).toEqual(sent.map(() => [200, { status: 'Ok' }]))
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

  it('merge persons while others give them ids, and every id is kept once', async () => {
    const tenant = await createTenant()
    const ids = numbers(8).map((number) => `u${number}`)
    await sendEach(
      tenant,
      ids.map((id) => event(id, { $set: { [id]: true } })),
    )
    await all(tenant, [
      ...ids.slice(1).map((id, at) => mergeDangerously(ids[at]!, id)),
      ...ids.map((id) => identify(id, `${id}-anon`)),
    ])
    expect(await peopleOf(tenant)).toEqual([
      {
        distinctIds: ids.flatMap((id) => [id, `${id}-anon`]),
        properties: Object.fromEntries(ids.map((id) => [id, true])),
      },
    ])
  })
})
