import { env } from 'cloudflare:workers'
import { array, assert, asyncProperty, constantFrom, dictionary, record, subarray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shardEngine } from '../support/database/d1-engine'
import {
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  readHistory,
} from '../../src/analytics/event-reads/property-history'
import { mergeHistory } from '../../src/analytics/capture/property-bag'
import { changesIn } from '../../src/analytics/capture/property-changes'
import { personByDistinctId } from '../support/database/persons'
import { toStoredTimestamp } from '../../src/timestamps'
import { createMeter } from '../../src/storage/metered-d1'
import { event, identify, type SentEvent, sendBatch, sendEach } from '../support/capture'
import { createTenant, database, type Tenant } from '../support/tenant'

const at = (timestamp: string, sent: SentEvent): SentEvent => ({ ...sent, timestamp })

async function rebuilt(tenant: Tenant, distinctId: string, moment: string) {
  const person = await personByDistinctId(database(), tenant.projectId, distinctId)
  const engine = shardEngine()
  const history = await readHistory(engine, tenant.projectId, {
    distinctIds: person!.distinctIds,
    at: moment,
  })
  return history && mergeHistory(history)
}

describe('past properties of a person', () => {
  it('follow the timestamps of events, not their arrival', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at('2026-03-03T00:00:00Z', event('ada', { $set: { plan: 'paid' } })),
      at('2026-03-01T00:00:00Z', event('ada', { $set: { plan: 'free', city: 'Oslo' } })),
      at('2026-03-05T00:00:00Z', event('ada', { $unset: ['city'] })),
      at('2026-03-06T00:00:00Z', { ...event('ada'), $set: { top: 'level' } }),
    ])
    expect(await rebuilt(tenant, 'ada', '2026-02-28T00:00:00.000000Z')).toEqual({})
    expect(await rebuilt(tenant, 'ada', '2026-03-01T00:00:00.000000Z')).toEqual({
      plan: 'free',
      city: 'Oslo',
    })
    expect(await rebuilt(tenant, 'ada', '2026-03-04T00:00:00.000000Z')).toEqual({
      plan: 'paid',
      city: 'Oslo',
    })
    expect(await rebuilt(tenant, 'ada', '2026-03-07T00:00:00.000000Z')).toEqual({
      plan: 'paid',
      top: 'level',
    })
  })

  it('include events of all distinct ids', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at('2026-03-01T00:00:00Z', event('anon', { $set: { source: 'ad', plan: 'free' } })),
      at('2026-03-02T00:00:00Z', identify('ada', 'anon', { $set: { plan: 'paid' } })),
      at('2026-03-02T00:00:00Z', event('bob', { $set: { plan: 'other' } })),
    ])
    expect(await rebuilt(tenant, 'ada', '2026-03-03T00:00:00.000000Z')).toEqual({
      source: 'ad',
      plan: 'paid',
    })
  })

  it('of simultaneous events are those of the last arrival', async () => {
    const tenant = await createTenant()
    const same = '2026-03-01T00:00:00Z'
    await sendBatch(tenant, [
      at(same, event('ada', { $set: { plan: 'a' } })),
      at(same, event('ada', { $set: { plan: 'b' } })),
    ])
    expect(await rebuilt(tenant, 'ada', '2026-03-03T00:00:00.000000Z')).toEqual({ plan: 'b' })
  })

  it('include events of any age', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [at('2016-03-09T00:00:00Z', event('ada', { $set: { a: 1 } }))])
    expect(await rebuilt(tenant, 'ada', '2026-03-10T00:00:00.000000Z')).toEqual({ a: 1 })
    expect(await rebuilt(tenant, 'ada', '9999-12-31T00:00:00.000000Z')).toEqual({ a: 1 })
  })

  it('equal those of ingestion, for events of any name', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at('2026-03-01T00:00:00Z', event('ada', { $set: { a: 1 }, $set_once: { a: 2, b: 2 } })),
      at('2026-03-02T00:00:00Z', identify('ada', undefined, { $set_once: { b: 3, c: 3 } })),
      at('2026-03-03T00:00:00Z', event('ada', { $set_once: { c: 4, d: 4 } }, '$set_once')),
      at('2026-03-04T00:00:00Z', event('ada', { $unset: ['a'], $set: { d: 5 } })),
    ])
    const properties = { b: 2, c: 3, d: 5 }
    expect(await rebuilt(tenant, 'ada', '2026-03-10T00:00:00.000000Z')).toEqual(properties)
    expect((await personByDistinctId(database(), tenant.projectId, 'ada'))!.properties).toEqual(properties)
  })

  it('include the properties that the person got from events', async () => {
    const tenant = await createTenant()
    const view = (day: string, properties: SentEvent) =>
      at(`2026-03-${day}T00:00:00Z`, event('ada', properties))
    await sendEach(tenant, [
      view('01', { $browser: 'Chrome', $current_url: '/1' }),
      view('02', { $browser: 'Chrome', $current_url: '/2' }),
      view('03', { $browser: 'Firefox', $current_url: '/3', $set: { plan: 'free' } }),
    ])
    const initial = { $initial_browser: 'Chrome', $initial_current_url: '/1' }
    const landed = { $browser: 'Chrome', $current_url: '/1', ...initial }
    expect(await rebuilt(tenant, 'ada', '2026-03-01T00:00:00.000000Z')).toEqual(landed)
    expect(await rebuilt(tenant, 'ada', '2026-03-02T00:00:00.000000Z')).toEqual(landed)
    const current = { $browser: 'Firefox', $current_url: '/3', plan: 'free', ...initial }
    expect(await rebuilt(tenant, 'ada', '2026-03-03T00:00:00.000000Z')).toEqual(current)
    expect((await personByDistinctId(database(), tenant.projectId, 'ada'))!.properties).toEqual(current)
  })

  it('ignore events without a person profile', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), event('ada', { $process_person_profile: false, $set: { a: 1 } })])
    expect(await rebuilt(tenant, 'ada', '2026-03-11T00:00:00.000000Z')).toEqual({})
  })

  it('cost one round trip and the rows of events with changes', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      ...Array.from({ length: 200 }, () => event('ada')),
      event('ada', { $set: { plan: 'free' } }),
    ])
    const meter = createMeter()
    const history = await readHistory(shardEngine({ meter }), tenant.projectId, {
      distinctIds: ['ada'],
      at: '2026-03-11T00:00:00.000000Z',
    })
    expect(history).toHaveLength(1)
    expect(meter).toMatchObject({ roundTrips: 1, rowsRead: expect.toSatisfy((rows: number) => rows <= 25) })
  })
})

