// Fields of events that cannot be read: the event is stored without them, and a warning says what was done.
import { describe, expect, it } from 'vitest'
import { event, eventsOf, peopleOf, personOf, sendBatch } from '../support/capture'
import { createTenant } from '../support/tenant'

const LONG = '💚'.repeat(201)
const CUT = '💚'.repeat(200)
const DETAIL = {
  arrival: 'Datetime has wrong format. Use ISO 8601. The event has the time of its arrival.',
  ahead: 'More than 23 hours ahead. The event has the time of its arrival.',
  offset: 'Must be a number of milliseconds before arrival. The event has the time of its arrival.',
  offsetIgnored: 'Must be a number of milliseconds before arrival, so it is ignored.',
  uuid: 'Must be a valid UUID, and not the nil one. The event has a new one.',
  profile: 'Must be true or false, so this is ignored.',
  object: 'Expected an object, so this is ignored.',
  names: 'Expected a list of names; others are ignored.',
  cut: 'Only the first 200 characters count.',
  json: 'Neither text nor a number: its JSON counts.',
  group: 'A group must be text of at most 400 characters, or a number; others are ignored.',
}

const withProperties = (properties: unknown) => ({ properties })

/** What is sent beside a name and a distinct id, the field, and what is said of it. */
const UNREADABLE: [sent: Record<string, unknown>, attr: string, detail: string, type?: string][] = [
  [{ timestamp: 'yesterday' }, 'timestamp', DETAIL.arrival, 'ignored_invalid_timestamp'],
  [{ timestamp: '2027-01-01T00:00:00Z' }, 'timestamp', DETAIL.ahead, 'event_timestamp_in_future'],
  [{ offset: '10' }, 'offset', DETAIL.offset, 'ignored_invalid_timestamp'],
  [{ offset: '10', timestamp: '2026-03-10T11:00:00Z' }, 'offset', DETAIL.offsetIgnored],
  [{ uuid: 'seven' }, 'uuid', DETAIL.uuid],
  [{ uuid: 7 }, 'uuid', DETAIL.uuid],
  [{ uuid: '00000000-0000-0000-0000-000000000000' }, 'uuid', DETAIL.uuid],
  [withProperties('page=1'), 'properties', DETAIL.object],
  [withProperties([1]), 'properties', DETAIL.object],
  [{ event: 'x'.repeat(201) }, 'event', DETAIL.cut],
  [{ event: ['opened'] }, 'event', DETAIL.json],
  [{ distinct_id: LONG }, 'distinct_id', DETAIL.cut],
  [{ distinct_id: { id: 'ada' } }, 'distinct_id', DETAIL.json],
  [{ distinct_id: true }, 'distinct_id', DETAIL.json],
  [{ $set: 'plan' }, '$set', DETAIL.object],
  [{ $set_once: [1] }, '$set_once', DETAIL.object],
  [{ $unset: 'plan' }, '$unset', DETAIL.names],
  [
    withProperties({ $process_person_profile: 'false' }),
    'properties__$process_person_profile',
    DETAIL.profile,
  ],
  [withProperties({ $set: 'plan' }), 'properties__$set', DETAIL.object],
  [withProperties({ $set_once: 1 }), 'properties__$set_once', DETAIL.object],
  [withProperties({ $unset: [{}] }), 'properties__$unset', DETAIL.names],
  [withProperties({ $groups: 'acme' }), 'properties__$groups', DETAIL.object],
  [withProperties({ $groups: { company: ['acme'] } }), 'properties__$groups', DETAIL.group],
  [withProperties({ $groups: { company: 'x'.repeat(401) } }), 'properties__$groups', DETAIL.group],
]

