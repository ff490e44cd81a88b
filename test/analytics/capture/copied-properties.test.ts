// Which properties of an event are copied to its person, and which events write the person for them.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { copiesIn } from '../../../src/analytics/capture/copied-properties'
import { changesIn } from '../../../src/analytics/capture/property-changes'
import { FIRST_TOUCH } from '../../../src/evaluation/property-maps'
import type { JsonObject } from '../../../src/json'
import {
  event,
  eventsOf,
  groupIdentify,
  identify,
  peopleOf,
  personOf,
  type SentEvent,
  sendBatch,
  sendEach,
} from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'

const copied = (properties: JsonObject) => {
  const copies = copiesIn('$pageview', properties, changesIn(properties))
  return copies && { set: copies.set, setOnce: copies.setOnce }
}

const CASES: readonly [title: string, sent: JsonObject, set: JsonObject, setOnce: JsonObject][] = [
  [
    'properties of the page, the device, the app and the campaign',
    { $browser: 'Chrome', $current_url: 'https://a.test/', utm_source: 'ad', $app_version: 3, plan: 'paid' },
    { $browser: 'Chrome', $current_url: 'https://a.test/', utm_source: 'ad', $app_version: 3 },
    {
      $initial_browser: 'Chrome',
      $initial_current_url: 'https://a.test/',
      $initial_utm_source: 'ad',
      $initial_app_version: 3,
    },
  ],
  [
    'null as the current value, but not as the first one',
    { gclid: null, utm_name: 'spring' },
    { gclid: null, utm_name: 'spring' },
    { $initial_utm_name: 'spring' },
  ],
  ['$os_name as $os', { $os_name: 'iOS' }, { $os: 'iOS' }, { $initial_os: 'iOS' }],
  ['$os_name in place of null', { $os: null, $os_name: 'iOS' }, { $os: 'iOS' }, { $initial_os: 'iOS' }],
  [
    '$os before $os_name',
    { $os: 'iOS', $os_name: 'iPadOS', $os_version: '18' },
    { $os: 'iOS', $os_version: '18' },
    { $initial_os: 'iOS', $initial_os_version: '18' },
  ],
  [
    'not the operating system of a server',
    { $is_server: true, $os: 'Linux', $os_name: 'Linux', $os_version: '6', $app_version: '1' },
    { $app_version: '1' },
    { $initial_app_version: '1' },
  ],
  [
    'not what the event sets by itself',
    { $browser: 'Chrome', $os: 'iOS', $set: { $browser: 'Other' }, $set_once: { $initial_os: 'Other' } },
    { $os: 'iOS' },
    { $initial_browser: 'Chrome' },
  ],
  [
    'not what the event unsets',
    { $browser: 'Chrome', $os: 'iOS', $unset: ['$browser', '$initial_os'] },
    { $os: 'iOS' },
    { $initial_browser: 'Chrome' },
  ],
]

describe('properties that are copied from an event to its person', () => {
  it.for(CASES)('are %s', ([, sent, set, setOnce]) => {
    expect(copied(sent)).toEqual({ set, setOnce })
  })

  it('are 43, each with its first value', () => {
    const names = [...FIRST_TOUCH, 'utm_name']
    const all = copied(Object.fromEntries(names.map((name) => [name, name])))!
    expect(Object.keys(all.set).toSorted()).toEqual(names.toSorted())
    expect(Object.values(all.setOnce).toSorted()).toEqual(names.toSorted())
    expect(names).toHaveLength(43)
  })

  it('are none for an event without them', () => {
    expect(copied({ plan: 'paid', $set: { plan: 'paid' }, $ip: '192.0.2.1' })).toBeNull()
  })
})

const view = (url: string, properties: SentEvent = {}, distinctId = 'ada'): SentEvent =>
  event(distinctId, { $current_url: url, $browser: 'Chrome', ...properties }, '$pageview')

const propertiesOf = async (tenant: Tenant, distinctId = 'ada') =>
  (await personOf(tenant, distinctId))?.properties

/** Returns an event that can be repeated, with a time that does not depend on its arrival. */
const timed = (tenant: Tenant, sent: SentEvent): SentEvent => ({
  ...sent,
  uuid: crypto.randomUUID(),
  timestamp: tenant.clock.now(),
})

/** Returns how many events of the project are remembered, how many changes its history has, and how many events are stored. */
async function countsOf({ projectId }: Tenant) {
  const count = (database: D1Database, table: string) =>
    database.prepare(`SELECT count(*) FROM ${table} WHERE project_id = ?`).bind(projectId).first('count(*)')
  return {
    applied: await count(env.DB, 'applied_events'),
    history: await count(env.EVENTS, 'person_property_history'),
    events: await count(env.EVENTS, 'events'),
  }
}