/** Stores events as the first release did, without history. Each sets `n` to its number, with properties of this many bytes. */
const insertEvents = ({ projectId }: Tenant, count: number, bytes: number, name = 'many') =>
  env.EVENTS.prepare(
    `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, sets_properties, properties)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT ?1, ?4 || i, 'opened', 'ada-' || (i % 3), strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-03-01', i || ' seconds'),
       '2026-03-01T00:00:00.000000Z', 1, jsonb_object('$set', json_object('n', i), 'blob', substr(?3, 1)) FROM n`,
  )
    .bind(projectId, count, 'x'.repeat(bytes), name)
    .run()

describe('the history of a person', () => {
  const START = Date.parse('2026-03-10T12:00:00Z')
  const SECOND = 1_000
  const momentOf = (index: number) => toStoredTimestamp(new Date(START + index * SECOND))

  const change = record({
    distinctId: constantFrom('anon', 'ada', 'other'),
    changes: record(
      {
        $set: dictionary(constantFrom('a', 'b"', 'c.d'), constantFrom(1, '1', 0.1 + 0.2, null, { x: [] })),
        $set_once: dictionary(constantFrom('a', 'b"', 'c.d'), constantFrom(true, 'once')),
        $unset: subarray(['a', 'b"', 'c.d']),
      },
      { requiredKeys: [] },
    ),
  })

  it.each([
    ['as they happen', 1],
    ['long after they happened', 48],
  ])('is what its events come to, captured %s', async (_, hoursLater) => {
    await assert(
      asyncProperty(array(change, { minLength: 1, maxLength: 8 }), async (steps) => {
        const tenant = await createTenant()
        await sendEach(tenant, [identify('ada', 'anon'), identify('ada', 'other')])
        tenant.clock.advance({ hours: hoursLater - 1 })
        const sent = steps.map(({ distinctId, changes }, index) =>
          at(momentOf(index), event(distinctId, changes)),
        )
        await sendBatch(tenant, sent)
        for (let index = 0; index < steps.length; index += 1) {
          const expected = mergeHistory(
            steps.slice(0, index + 1).map(({ changes }) => changesIn(changes as never)),
          )
          expect(await rebuilt(tenant, 'ada', momentOf(index))).toEqual(expected)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('keeps a value that a merge did not change', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at(momentOf(0), event('ada', { $set: { plan: 'pro' } })),
      at(momentOf(1), event('anon', { $set: { plan: 'free' } })),
      at(momentOf(2), identify('ada', 'anon', { $set: { plan: 'pro' } })),
    ])
    expect(await rebuilt(tenant, 'ada', momentOf(1))).toEqual({ plan: 'free' })
    expect(await rebuilt(tenant, 'ada', momentOf(2))).toEqual({ plan: 'pro' })
  })

  it('keeps first values when an older one arrives by a merge or late', async () => {
    const tenant = await createTenant()
    const old = '2019-01-01T00:00:00Z'
    await sendEach(tenant, [
      at(momentOf(0), event('ada', { $set_once: { source: 'google' } })),
      at(momentOf(5), event('anon', { $set_once: { source: 'newsletter', late: 'a', gone: 1 } })),
      at(momentOf(6), event('anon', { $unset: ['gone'], $set_once: { old: 1 } })),
      at(momentOf(6), event('anon', { $set_once: { gone: 2 } })),
      at(old, event('anon', { $set: { old: 2 } })),
      at(momentOf(4), event('anon', { $set: { late: 'b' } })),
      at(momentOf(7), identify('ada', 'anon')),
    ])
    const rest = { source: 'google', late: 'b', old: 2 }
    expect(await rebuilt(tenant, 'ada', momentOf(5))).toEqual({ ...rest, gone: 1 })
    expect(await rebuilt(tenant, 'ada', momentOf(8))).toEqual({ ...rest, gone: 2 })
    expect((await personByDistinctId(database(), tenant.projectId, 'ada'))!.properties).toEqual({
      ...rest,
      gone: 2,
    })
  })

  it('keeps a value that a late event set before', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      at(momentOf(10), event('ada', { $set: { n: 1 } })),
      at(momentOf(5), event('ada', { $set: { n: 2 } })),
      at(momentOf(20), event('ada', { $set: { n: 2 } })),
    ])
    const values = [7, 15, 25].map((index) => rebuilt(tenant, 'ada', momentOf(index)))
    expect(await Promise.all(values)).toEqual([{ n: 2 }, { n: 1 }, { n: 2 }])
  })

  it('includes events of a repeated request', async () => {
    const tenant = await createTenant()
    const uuid = crypto.randomUUID()
    await sendEach(tenant, [{ ...event('ada', { $set: { plan: 'pro' } }), uuid }])
    await env.EVENTS.batch(
      ['events', 'person_property_history'].map((table) =>
        env.EVENTS.prepare(`DELETE FROM ${table} WHERE project_id = ?`).bind(tenant.projectId),
      ),
    )
    await sendEach(tenant, [{ ...event('ada', { $set: { plan: 'pro' } }), uuid }])
    expect(await rebuilt(tenant, 'ada', '2026-03-11T00:00:00.000000Z')).toEqual({ plan: 'pro' })
  })

  it('costs a few rows for each property, however often it was set', async () => {
    const tenant = await createTenant()
    await env.EVENTS.prepare(
      `INSERT INTO person_property_history (project_id, distinct_id, name, timestamp, value)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
       SELECT ?1, 'ada', 'name-' || (i % 50), strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-03-01', i || ' seconds'), i FROM n`,
    )
      .bind(tenant.projectId)
      .run()
    const meter = createMeter()
    const history = await readHistory(shardEngine({ meter }), tenant.projectId, {
      distinctIds: ['ada', 'anon'],
      at: '2026-03-01T10:00:00.000000Z',
    })
    const properties = mergeHistory(history!)
    expect(Object.keys(properties)).toHaveLength(50)
    expect(properties['name-0']).toBe(36_000)
    expect(meter.rowsRead).toBeLessThanOrEqual(750)
  })

  it('drops values replaced over two years ago when the property is set again', async () => {
    const tenant = await createTenant()
    await sendEach(
      tenant,
      ['2019-01-01', '2020-01-01', '2026-03-01'].map((day, index) =>
        at(`${day}T00:00:00Z`, event('ada', { $set: { n: index } })),
      ),
    )
    const moments = ['2019-06-01', '2020-06-01', '2026-03-02'].map((day) => `${day}T00:00:00.000000Z`)
    const values = await Promise.all(moments.map((moment) => rebuilt(tenant, 'ada', moment)))
    expect(values).toEqual([{}, { n: 1 }, { n: 2 }])
  })
})

