// Two deletions of one thing at the same time: one deletes it, the other finds nothing, and the log has one entry.
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { activityLog } from '../../drizzle'
import { localSession } from '../account/sso/support'
import { policies, policy } from '../flags/approvals/support'
import { createTenant, database, type Tenant } from '../support/tenant'

const inProject = async (tenant: Tenant, area: string, body: object, name: 'id' | 'name' = 'id') => {
  const path = `/api/projects/${tenant.projectId}/${area}/`
  const created = await tenant.post(path, body)
  expect(created.status).toBe(201)
  return `${path}${created.body[name]}/`
}

const THINGS: [string, (tenant: Tenant) => Promise<string>][] = [
  ['an approval policy', async (tenant) => policies(tenant, (await policy(tenant, [tenant])).id)],
  [
    'a scheduled change',
    async (tenant) =>
      inProject(tenant, 'scheduled_changes', {
        record_id: String((await tenant.flag()).id),
        model_name: 'FeatureFlag',
        payload: { operation: 'update_status', value: false },
        scheduled_at: '2099-04-03T07:00:00Z',
      }),
  ],
  [
    'a webhook',
    (tenant) => inProject(tenant, 'webhooks', { url: 'https://hooks.example.com/halyard', events: ['*'] }),
  ],
  ['a variable', (tenant) => inProject(tenant, 'insight_variables', { name: 'Country', type: 'String' })],
  [
    'a saved query',
    (tenant) =>
      inProject(
        tenant,
        'endpoints',
        { name: 'count_events', query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } },
        'name',
      ),
  ],
]

const deletions = async () =>
  (await database().select().from(activityLog).where(eq(activityLog.activity, 'deleted'))).length

it.each(THINGS)('delete %s once', async (_name, create) => {
  const tenant = await createTenant({ level: 8 })
  const path = await create(tenant)
  const before = await deletions()
  const responses = await Promise.all([tenant.delete(path), tenant.delete(path)])
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 404])
  expect(await deletions()).toBe(before + 1)
})

it('remove the settings of single sign-on once', async () => {
  const tenant = await createTenant({ level: 8 })
  const session = await localSession(tenant)
  const path = `/api/organizations/${tenant.organizationId}/sso/`
  const body = {
    issuer: 'https://accounts.example.net',
    client_id: 'client',
    client_secret: 'a secret',
    domains: ['example.net'],
  }
  expect((await session.send('PUT', path, body)).status).toBe(200)
  const entries = async () =>
    (await database().select().from(activityLog).where(eq(activityLog.organizationId, tenant.organizationId)))
      .length
  const before = await entries()
  const responses = await Promise.all([session.send('DELETE', path), session.send('DELETE', path)])
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 404])
  expect(await entries()).toBe(before + 1)
})
