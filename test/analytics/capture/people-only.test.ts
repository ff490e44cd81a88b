// Events that only change persons and groups, and those that change none, as an import sends them.
import { describe, expect, it } from 'vitest'
import {
  event,
  eventsOf,
  groupIdentify,
  groupsOf,
  identify,
  mergeDangerously,
  peopleOf,
  sendBatch,
} from '../../support/capture'
import { createHarness } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'

const quietly = (sent: Record<string, unknown>) => ({ ...sent, people_only: true, uuid: crypto.randomUUID() })

const valueOf = async (tenant: Tenant, query: string) =>
  (await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query: { kind: 'HogQLQuery', query } }))
    .body.results[0][0]

const namesOf = async (tenant: Tenant) =>
  (await tenant.get(`/api/projects/${tenant.projectId}/event_definitions/`)).body.results.map(
    ({ name }: { name: string }) => name,
  )

describe('events that only change persons and groups', () => {
  it('change them, are counted by no query, and create no person for a group', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [event('ada')])
    const batch = [
      quietly(event('ada', { $set: { plan: 'paid' } }, '$set')),
      quietly(mergeDangerously('ada', 'visitor')),
      quietly(groupIdentify('company', 'acme', { size: 3 }, 'halyard-import')),
      quietly(event('grace', { $set_once: { plan: 'free', bio: 'x'.repeat(100_000) } }, '$set')),
    ]
    expect((await sendBatch(tenant, batch)).body).toEqual({ status: 'Ok' })
    // Sent again, they change nothing.
    await sendBatch(tenant, batch)
    expect(await peopleOf(tenant)).toMatchObject([
      { distinctIds: ['ada', 'visitor'], properties: { plan: 'paid' } },
      { distinctIds: ['grace'], properties: { plan: 'free' } },
    ])
    expect((await groupsOf(tenant)).groups).toMatchObject([{ key: 'acme', properties: { size: 3 } }])
    expect((await eventsOf(tenant)).map((each) => each.event)).toEqual(['opened'])
    expect(await valueOf(tenant, 'select count() from events')).toBe(1)
    expect(await valueOf(tenant, 'select count() from persons')).toBe(2)
    expect(await valueOf(tenant, 'select count() from groups')).toBe(1)
    expect(await namesOf(tenant)).toEqual(['opened'])
  })

  it('are waited for until the change itself is stored', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [event('ada')])
    const INGESTION = { sendBatch: async () => undefined } as unknown as Env['INGESTION']
    const wait = async (bindings: Partial<Env>, plan: string) => {
      const via = createHarness({ clock: tenant.clock, bindings })
      const batch = [quietly(event('ada', { $set: { plan } }, '$set'))]
      const body = { api_key: tenant.projectToken, batch }
      const { headers } = await via.send('POST', '/batch/', { body, headers: { Prefer: 'wait=1' } })
      return headers.get('Preference-Applied')
    }
    expect(await wait({ CAPTURE_STORES: 'on' }, 'free')).toBe('wait=1')
    expect(await wait({ INGESTION }, 'paid')).toBe(null)
  })
})

describe('events that change no persons and groups', () => {
  const onlyStored = (sent: Record<string, unknown>) => ({ ...sent, event_only: true })

  it('are stored and counted as they are, also those of a person', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [event('ada', { $set: { plan: 'free' } })])
    const batch = [
      event('ada', { $set: { plan: 'paid' }, $set_once: { first: 1 }, $unset: ['plan'], $browser: 'Chrome' }),
      identify('ada', 'visitor', { $set: { age: 3 } }),
      mergeDangerously('grace', 'bob'),
      groupIdentify('company', 'acme', { size: 3 }),
    ].map(onlyStored)
    expect((await sendBatch(tenant, batch)).body).toEqual({ status: 'Ok' })
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada'], properties: { plan: 'free' } }])
    expect(await groupsOf(tenant)).toEqual({ types: ['company'], groups: [] })
    expect((await eventsOf(tenant)).slice(1)).toMatchObject(
      batch.map((sent) => ({
        event: (sent as { event?: string }).event,
        distinctId: (sent as { distinct_id?: string }).distinct_id,
        properties: (sent as { properties?: object }).properties,
      })),
    )
  })

  it('are not those that only change them', async () => {
    const tenant = await createTenant()
    const both = onlyStored(quietly(event('ada', { $set: { plan: 'paid' } }, '$set')))
    expect((await sendBatch(tenant, [both])).body).toEqual({
      status: 'Ok',
      errors: [{ index: 0, detail: 'The event has `people_only`, so this is ignored.', attr: 'event_only' }],
    })
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada'], properties: { plan: 'paid' } }])
    expect(await eventsOf(tenant)).toEqual([])
  })
})