describe('a history', () => {
  const LATER = '2026-03-09T00:00:00.000000Z'
  const read = (tenant: Tenant, moment = LATER, distinctIds = ['ada-0', 'ada-1', 'ada-2']) =>
    readHistory(shardEngine(), tenant.projectId, {
      distinctIds,
      at: moment,
    })

  it('has at most 10,000 events', async () => {
    const tenant = await createTenant()
    await insertEvents(tenant, MAX_HISTORY_EVENTS, 1)
    const history = await read(tenant)
    expect(history).toHaveLength(MAX_HISTORY_EVENTS)
    expect(mergeHistory(history!)).toEqual({ n: MAX_HISTORY_EVENTS })
    await insertEvents(tenant, 1, 1, 'one more')
    expect(await read(tenant)).toBe(null)
    // Up to an earlier moment it is short enough.
    expect(mergeHistory((await read(tenant, '2026-03-01T00:01:00.000000Z'))!)).toEqual({ n: 60 })
  })

  it('has at most 16 MiB', async () => {
    const tenant = await createTenant()
    await insertEvents(tenant, 16, MAX_HISTORY_BYTES / 16 - 100)
    expect(mergeHistory((await read(tenant))!)).toEqual({ n: 16 })
    await insertEvents(tenant, 1, 2_000, 'one more')
    expect(await read(tenant)).toBe(null)
  })

  it('is not read for distinct ids that are too long together', async () => {
    const tenant = await createTenant()
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}`.padEnd(200, 'é'))
    expect(await read(tenant, LATER, ids)).toBe(null)
  })
})

describe('merging history', () => {
  it('applies `$set_once` only to missing properties', () => {
    expect(
      mergeHistory(
        [
          { $set: { a: 1 }, $set_once: { b: 1 } },
          { $set_once: { a: 2, c: 2 } },
          { $set_once: { c: 3 } },
          { $unset: ['b'] },
          { $set_once: { b: 4 } },
        ].map(changesIn),
      ),
    ).toEqual({ a: 1, b: 4, c: 2 })
  })

  it('ignores malformed changes', () => {
    expect(mergeHistory([changesIn({ $set: 'x', $set_once: [1], $unset: null })])).toEqual({})
  })

  it('starts empty', () => {
    expect(mergeHistory([])).toEqual({})
  })
})
