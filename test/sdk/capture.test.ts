import { describe, expect, it } from 'vitest'
import { alias, event, eventsOf, groupIdentify, personOf, sendBatch } from '../support/capture'
import { seen } from '../support/responses'
import { parseMessage } from '../../src/analytics/ingestion/message'
import { createHarness } from '../support/harness'
import { createTenant } from '../support/tenant'

const OK = { status: 200, body: { status: 'Ok' } }

describe('POST /batch/', () => {
  it('stores a batch', async () => {
    const tenant = await createTenant()
    const uuid = '01961234-5678-7abc-8def-0123456789ab'
    const response = await sendBatch(tenant, [
      { event: 'opened', distinct_id: 'ada', uuid, properties: { page: '/' } },
      { event: 'closed', distinct_id: 7, timestamp: '2026-03-10T11:59:00.123456Z' },
    ])
    expect(seen(response)).toEqual(OK)
    expect(await eventsOf(tenant)).toEqual([
      {
        uuid,
        event: 'opened',
        distinctId: 'ada',
        properties: { page: '/' },
        timestamp: '2026-03-10T12:00:00.000000Z',
        createdAt: '2026-03-10T12:00:00.000000Z',
        setsProperties: false,
        flagKey: null,
        flagResponse: null,
      },
      {
        uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        event: 'closed',
        distinctId: '7',
        properties: {},
        timestamp: '2026-03-10T11:59:00.123456Z',
        createdAt: '2026-03-10T12:00:00.000000Z',
        setsProperties: false,
        flagKey: null,
        flagResponse: null,
      },
    ])
    expect(await personOf(tenant, 'ada')).toMatchObject({ distinctIds: ['ada'], properties: {} })
    expect(await personOf(tenant, '7')).toMatchObject({ distinctIds: ['7'] })
  })

  it('stores valid events of a batch and reports those that cannot be stored', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      event('ada'),
      { distinct_id: 'ada' },
      { event: 'opened' },
      { event: ' ', distinct_id: 'ada' },
      'opened',
      event('💚'.repeat(200)),
      event('ada', { blob: 'x'.repeat(800_000) }),
    ])
    expect(body).toEqual({
      status: 'Ok',
      errors: [
        { index: 1, detail: 'This field is required.', attr: 'event' },
        { index: 2, detail: 'This field is required.', attr: 'distinct_id' },
        { index: 3, detail: 'This field may not be blank.', attr: 'event' },
        { index: 4, detail: 'An event must be an object.', attr: null },
        { index: 6, detail: 'An event may not take more than 800000 bytes.', attr: null },
      ],
    })
    expect((await eventsOf(tenant)).map(({ distinctId }) => distinctId)).toEqual(['ada', '💚'.repeat(200)])
  })

  it('reports errors in the order of the events', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      alias('ada', 'guest'),
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((type) => groupIdentify(type, 'one')),
      { event: '' },
    ])
    expect(body.errors.map(({ index, attr }: { index: number; attr: string }) => [index, attr])).toEqual([
      [0, 'properties__alias'],
      [6, 'properties__$group_type'],
      [7, 'event'],
    ])
  })

  it('counts the errors that would make the response long', async () => {
    const tenant = await createTenant()
    const unreadable = { $set: 1, $set_once: 1, $unset: 1, $groups: 1 }
    const { body } = await sendBatch(
      tenant,
      Array.from({ length: 100 }, () => ({ ...event('ada', unreadable), ...unreadable, people_only: true })),
    )
    expect(JSON.stringify(body).length).toBeLessThan(64 * 1024)
    expect(body.errors.length).toBeGreaterThan(100)
    expect(body.errors.length + body.more_errors).toBe(700)
  })

  it('rejects a request without valid events', async () => {
    const tenant = await createTenant()
    expect(seen(await sendBatch(tenant, [{ event: 'opened' }, {}]))).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'This field is required.',
        attr: 'distinct_id',
      },
    })
    expect(seen(await sendBatch(tenant, []))).toEqual({
      status: 400,
      body: { type: 'validation_error', code: 'empty', detail: 'This list may not be empty.', attr: 'batch' },
    })
    expect(await sendBatch(tenant, { event: 'opened' })).toMatchObject({
      status: 400,
      body: { code: 'not_a_list', attr: 'batch' },
    })
    expect(await eventsOf(tenant)).toEqual([])
  })

  it('rejects more than 10,000 events with 413', async () => {
    const tenant = await createTenant()
    const response = await sendBatch(
      tenant,
      Array.from({ length: 10_001 }, () => event('ada')),
    )
    expect(response).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
  })

  it('stores an event once', async () => {
    const tenant = await createTenant()
    const first = { ...event('ada', { $set: { plan: 'free' } }), uuid: crypto.randomUUID() }
    const second = { ...event('ada', { $set: { plan: 'paid', seats: 3 } }), uuid: first.uuid }
    expect(seen(await sendBatch(tenant, [first, second]))).toEqual(OK)
    expect(seen(await sendBatch(tenant, [{ ...second, uuid: first.uuid.toUpperCase() }]))).toEqual(OK)
    expect((await eventsOf(tenant)).map(({ properties }) => properties)).toEqual([{ $set: { plan: 'free' } }])
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({ plan: 'free' })
  })

  it('treats the same uuid of another project as another event', async () => {
    const [one, other] = [await createTenant(), await createTenant()]
    const sent = { ...event('ada', { $set: { plan: 'free' } }), uuid: crypto.randomUUID() }
    await sendBatch(one, [sent])
    await sendBatch(other, [sent])
    expect(await eventsOf(other)).toHaveLength(1)
    expect((await personOf(one, 'ada'))?.uuid).not.toBe((await personOf(other, 'ada'))?.uuid)
  })
})