const FIRST_VIEW = {
  $current_url: '/1',
  $browser: 'Chrome',
  $initial_current_url: '/1',
  $initial_browser: 'Chrome',
}

describe('a person', () => {
  it('has the properties of the first event', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [view('/1', { $set: { plan: 'free' } })])
    expect(await propertiesOf(tenant)).toEqual({ ...FIRST_VIEW, plan: 'free' })
  })

  it('is not written for another page, and keeps the stored one', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [timed(tenant, view('/1')), timed(tenant, view('/1'))])
    const [person, rows] = [await personOf(tenant, 'ada'), await countsOf(tenant)]
    expect(rows).toEqual({ applied: 1, history: 4, events: 2 })
    const { line, body } = await sendBatch(tenant, [
      timed(tenant, view('/2', { $browser: 'Firefox' })),
      timed(tenant, view('/3')),
    ])
    expect(body).toEqual({ status: 'Ok' })
    expect([line.d1_rows_written, line.d1_round_trips]).toEqual([0, 1])
    expect(await personOf(tenant, 'ada')).toEqual(person)
    expect(person?.properties).toEqual(FIRST_VIEW)
    expect(await countsOf(tenant)).toEqual({ ...rows, events: 4 })
  })

  it('is written for a new property, a new campaign and a new version of the app, with the page', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      view('/1'),
      view('/2', { utm_source: 'ad', $app_version: '1' }),
      view('/3', { utm_source: 'mail', $app_version: '1' }),
    ])
    const expected = {
      ...FIRST_VIEW,
      utm_source: 'mail',
      $app_version: '1',
      $initial_utm_source: 'ad',
      $initial_app_version: '1',
      $current_url: '/3',
    }
    expect(await propertiesOf(tenant)).toEqual(expected)
    await sendEach(tenant, [view('/4', { $os: 'iOS' })])
    expect(await propertiesOf(tenant)).toEqual({
      ...expected,
      $current_url: '/4',
      $os: 'iOS',
      $initial_os: 'iOS',
    })
  })

  it('gets the page with a change by $set, and not when $set changes nothing', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      view('/1'),
      view('/2', { $set: { plan: 'free' } }),
      view('/3', { $set: { plan: 'free' } }),
    ])
    expect(await propertiesOf(tenant)).toEqual({ ...FIRST_VIEW, $current_url: '/2', plan: 'free' })
  })

  it.for(['$set', '$identify', '$create_alias', '$merge_dangerously'])(
    'gets any new value of a %s event',
    async (name) => {
      const tenant = await createTenant()
      await sendEach(tenant, [view('/1'), event('ada', { $current_url: '/2', alias: 'other' }, name)])
      expect(await propertiesOf(tenant)).toEqual({ ...FIRST_VIEW, $current_url: '/2' })
    },
  )

  it('keeps the first values of anonymous views after $identify', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      view('/1', { $referrer: 'https://search.test/' }, 'anon'),
      identify('ada', 'anon', { $current_url: '/signup', $referrer: '$direct', $set: { plan: 'free' } }),
    ])
    expect(await peopleOf(tenant)).toEqual([
      {
        distinctIds: ['ada', 'anon'],
        properties: {
          ...FIRST_VIEW,
          $current_url: '/signup',
          $referrer: '$direct',
          $initial_referrer: 'https://search.test/',
          plan: 'free',
        },
      },
    ])
  })

  it('agrees with first values that the client sends', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      view('/2', { $set_once: { $initial_current_url: '/landing', $initial_referrer: '$direct' } }),
    ])
    expect(await propertiesOf(tenant)).toEqual({
      ...FIRST_VIEW,
      $current_url: '/2',
      $initial_current_url: '/landing',
      $initial_referrer: '$direct',
    })
  })

  it('gets nothing from an event without a person profile', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [view('/1', { $process_person_profile: false }, 'anon')])
    expect(await peopleOf(tenant)).toEqual([])
  })

  it.for(['$exception', '$$heatmap'])('is neither changed nor created by %s', async (name) => {
    const tenant = await createTenant()
    const changes = {
      $current_url: '/2',
      $set: { plan: 'paid' },
      $set_once: { since: 2026 },
      $unset: ['$browser'],
    }
    await sendEach(tenant, [
      view('/1', { $set: { plan: 'free' } }),
      event('ada', changes, name),
      { ...event('ada', {}, name), $set: { plan: 'paid' } },
      event('grace', changes, name),
    ])
    expect(await peopleOf(tenant)).toEqual([
      { distinctIds: ['ada'], properties: { ...FIRST_VIEW, plan: 'free' } },
    ])
    // History is read from events that set properties.
    expect((await eventsOf(tenant, name)).map(({ setsProperties }) => setsProperties)).toEqual([
      false,
      false,
      false,
    ])
  })

  it('gets the properties of $groupidentify, and the group does not', async () => {
    const tenant = await createTenant()
    const about = groupIdentify('company', 'acme', { plan: 'paid' })
    await sendEach(tenant, [
      { ...about, properties: { ...(about.properties as object), $browser: 'Chrome' } },
    ])
    expect(await propertiesOf(tenant)).toEqual({ $browser: 'Chrome', $initial_browser: 'Chrome' })
  })

  it('gets the same from a batch as from its events one by one', async () => {
    const events = [
      view('/1'),
      view('/2'),
      view('/3', { $set: { plan: 'free' } }),
      view('/4', { $browser: 'Firefox' }),
      identify('ada', 'anon', { $os_name: 'iOS' }),
      view('/5', { utm_source: 'ad' }, 'anon'),
    ]
    const [one, other] = [await createTenant(), await createTenant()]
    await sendEach(one, events)
    await sendBatch(other, events)
    expect(await peopleOf(one)).toEqual(await peopleOf(other))
    expect(await propertiesOf(one)).toEqual({
      ...FIRST_VIEW,
      $current_url: '/5',
      plan: 'free',
      $os: 'iOS',
      $initial_os: 'iOS',
      utm_source: 'ad',
      $initial_utm_source: 'ad',
    })
  })

  it('keeps a later value when the event that gave the earlier one is repeated', async () => {
    const tenant = await createTenant()
    const first = timed(tenant, view('/1', { $app_version: '1' }))
    await sendEach(tenant, [first, view('/2', { $app_version: '2' }), first])
    expect(await propertiesOf(tenant)).toMatchObject({ $app_version: '2', $current_url: '/2' })
    expect(await eventsOf(tenant)).toHaveLength(2)
  })

  it('gets what $set changes when the properties of the event do not fit, and that is reported', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { blob: 'x'.repeat(499_000) } })])
    const { body } = await sendBatch(tenant, [view('x'.repeat(2_000), { $set: { plan: 'free' } })])
    expect(body.errors).toEqual([
      {
        index: 0,
        detail:
          "A person's properties may not take more than 500000 bytes; those of the event are not copied.",
        attr: 'properties',
      },
    ])
    expect(Object.keys((await propertiesOf(tenant))!)).toEqual(['blob', 'plan'])
  })

  it('gets nothing from an event that would be too large with the values twice', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [view('x'.repeat(300_000))])
    expect(body.errors).toEqual([
      {
        index: 0,
        detail:
          'With the properties for its person, the event takes more than 800000 bytes; they are not copied.',
        attr: 'properties',
      },
    ])
    expect(await propertiesOf(tenant)).toEqual({})
  })
})

