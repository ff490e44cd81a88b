// What events make known of people: their properties, and the distinct ids they are known by.
// What makes one person of two is in merges.test.ts.
import { describe, expect, it } from 'vitest'
import { seen } from '../../support/responses'
import {
  event,
  eventsOf,
  groupsOf,
  identify,
  peopleOf,
  personOf,
  sendBatch,
  sendEach,
} from '../../support/capture'
import { createTenant } from '../../support/tenant'

const OK = { status: 200, body: { status: 'Ok' } }

describe('properties of a person', () => {
  it('are set, set once and unset by the properties of events', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      event('ada', { $set: { plan: 'free', seats: 1 }, $set_once: { source: 'ad', plan: 'none' } }),
      event('ada', { $set: { plan: 'paid' }, $set_once: { source: 'mail', since: 2026 } }),
      event('ada', { $unset: ['seats'] }),
    ])
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({ plan: 'paid', source: 'ad', since: 2026 })
  })

  it('are set by the top level of events, which is stored inside their properties', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      { ...event('ada', { page: '/' }), $set: { plan: 'free', a: 1 }, $set_once: { b: 1 } },
      { ...event('ada', { $set: { plan: 'free' } }), $set: { plan: 'paid', a: 2 } },
      { ...event('ada', { $unset: ['a'] }), $unset: { b: true } },
      event('ada'),
    ])
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({ plan: 'paid' })
    expect((await eventsOf(tenant)).map((each) => [each.properties, each.setsProperties])).toEqual([
      [{ page: '/', $set: { plan: 'free', a: 1 }, $set_once: { b: 1 } }, true],
      [{ $set: { plan: 'paid', a: 2 } }, true],
      [{ $unset: ['b', 'a'] }, true],
      [{}, false],
    ])
  })

  it('may have any name and any JSON value', async () => {
    const tenant = await createTenant()
    const properties = JSON.parse(
      '{"__proto__": {"x": 1}, "constructor": null, "a.b\\"c": [1, {"é": "\\u0000"}], "big": 1e21, "": false}',
    )
    await sendEach(tenant, [event('ada', { $set: properties })])
    expect(JSON.stringify((await personOf(tenant, 'ada'))?.properties)).toBe(JSON.stringify(properties))
  })

  it('stay unchanged when they would grow too large, and that is reported', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { a: 'x'.repeat(300_000) } })])
    const response = await sendBatch(tenant, [
      event('ada', { $set: { b: 'x'.repeat(300_000) } }),
      event('ada', { $set: { a: 'small' } }),
      event('ada', { $set: { b: 'x'.repeat(300_000) } }),
    ])
    expect(response.body.errors).toEqual([
      {
        index: 0,
        detail: "A person's properties may not take more than 500000 bytes; they stay as they were.",
        attr: 'properties',
      },
    ])
    expect(Object.keys((await personOf(tenant, 'ada'))!.properties)).toEqual(['a', 'b'])
  })

  it('are not changed by events without a person profile', async () => {
    const tenant = await createTenant()
    const impersonal = {
      $process_person_profile: false,
      $set: { plan: 'free' },
      $groups: { company: 'acme' },
    }
    expect(seen(await sendBatch(tenant, [event('ada', impersonal)]))).toEqual(OK)
    expect(await peopleOf(tenant)).toEqual([])
    await sendEach(tenant, [event('ada', { $set: { plan: 'paid' } }), event('ada', impersonal)])
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada'], properties: { plan: 'paid' } }])
    expect((await eventsOf(tenant)).map(({ setsProperties }) => setsProperties)).toEqual([false, true, false])
  })

  it.each(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'])(
    'are not changed by %s without a person profile, which is reported',
    async (name) => {
      const tenant = await createTenant()
      const properties = {
        $process_person_profile: false,
        $anon_distinct_id: 'anon',
        alias: 'anon',
        $group_type: 'company',
        $group_key: 'acme',
      }
      expect((await sendBatch(tenant, [event('ada', properties, name)])).body).toEqual({
        status: 'Ok',
        errors: [
          {
            index: 0,
            detail: 'The event would change persons or groups, so with false it has no effect.',
            attr: 'properties__$process_person_profile',
          },
        ],
      })
      expect(await peopleOf(tenant)).toEqual([])
      expect(await groupsOf(tenant)).toEqual({ types: [], groups: [] })
      expect((await eventsOf(tenant)).map((each) => each.properties)).toEqual([properties])
    },
  )
})

describe('distinct ids', () => {
  it('are stored as text that the database returns', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('a\u0000b', { $set: { a: 1 } }), event('\ud800', { $set: { b: 1 } })])
    await sendEach(tenant, [event('a\u0000b', { $set: { a: 2 } }), event('\ud800', { $set: { b: 2 } })])
    expect((await personOf(tenant, 'a\uFFFDb'))?.properties).toEqual({ a: 2 })
    expect((await personOf(tenant, '\uFFFD'))?.properties).toEqual({ b: 2 })
  })

  it('belong to one project', async () => {
    const [one, other] = [await createTenant(), await createTenant()]
    await sendEach(one, [event('ada', { $set: { plan: 'paid' } })])
    await sendEach(other, [identify('bob', 'ada')])
    expect((await personOf(one, 'ada'))?.distinctIds).toEqual(['ada'])
    expect((await personOf(other, 'ada'))?.properties).toEqual({})
  })
})