describe('an event with a field that cannot be read', () => {
  it('is stored, alone and in a batch, and a warning says what was done', async () => {
    const tenant = await createTenant()
    const sent = UNREADABLE.map(([fields]) => ({ ...event('ada'), ...fields }))
    const said = UNREADABLE.map(([, attr, detail], index) => ({ index, detail, attr }))
    expect((await sendBatch(tenant, sent)).body).toEqual({ status: 'Ok', errors: said })
    const alone = await Promise.all(
      sent.map((each) => tenant.send('POST', '/e/', { body: { api_key: tenant.projectToken, ...each } })),
    )
    expect(alone.map(({ body }) => body)).toEqual(
      said.map((each) => ({ status: 'Ok', errors: [{ ...each, index: 0 }] })),
    )
    expect(await eventsOf(tenant)).toHaveLength(2 * UNREADABLE.length)
    const { results } = (await tenant.get(`/api/projects/${tenant.projectId}/ingestion_warnings/`)).body
    const expected = UNREADABLE.map(([, attr, detail, type = 'part_ignored']) =>
      JSON.stringify({ type, attr, detail }),
    )
    expect(
      results
        .map(({ type, attr, detail }: Record<string, unknown>) => JSON.stringify({ type, attr, detail }))
        .toSorted(),
    ).toEqual([...new Set(expected)].toSorted())
  })

  it('has the options beside properties that are null', async () => {
    const tenant = await createTenant()
    const uuid = '01961234-5678-7abc-8def-0123456789ab'
    await tenant.send('POST', '/i/v1/analytics/events/', {
      body: {
        batch: [
          {
            ...event('ada'),
            uuid,
            properties: null,
            session_id: 's',
            options: { process_person_profile: false },
          },
        ],
      },
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    })
    expect((await eventsOf(tenant)).map(({ properties }) => properties)).toEqual([
      { $session_id: 's', $process_person_profile: false },
    ])
    expect(await peopleOf(tenant)).toEqual([])
  })

  it('keeps its own time where that of the sender’s clock cannot be read', async () => {
    const tenant = await createTenant()
    const own = { ...event('ada'), timestamp: '2026-03-10T11:00:00Z' }
    const detail =
      'Datetime has wrong format. Use ISO 8601. The timestamp of the event is not corrected by the error of the clock.'
    const said = (index: number) => ({ index, detail, attr: 'sent_at' })
    const token = { api_key: tenant.projectToken }
    const batch = [
      own,
      event('ada'),
      { ...own, properties: { $ignore_sent_at: true } },
      own,
      { ...own, offset: 0 },
    ]
    const sent = await tenant.send('POST', '/batch/', { body: { ...token, batch, sent_at: 'noon' } })
    expect(sent.body).toEqual({ status: 'Ok', errors: [said(0), said(3)] })
    const alone = await tenant.send('POST', '/e/', { body: { ...token, ...own, sent_at: { at: 7 } } })
    expect(alone.body).toEqual({ status: 'Ok', errors: [said(0)] })
    for (const readable of [null, '', '2026-03-10T12:00:00Z'])
      expect(
        (await tenant.send('POST', '/e/', { body: { ...token, ...own, sent_at: readable } })).body,
      ).toEqual({
        status: 'Ok',
      })
    await tenant.send('POST', '/i/v1/analytics/events/', {
      body: { batch: [{ ...own, uuid: '01961234-5678-7abc-8def-0123456789ab' }] },
      headers: { Authorization: `Bearer ${tenant.projectToken}`, 'PostHog-Request-Timestamp': 'noon' },
    })
    const times = (await eventsOf(tenant)).map(({ timestamp }) => timestamp)
    expect(times.filter((time) => time.startsWith('2026-03-10T11:00:00'))).toHaveLength(8)
    const { results } = (await tenant.get(`/api/projects/${tenant.projectId}/ingestion_warnings/`)).body
    expect(
      results
        .map(
          ({
            type,
            attr,
            count,
            example,
          }: {
            type: string
            attr: string
            count: number
            example: { value: string }
          }) => [type, attr, count, example.value],
        )
        .toSorted(),
    ).toEqual([
      ['ignored_invalid_timestamp', 'PostHog-Request-Timestamp', 1, 'noon'],
      ['ignored_invalid_timestamp', 'sent_at', 3, 'an object of 1 fields'],
    ])
  })

  it('has what can be read of the identifiers', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      { event: 'x'.repeat(201), distinct_id: LONG },
      { event: ['opened'], distinct_id: { id: 'ada' } },
      event(CUT, { $set: { plan: 'paid' } }),
      event('ada', { $anon_distinct_id: LONG }, '$identify'),
    ])
    expect((await eventsOf(tenant)).map((each) => [each.event, each.distinctId])).toEqual([
      ['x'.repeat(200), CUT],
      ['["opened"]', '{"id":"ada"}'],
      ['opened', CUT],
      ['$identify', 'ada'],
    ])
    expect(await peopleOf(tenant)).toEqual([
      { distinctIds: ['ada', CUT], properties: { plan: 'paid' } },
      { distinctIds: ['{"id":"ada"}'], properties: {} },
    ])
  })

  it('is not one with empty lists, as PHP writes empty objects', async () => {
    const tenant = await createTenant()
    const properties = { $set: [], $set_once: [], $unset: [], $groups: [] }
    const { body } = await sendBatch(tenant, [
      { ...event('ada'), properties: [] },
      event('ada', properties),
      event('ada', { $groups: { company: '', team: null } }),
    ])
    expect(body).toEqual({ status: 'Ok' })
    expect(await eventsOf(tenant)).toHaveLength(3)
  })

  it('is reported as stored in the newer form, too', async () => {
    const tenant = await createTenant()
    const { status, body } = await tenant.send('POST', '/i/v1/analytics/events/', {
      body: {
        batch: [
          { event: 'opened', distinct_id: 'ada', uuid: 'seven', timestamp: 'yesterday' },
          {
            event: 'opened',
            distinct_id: 'ada',
            uuid: '019612345678-7abc-8def-0123456789AB'.replace('-', ''),
          },
          { event: 'opened', uuid: 'eight' },
          { event: 'opened' },
          { event: 'opened', distinct_id: 'ada' },
        ],
      },
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        results: {
          seven: { result: 'ok', details: DETAIL.arrival },
          '0196123456787abc-8def-0123456789AB': { result: 'ok' },
          eight: { result: 'drop', details: 'This field is required.' },
          3: { result: 'drop', details: 'This field is required.' },
        },
      },
    })
    expect(await eventsOf(tenant)).toHaveLength(3)
  })

  it('is an option of the newer form that is no boolean; words and numbers are booleans', async () => {
    const tenant = await createTenant()
    const uuidOf = (index: number) => `01961234-5678-7abc-8def-${String(index).padStart(12, '0')}`
    const timestamp = '2026-03-10T10:00:00Z'
    const batch = [
      { process_person_profile: 'false' },
      { process_person_profile: 0 },
      { process_person_profile: false, disable_skew_correction: 'true' },
      { process_person_profile: false, disable_skew_correction: 1, cookieless_mode: null },
      { process_person_profile: false, disable_skew_correction: 'maybe' },
    ].map((options, index) => ({
      ...event(' ada '),
      timestamp,
      uuid: ` ${uuidOf(index)}`,
      options,
    }))
    const { body } = await tenant.send('POST', '/i/v1/analytics/events/', {
      body: { batch: [...batch, { ...event('ada'), uuid: uuidOf(5), options: 'x' }] },
      headers: {
        Authorization: `Bearer ${tenant.projectToken}`,
        'PostHog-Request-Timestamp': '2026-03-10T11:30:00Z',
      },
    })
    const ok = { result: 'ok' }
    expect(body.results).toEqual({
      [uuidOf(0)]: ok,
      [uuidOf(1)]: ok,
      [uuidOf(2)]: ok,
      [uuidOf(3)]: ok,
      [uuidOf(4)]: {
        ...ok,
        details: 'options.disable_skew_correction: Must be true or false, so this is ignored.',
      },
      [uuidOf(5)]: { ...ok, details: 'options: Expected an object, so this is ignored.' },
    })
    const stored = new Map((await eventsOf(tenant)).map((each) => [each.uuid, each]))
    expect([0, 1, 2, 3, 4, 5].map((index) => stored.get(uuidOf(index))?.distinctId)).toEqual(
      Array(6).fill('ada'),
    )
    const isCorrected = [0, 1, 2, 3, 4].map(
      (index) => !stored.get(uuidOf(index))!.timestamp.startsWith(timestamp.slice(0, 19)),
    )
    expect(isCorrected).toEqual([true, true, false, false, true])
    const profiles = [0, 1, 2, 3, 4, 5].map(
      (index) => stored.get(uuidOf(index))!.properties.$process_person_profile,
    )
    expect(profiles).toEqual([false, false, false, false, false, undefined])
  })
})

describe('changes of a person beside the properties of an event', () => {
  it('win over those inside', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [
      {
        ...event('ada', {
          $set: { plan: 'inner', seats: 1 },
          $set_once: { since: 'inner', first: 1 },
          $unset: ['old'],
        }),
        $set: { plan: 'outer' },
        $set_once: { since: 'outer' },
        $unset: ['older'],
      },
    ])
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({
      plan: 'outer',
      seats: 1,
      since: 'outer',
      first: 1,
    })
    expect((await eventsOf(tenant))[0]!.properties).toEqual({
      $set: { plan: 'outer', seats: 1 },
      $set_once: { since: 'outer', first: 1 },
      $unset: ['older', 'old'],
    })
  })
})