describe('the time of an event', () => {
  const timesOf = async (sent: Record<string, unknown>, rest = {}, path = '/batch/') => {
    const tenant = await createTenant()
    const body = { api_key: tenant.projectToken, batch: [{ ...event('ada'), ...sent }], ...rest }
    expect(seen(await tenant.send('POST', path, { body }))).toEqual(OK)
    return (await eventsOf(tenant))[0]!.timestamp
  }

  it('defaults to its arrival', async () => {
    expect(await timesOf({})).toBe('2026-03-10T12:00:00.000000Z')
  })

  it('is its timestamp, in any offset', async () => {
    expect(await timesOf({ timestamp: '2026-03-10T12:30:00.5+02:00' })).toBe('2026-03-10T10:30:00.500000Z')
  })

  it("is corrected by the error of the client's clock", async () => {
    const sent = { timestamp: '2026-03-10T10:59:58.000001Z' }
    expect(await timesOf(sent, { sent_at: '2026-03-10T11:00:00Z' })).toBe('2026-03-10T11:59:58.000001Z')
  })

  it('is corrected by the time in the URL that browsers send', async () => {
    const now = Date.parse('2026-03-10T11:00:00Z')
    const path = `/e/?_=${now}&ip=1`
    expect(await timesOf({ timestamp: '2026-03-10T10:59:58Z' }, {}, path)).toBe('2026-03-10T11:59:58.000000Z')
  })

  it('is corrected in whole minutes, so that latency does not count', async () => {
    const sent = { timestamp: '2026-03-10T11:59:58.000001Z' }
    expect(await timesOf(sent, { sent_at: '2026-03-10T11:59:11Z' })).toBe('2026-03-10T11:59:58.000001Z')
    expect(await timesOf(sent, { sent_at: '2026-03-10T12:00:09Z' })).toBe('2026-03-10T11:59:58.000001Z')
    expect(await timesOf(sent, { sent_at: '2026-03-10T12:01:09Z' })).toBe('2026-03-10T11:58:58.000001Z')
  })

  it.each([-1440, -60, -1, 1, 60, 90])(
    'is exact for a clock that is %d minutes ahead, however long the request takes',
    async (minutes) => {
      const ahead = (milliseconds: number) =>
        new Date(Date.parse('2026-03-10T12:00:00Z') + minutes * 60_000 + milliseconds).toISOString()
      for (const latency of [-9_000, 0, 10, 600, 5_000, 49_000]) {
        expect(await timesOf({ timestamp: ahead(-60_000) }, { sent_at: ahead(-latency) })).toBe(
          '2026-03-10T11:59:00.000000Z',
        )
      }
    },
  )

  it('is not corrected with `$ignore_sent_at`', async () => {
    const sent = { timestamp: '2026-03-10T10:59:58Z', properties: { $ignore_sent_at: true } }
    expect(await timesOf(sent, { sent_at: '2026-03-10T11:00:00Z' })).toBe('2026-03-10T10:59:58.000000Z')
  })

  it('may be a number or a date of RFC 2822, as may the time of sending', async () => {
    const hourAgo = Date.parse('2026-03-10T11:00:00Z')
    expect(await timesOf({ timestamp: hourAgo / 1000 })).toBe('2026-03-10T11:00:00.000000Z')
    expect(await timesOf({ timestamp: 'Tue, 10 Mar 2026 11:00:00 GMT' }, { sent_at: hourAgo })).toBe(
      '2026-03-10T12:00:00.000000Z',
    )
    expect(await timesOf({ timestamp: '2026-03-10T10:59:60Z' })).toBe('2026-03-10T11:00:00.000000Z')
  })

  /** The time of an event that is stored with an error. */
  const storedOf = async (sent: Record<string, unknown>) => {
    const tenant = await createTenant()
    const { status, body } = await sendBatch(tenant, [{ ...event('ada'), ...sent }])
    expect(status).toBe(200)
    return { timestamp: (await eventsOf(tenant))[0]?.timestamp, errors: body.errors }
  }

  it('is its arrival when it cannot be read', async () => {
    for (const sent of [
      ...['yesterday', '31/12/2026', '2026-02-30T00:00:00Z', true, {}, [], 1e300, '0000-00-00'].map(
        (timestamp) => ({ timestamp }),
      ),
      { offset: 'soon' },
      { offset: 1e300 },
    ]) {
      const [attr] = Object.keys(sent)
      expect(await storedOf(sent)).toEqual({
        timestamp: '2026-03-10T12:00:00.000000Z',
        errors: [
          { index: 0, detail: expect.stringMatching(/The event has the time of its arrival\.$/), attr },
        ],
      })
    }
  })

  const CORRECTED = { timestamp: '2026-03-10T12:00:00Z' }
  it.each([
    ['without a timestamp', 50_000, {}, {}],
    ['with a timestamp that cannot be read', 50_000, { timestamp: 'yesterday' }, {}],
    ['with an offset', 50_000, { offset: 1500 }, {}],
    ['with an offset and a timestamp', 50_000, { ...CORRECTED, offset: 1500 }, {}],
    ['in the future', 50_000, { timestamp: '2026-03-12T12:00:00Z' }, {}],
    ['by a wrong clock', 50_000, CORRECTED, { sent_at: '2026-03-10T10:00:01Z' }],
    ['by a right clock', 50, CORRECTED, { sent_at: '2026-03-10T12:00:01Z' }],
    ['that sets properties', 50_000, { ...CORRECTED, properties: { $set: { a: 1 } } }, {}],
  ])(
    'is the same when the request is repeated: an event %s, %d seconds later',
    async (_kind, seconds, sent, rest) => {
      const queued: string[] = []
      const keeping = {
        sendBatch: async (messages: Iterable<{ body: string }>) => {
          for (const { body } of messages) queued.push(body)
        },
      } as unknown as Queue<string>
      const tenant = await createTenant({ harness: createHarness({ bindings: { INGESTION: keeping } }) })
      const batch = [{ ...event('ada'), uuid: crypto.randomUUID(), ...sent }]
      expect((await sendBatch(tenant, batch, rest)).status).toBe(200)
      tenant.clock.advance({ seconds })
      expect((await sendBatch(tenant, batch, rest)).status).toBe(200)
      const [first, second] = queued.map((text) => parseMessage(text).rows.events)
      expect(first).toHaveLength(1)
      expect(second!.map(({ uuid, timestamp }) => ({ uuid, timestamp }))).toEqual(
        first!.map(({ uuid, timestamp }) => ({ uuid, timestamp })),
      )
    },
  )

  it('is `offset` milliseconds ago, whatever its timestamp', async () => {
    for (const timestamp of [undefined, '2026-03-10T10:00:00Z', 'yesterday'])
      expect(await timesOf({ offset: 1500, timestamp }, { sent_at: '2026-03-10T11:00:00Z' })).toBe(
        '2026-03-10T11:59:58.500000Z',
      )
  })

  it('is now when it lies more than 23 hours ahead', async () => {
    expect(await timesOf({ timestamp: '2026-03-11T10:59:59Z' })).toBe('2026-03-11T10:59:59.000000Z')
    expect(await storedOf({ timestamp: '2026-03-11T11:00:01Z' })).toEqual({
      timestamp: '2026-03-10T12:00:00.000000Z',
      errors: [
        {
          index: 0,
          detail: 'More than 23 hours ahead. The event has the time of its arrival.',
          attr: 'timestamp',
        },
      ],
    })
  })
})
