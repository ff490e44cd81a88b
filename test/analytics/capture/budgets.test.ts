import { describe, expect, it } from 'vitest'
import {
  CHANCE_ROWS,
  event,
  eventsOf,
  groupIdentify,
  groupsOf,
  identify,
  mergeDangerously,
  personOf,
  sendBatch,
  sendEach,
} from '../../support/capture'
import { createTenant } from '../../support/tenant'

const TOO_MUCH =
  'The events change persons and groups with more than 8388608 bytes or 200000 properties together. Send fewer events in a request.'

/** A hundred events of every kind, by and about many. */
const mixed = (count: number) =>
  Array.from({ length: count }, (_, number) => {
    switch (number % 5) {
      case 0:
        return identify(`user-${number}`, `anon-${number}`, { $set: { number } })
      case 1:
        return groupIdentify('company', `company-${number % 20}`, { number }, `user-${number}`)
      case 2:
        return event(
          `user-${number}`,
          { $feature_flag: 'checkout', $feature_flag_response: true },
          '$feature_flag_called',
        )
      case 3:
        return mergeDangerously(`user-${number - 3}`, `user-${number - 1}`)
      default:
        return event(`user-${number % 10}`, { $set: { [`p${number}`]: number } })
    }
  })

describe('the cost of a capture request', () => {
  it('is two round trips for 1 and for 100 events', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout' })
    // The first request also looks up the token.
    expect((await sendBatch(tenant, mixed(1))).line.d1_round_trips).toBe(3)
    expect((await sendBatch(tenant, mixed(1))).line.d1_round_trips).toBe(2)
    // A new group type changes flag definitions: one look at the generation, one at all definitions.
    const { line } = await sendBatch(tenant, mixed(100))
    expect(line).toMatchObject({ d1_round_trips: 2, publish_round_trips: 2 })
    expect((await sendBatch(tenant, mixed(100))).line.d1_round_trips).toBe(2)
    expect(await eventsOf(tenant)).toHaveLength(202)
  })

  it('is proportional to the events, not to stored rows', async () => {
    const tenant = await createTenant()
    const costOf = async () => {
      const batch = [event('ada', { $set: { now: Math.random() } }), identify('bob', 'bob-anon')]
      return (await sendBatch(tenant, batch)).line.d1_rows_read
    }
    await costOf()
    const alone = await costOf()
    await sendBatch(
      tenant,
      Array.from({ length: 2_000 }, (_, number) => event(`other-${number}`)),
    )
    expect(await costOf()).toBeLessThanOrEqual(alone + CHANCE_ROWS)
    expect(alone).toBeLessThanOrEqual(45)
  })

  it('does not write an unchanged person', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { plan: 'free' } })])
    const { line } = await sendBatch(tenant, [
      event('ada', { $set: { plan: 'free' }, $set_once: { plan: 'x' } }),
    ])
    // The note that the event was applied, and its index.
    expect(line.d1_rows_written).toBeLessThanOrEqual(3)
  })

  it('is one read and one write per chunk of a large request', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('warm')])
    const many = await sendBatch(
      tenant,
      Array.from({ length: 2_500 }, (_, number) =>
        event(`u${number % 10}`, { $set: { [`p${number}`]: number } }),
      ),
    )
    expect(many.body).toEqual({ status: 'Ok' })
    expect(many.line.d1_round_trips).toBe(6)
    const heavy = await sendBatch(
      tenant,
      Array.from({ length: 5 }, (_, number) => event('ada', { blob: 'é'.repeat(180_000), $set: { number } })),
    )
    expect(heavy.body).toEqual({ status: 'Ok' })
    expect(heavy.line.d1_round_trips).toBe(6)
    expect(await eventsOf(tenant)).toHaveLength(2_506)
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({ number: 4 })
    expect(Object.keys((await personOf(tenant, 'u0'))!.properties)).toHaveLength(250)
  })

  it('is one write even when persons exceed one parameter', async () => {
    const tenant = await createTenant()
    const people = ['a', 'b', 'c', 'd', 'e']
    for (const id of people) await sendEach(tenant, [event(id, { $set: { blob: 'x'.repeat(400_000) } })])
    const { body, line } = await sendBatch(
      tenant,
      people.map((id) => event(id, { $set: { small: true } })),
    )
    expect(body).toEqual({ status: 'Ok' })
    expect(line.d1_round_trips).toBe(2)
    for (const id of people) expect((await personOf(tenant, id))?.properties).toMatchObject({ small: true })
  })

  it('reads the properties of a person once, for any number of distinct ids', async () => {
    const tenant = await createTenant()
    const ids = Array.from({ length: 200 }, (_, number) => `id-${number}`)
    await sendBatch(tenant, [
      event('ada', { $set: { blob: 'x'.repeat(450_000) } }),
      ...ids.map((id) => identify('ada', id)),
    ])
    // 200 times 450 KB would be more than D1 answers with, or an isolate holds.
    const { body, line } = await sendBatch(
      tenant,
      ids.map((id, number) => event(id, { $set: { [id]: number } })),
    )
    expect(body).toEqual({ status: 'Ok' })
    expect(line.d1_round_trips).toBe(2)
    const person = await personOf(tenant, 'id-7')
    expect(person?.distinctIds).toHaveLength(201)
    expect(Object.keys(person!.properties)).toHaveLength(201)
  })

  it('reads and changes 8 MiB of properties, and nothing for a request that would change more', async () => {
    const tenant = await createTenant()
    const people = Array.from({ length: 20 }, (_, number) => `large-${number}`)
    for (const id of people) {
      await sendEach(tenant, [
        event(id, { $set: { blob: 'x'.repeat(450_000) } }),
        groupIdentify('company', id, { blob: 'x'.repeat(450_000) }),
      ])
    }
    const kinds = [
      (id: string) => event(id, { $set: { id } }),
      (id: string) => groupIdentify('company', id, { id }),
    ]
    for (const kind of kinds) {
      const events = people.map(kind)
      // Only the size of the 9 MB is read.
      const all = await sendBatch(tenant, events)
      expect([all.status, all.line.d1_round_trips]).toEqual([413, 1])
      expect(all.body).toMatchObject({ code: 'request_too_large', detail: TOO_MUCH })
      // SDKs send halves after a 413.
      for (const half of [events.slice(0, 10), events.slice(10)])
        expect((await sendBatch(tenant, half)).body).toEqual({ status: 'Ok' })
    }
    for (const id of people) expect((await personOf(tenant, id))?.properties).toMatchObject({ id })
    for (const group of (await groupsOf(tenant)).groups)
      expect(group.properties).toMatchObject({ id: group.key })
  }, 60_000)

  it('counts many small properties, and those of all runs of a request', async () => {
    const tenant = await createTenant()
    const people = Array.from({ length: 6 }, (_, number) => `wide-${number}`)
    const wide = Object.fromEntries(Array.from({ length: 40_000 }, (_, number) => [`p${number}`, 0]))
    for (const id of people) await sendEach(tenant, [event(id, { $set: wide })])
    const changes = people.map((id) => event(id, { $set: { id } }))
    expect((await sendBatch(tenant, changes)).body).toMatchObject({ detail: TOO_MUCH })
    const others = Array.from({ length: 1_000 }, () => event('small'))
    const parted = await sendBatch(tenant, [...changes.slice(0, 4), ...others, ...changes.slice(4)])
    expect([parted.status, parted.body.detail]).toEqual([
      413,
      `${TOO_MUCH} Those before index 1000 are stored.`,
    ])
    expect((await personOf(tenant, 'wide-3'))?.properties).toMatchObject({ id: 'wide-3' })
    expect((await personOf(tenant, 'wide-4'))?.properties).not.toHaveProperty('id')
  }, 60_000)

  it('reads no properties for events that change none', async () => {
    const tenant = await createTenant()
    const people = Array.from({ length: 20 }, (_, number) => `large-${number}`)
    for (const id of people) await sendEach(tenant, [event(id, { $set: { blob: 'x'.repeat(450_000) } })])
    const { body, line } = await sendBatch(
      tenant,
      people.map((id) => event(id)),
    )
    expect([body, line.d1_round_trips]).toEqual([{ status: 'Ok' }, 1])
  }, 60_000)
})