describe('an event', () => {
  it('is stored with the changes of its person, if there are any', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [view('/1', { $set: { plan: 'free' } }), view('/2')])
    expect(
      (await eventsOf(tenant)).map(({ properties, setsProperties }) => [properties, setsProperties]),
    ).toEqual([
      [
        {
          $current_url: '/1',
          $browser: 'Chrome',
          $set: { $current_url: '/1', $browser: 'Chrome', plan: 'free' },
          $set_once: { $initial_current_url: '/1', $initial_browser: 'Chrome' },
        },
        true,
      ],
      [{ $current_url: '/2', $browser: 'Chrome' }, false],
    ])
  })

  it('is stored the same when it is repeated after its row was lost', async () => {
    const tenant = await createTenant()
    const sent = [
      timed(tenant, view('/1', { $set: { plan: 'free' } })),
      // This event is remembered because of its $set, which changes nothing, so that the page is not copied.
      timed(tenant, view('/2', { $set: { plan: 'free' } })),
      timed(tenant, view('/3', { $app_version: '1' })),
    ]
    await sendEach(tenant, sent)
    const stored = await eventsOf(tenant)
    expect(stored.map(({ properties }) => properties.$set)).toEqual([
      { $current_url: '/1', $browser: 'Chrome', plan: 'free' },
      { plan: 'free' },
      { $current_url: '/3', $browser: 'Chrome', $app_version: '1' },
    ])
    await env.EVENTS.prepare('DELETE FROM events WHERE project_id = ?').bind(tenant.projectId).run()
    await sendEach(tenant, sent)
    expect(await eventsOf(tenant)).toEqual(stored)
  })

  it('has no empty changes', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { gclid: null })])
    expect((await eventsOf(tenant)).map(({ properties }) => properties)).toEqual([
      { gclid: null, $set: { gclid: null } },
    ])
  })
})
