import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { shardEngine } from '../support/d1-engine'
import { MAX_HISTORY_BYTES, MAX_HISTORY_EVENTS, readHistory } from '../../src/analytics/event-reads'
import { mergeHistory } from '../../src/analytics/person-history'
import { changesIn } from '../../src/analytics/capture/property-changes'
import { personByDistinctId } from '../../src/analytics/persons'
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

describe('the properties of a person at a past moment', () => {
  it('are those that were set up to it, by the time of the events and not of their arrival', async () => {
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

  it('come from the events of all their distinct ids', async () => {
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

  it('of events of one moment are those of the one that arrived last', async () => {
    const tenant = await createTenant()
    const same = '2026-03-01T00:00:00Z'
    await sendBatch(tenant, [
      at(same, event('ada', { $set: { plan: 'a' } })),
      at(same, event('ada', { $set: { plan: 'b' } })),
    ])
    expect(await rebuilt(tenant, 'ada', '2026-03-03T00:00:00.000000Z')).toEqual({ plan: 'b' })
  })

  it('are those of events of any age', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [at('2016-03-09T00:00:00Z', event('ada', { $set: { a: 1 } }))])
    expect(await rebuilt(tenant, 'ada', '2026-03-10T00:00:00.000000Z')).toEqual({ a: 1 })
    expect(await rebuilt(tenant, 'ada', '9999-12-31T00:00:00.000000Z')).toEqual({ a: 1 })
  })

  it('are those that ingestion arrived at, whatever the events are called', async () => {
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

  it('leave aside events that ask to be about nobody', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), event('ada', { $process_person_profile: false, $set: { a: 1 } })])
    expect(await rebuilt(tenant, 'ada', '2026-03-11T00:00:00.000000Z')).toEqual({})
  })

  it('cost one round trip and the rows of events that set something', async () => {
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
    expect(meter).toMatchObject({ roundTrips: 1, rowsRead: expect.toSatisfy((rows: number) => rows <= 12) })
  })
})

/** Stores events that each set `n` to their number, with properties of this many bytes. */
const insertEvents = ({ projectId }: Tenant, count: number, bytes: number) =>
  env.EVENTS.prepare(
    `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, created_at, sets_properties, properties)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT ?1, 'many-' || i, 'opened', 'ada-' || (i % 3), strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-03-01', i || ' seconds'),
       '2026-03-01T00:00:00.000000Z', 1, jsonb_object('$set', json_object('n', i), 'blob', substr(?3, 1)) FROM n`,
  )
    .bind(projectId, count, 'x'.repeat(bytes))
    .run()

describe('a history', () => {
  const LATER = '2026-03-09T00:00:00.000000Z'
  const read = (tenant: Tenant, moment = LATER, distinctIds = ['ada-0', 'ada-1', 'ada-2']) =>
    readHistory(shardEngine(), tenant.projectId, {
      distinctIds,
      at: moment,
    })

  it('has 10,000 events at most', async () => {
    const tenant = await createTenant()
    await insertEvents(tenant, MAX_HISTORY_EVENTS, 1)
    const history = await read(tenant)
    expect(history).toHaveLength(MAX_HISTORY_EVENTS)
    expect(mergeHistory(history!)).toEqual({ n: MAX_HISTORY_EVENTS })
    await sendBatch(tenant, [at('2026-03-02T00:00:00Z', event('ada-0', { $set: { n: 0 } }))])
    expect(await read(tenant)).toBe(null)
    // Up to an earlier moment it is short enough.
    expect(mergeHistory((await read(tenant, '2026-03-01T00:01:00.000000Z'))!)).toEqual({ n: 60 })
  })

  it('has 16 MiB at most', async () => {
    const tenant = await createTenant()
    await insertEvents(tenant, 16, MAX_HISTORY_BYTES / 16 - 100)
    expect(mergeHistory((await read(tenant))!)).toEqual({ n: 16 })
    await sendBatch(tenant, [event('ada-1', { $set: { n: 0 }, blob: 'x'.repeat(2_000) })])
    expect(await read(tenant, '2026-03-11T00:00:00.000000Z')).toBe(null)
  })

  it('of distinct ids that are too long together is not read', async () => {
    const tenant = await createTenant()
    const ids = Array.from({ length: 5_000 }, (_, index) => `${index}`.padEnd(200, 'é'))
    expect(await read(tenant, LATER, ids)).toBe(null)
  })
})

describe('merging history', () => {
  it('sets once only what is not there', () => {
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

  it('passes over what has the wrong shape', () => {
    expect(mergeHistory([changesIn({ $set: 'x', $set_once: [1], $unset: null })])).toEqual({})
  })

  it('starts from nothing', () => {
    expect(mergeHistory([])).toEqual({})
  })
})
