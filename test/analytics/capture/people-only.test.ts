// Events that only change persons and groups, as an import sends them.
import { describe, expect, it } from 'vitest'
import {
  event,
  eventsOf,
  groupIdentify,
  groupsOf,
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
