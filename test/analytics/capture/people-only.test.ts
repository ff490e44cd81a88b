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
})
