import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { propertyDefinitions } from '../../drizzle'
import { MAX_DEFINITIONS } from '../../src/analytics/capture/learn-properties'
import { readPropertyTypes } from '../support/property-types'
import { openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { CHANCE_ROWS, event, groupIdentify, sendBatch, sendEach } from '../support/capture'
import { createHarness } from '../support/harness'
import { createTenant, database, type Tenant } from '../support/tenant'
import { env } from 'cloudflare:workers'

const definitionsOf = async ({ projectId }: Tenant) =>
  Object.fromEntries(
    (
      await database().select().from(propertyDefinitions).where(eq(propertyDefinitions.projectId, projectId))
    ).map(({ owner, name, type }) => [`${owner}.${name}`, type]),
  )

/** The same tenant, served by an isolate that knows nothing yet but the token. */
async function elsewhere(tenant: Tenant): Promise<Tenant> {
  const { send } = createHarness()
  const cold = { ...tenant, send }
  await sendBatch(cold, [event('ada', { $process_person_profile: null })])
  return cold
}

describe('property definitions', () => {
  it('are learned for properties that a person gets from an event', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $screen_width: 800, gclid: null })])
    expect(await definitionsOf(tenant)).toEqual({
      'event_name.opened': 'String',
      'event.$screen_width': 'Numeric',
      'person.$screen_width': 'Numeric',
      'person.$initial_screen_width': 'Numeric',
    })
  })

  it('are learned from events, persons and groups, by group type index', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      event('ada', { price: 12.5, $groups: { team: 'x' }, $set: { paid: true } }),
      groupIdentify('company', 'acme', { since: '2026-01-31' }),
      event('ada', { price: 'much', page: '/', $set: { paid: 'yes' } }),
    ])
    expect(await definitionsOf(tenant)).toEqual({
      'event_name.opened': 'String',
      'event_name.$groupidentify': 'String',
      'event.price': 'Numeric',
      'event.page': 'String',
      'person.paid': 'Boolean',
      'group_1.since': 'DateTime',
    })
  })

  it('let queries compare numbers that are times, in seconds and in milliseconds', async () => {
    const tenant = await createTenant()
    const seconds = Math.floor(tenant.clock.now().getTime() / 1000)
    await sendEach(
      tenant,
      [seconds, seconds * 1000].map((created_at) => event('ada', { created_at })),
    )
    const query = `SELECT toUnixTimestamp(properties.created_at) FROM events WHERE properties.created_at > '2020-01-01'`
    const { name } = await tenant.endpoint({ query: { kind: 'HogQLQuery', query } })
    const { body } = await tenant.post(tenant.endpoints(`${name}/run`))
    expect(body.results).toEqual([[seconds], [seconds]])
  })

  it('stay the same when another isolate receives other values', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { price: 12.5 })])
    await sendEach(await elsewhere(tenant), [event('ada', { price: 'much', other: true })])
    expect(await definitionsOf(tenant)).toEqual({
      'event_name.opened': 'String',
      'event.price': 'Numeric',
      'event.other': 'Boolean',
    })
  })

  it('are not learned from rejected events', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [event('ada', { a: 1 }), { ...event('ada', { b: 1 }), distinct_id: null }])
    expect(await definitionsOf(tenant)).toEqual({ 'event_name.opened': 'String', 'event.a': 'Numeric' })
  })

  it('are limited per project', async () => {
    const tenant = await createTenant()
    const batch = (prefix: string, count: number) => [
      event('ada', Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]))),
    ]
    await sendBatch(tenant, batch('a', MAX_DEFINITIONS - 10))
    const cold = await elsewhere(tenant)
    // Names that are there take no room from those that are not.
    await sendBatch(cold, [...batch('a', 50), ...batch('b', 8)])
    expect(Object.keys(await definitionsOf(tenant))).toHaveLength(MAX_DEFINITIONS - 1)
    await sendBatch(cold, batch('c', 50))
    const full = await definitionsOf(tenant)
    expect(Object.keys(full)).toHaveLength(MAX_DEFINITIONS)
    expect(full).toHaveProperty(['event.c0'])
    const { status, body } = await sendBatch(await elsewhere(tenant), batch('d', 20_000))
    expect([status, body]).toEqual([200, { status: 'Ok' }])
    expect(await definitionsOf(tenant)).toEqual(full)
  })
})

describe('the cost of learning', () => {
  const batch = () =>
    Array.from({ length: 100 }, (_, number) =>
      event(`user-${number % 5}`, {
        price: number,
        page: `/${number}`,
        ok: true,
        $set: { plan: 'free', visits: 1 },
      }),
    )

  it('is four rows per new definition, once, and no round trip', async () => {
    const tenant = await createTenant()
    const bare = Array.from({ length: 100 }, (_, number) => event(`user-${number % 5}`))
    await sendBatch(tenant, bare)
    const without = (await sendBatch(tenant, bare)).line
    // Persons are the same in all of these, so that what differs is definitions.
    for (const id of [0, 1, 2, 3, 4])
      await sendEach(await elsewhere(tenant), [event(`user-${id}`, { $set: { plan: 'free', visits: 1 } })])

    const first = (await sendBatch(tenant, batch())).line
    const second = (await sendBatch(tenant, batch())).line
    expect([first.d1_round_trips, second.d1_round_trips]).toEqual([2, 2])
    // Nothing changes in the main database.
    expect(without.d1_round_trips).toBe(1)
    expect(first.d1_rows_written - second.d1_rows_written).toBe(4 * 3)
    // The notes that events with `$set` were applied, and their index.
    expect(second.d1_rows_written - without.d1_rows_written).toBe(2 * 100)
  })

  it('is one read of stored definitions in a new isolate', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, batch())
    await sendBatch(tenant, batch())
    const warm = (await sendBatch(tenant, batch())).line
    const cold = await elsewhere(tenant)
    const first = (await sendBatch(cold, batch())).line
    const second = (await sendBatch(cold, batch())).line
    expect(first.d1_round_trips).toBe(2)
    expect(first.d1_rows_written).toBe(warm.d1_rows_written)
    // Five names, looked up and counted.
    expect(first.d1_rows_read - warm.d1_rows_read).toBeLessThanOrEqual(20)
    expect(second.d1_rows_read).toBeLessThanOrEqual(warm.d1_rows_read + CHANCE_ROWS)
  })
})

describe('types of properties', () => {
  it('reads only the named definitions, in one statement', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const extra = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`, at]))
    await sendEach(tenant, [event('ada', { price: 1, "it's": true, ...extra, $set: { price: 'p' } })])
    await sendEach(other, [event('ada', { foreign: 1 })])
    const meter = createMeter()
    const typeOf = await readPropertyTypes(openDatabase(env.DB, meter), tenant.projectId, [
      { owner: 'event', name: 'price' },
      { owner: 'event', name: 'price' },
      { owner: 'person', name: 'price' },
      { owner: 'event', name: "it's" },
      { owner: 'event', name: 'foreign' },
      { owner: 'group_0', name: 'price' },
    ])
    expect([
      typeOf('event', 'price'),
      typeOf('person', 'price'),
      typeOf('event', "it's"),
      typeOf('event', 'foreign'),
      typeOf('group_0', 'price'),
      typeOf('event', 'x1'),
    ]).toEqual(['Numeric', 'String', 'Boolean', undefined, undefined, undefined])
    expect(meter.roundTrips).toBe(1)
    expect(meter.rowsRead).toBeLessThanOrEqual(25)
  })
})
