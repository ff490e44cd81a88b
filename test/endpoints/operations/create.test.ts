// What an endpoint is once it is created, with and without each field; what is rejected is in create-rejections.test.ts.
import { describe, expect, it } from 'vitest'
import { COMPILER_VERSION } from '../../../src/endpoints/compile/compiled-version'
import { seen } from '../../support/responses'
import { activitiesOf, hogql, shownHogql, storedVersion, summaryOf } from '../../support/endpoints/endpoints'
import { createTenant } from '../../support/tenant'

const COUNT = hogql('SELECT count() FROM events')

describe('POST endpoints', () => {
  it('accepts a key in the body', async () => {
    const tenant = await createTenant()
    const query = hogql('SELECT 1')
    const body = { personal_api_key: tenant.key, name: 'keyed', query }
    const { status, body: made } = await tenant.send('POST', tenant.endpoints(), { body })
    expect([status, made.name]).toEqual([201, 'keyed'])
    const changed = { personal_api_key: tenant.key, description: 'New.' }
    expect(await tenant.send('PATCH', tenant.endpoints('keyed'), { body: changed })).toMatchObject({
      status: 200,
      body: { description: 'New.' },
    })
  })

  it('requires a name and a query', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.endpoints(), { name: 'top-events', query: COUNT })
    const path = `/api/projects/${tenant.projectId}/endpoints/top-events/run`
    expect(seen(response)).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'top-events',
        description: '',
        query: shownHogql('SELECT count() FROM events'),
        is_active: true,
        data_freshness_seconds: 86_400,
        endpoint_path: path,
        url: `https://halyard.test${path}`,
        ui_url: `https://halyard.test/project/${tenant.projectId}/endpoints/top-events`,
        created_at: '2026-03-10T12:00:00Z',
        updated_at: '2026-03-10T12:00:00Z',
        created_by: summaryOf(tenant),
        is_materialized: false,
        current_version: 1,
        current_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        versions_count: 1,
        derived_from_insight: null,
        last_executed_at: null,
        materialization: {
          name: 'top-events',
          enabled: false,
          ready: false,
          hibernated: false,
          can_materialize: true,
          reason: null,
        },
        bucket_overrides: null,
        columns: [{ name: 'count()', type: 'integer' }],
        tags: [],
        optional_breakdown_properties: [],
      },
    })
    expect(Object.keys(response.body.query)).toEqual(Object.keys(shownHogql('')))
    expect((await tenant.get(tenant.endpoints('top-events'))).body).toEqual(response.body)
  })

  it('stores every field', async () => {
    const tenant = await createTenant()
    const sent = {
      name: 'weekly_Signups-2',
      description: 'Signups, by week.',
      data_freshness_seconds: 900,
      is_active: false,
      derived_from_insight: 'aBcD1234',
      bucket_overrides: { timestamp: 'hour' },
      tags: [' Growth', 'growth', 'Board', '', '🙂'.repeat(255)],
    }
    expect(await tenant.endpoint({ ...sent, query: COUNT })).toMatchObject({
      ...sent,
      tags: ['board', 'growth', '🙂'.repeat(255)],
    })
  })

  it('accepts null for left-out fields, and ignores the number of a version', async () => {
    const tenant = await createTenant()
    const nothing = {
      description: null,
      data_freshness_seconds: null,
      is_active: null,
      is_materialized: null,
      derived_from_insight: null,
      bucket_overrides: null,
      tags: null,
      optional_breakdown_properties: null,
      version: 7,
      deleted: null,
    }
    expect(await tenant.endpoint({ ...nothing, query: COUNT })).toMatchObject({
      description: '',
      data_freshness_seconds: 86_400,
      is_active: true,
      is_materialized: false,
      derived_from_insight: null,
      bucket_overrides: null,
      tags: [],
      optional_breakdown_properties: [],
      current_version: 1,
    })
  })

  it('records the creator in the activity log', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.endpoint({ name: 'made' })
    expect(await activitiesOf(tenant, id)).toEqual([
      { scope: 'Endpoint', activity: 'created', name: 'made', changes: [] },
    ])
    expect((await tenant.get(tenant.flags('activity'))).body.results).toEqual([])
  })

  it('stores the compiled query', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.endpoint({ query: COUNT })
    expect(await storedVersion(id, 1)).toMatchObject({
      compiled: {
        compiler: COMPILER_VERSION,
        timezone: 'UTC',
        properties: [],
        variables: [],
        queries: { sqlite: {} },
      },
    })
  })

  it('takes names of one to 128 letters, digits, hyphens and underscores', async () => {
    const tenant = await createTenant()
    for (const name of ['a', 'A', 'a-b_C9', `a${'b'.repeat(127)}`]) {
      expect(await tenant.endpoint({ name })).toMatchObject({ name })
      expect((await tenant.get(tenant.endpoints(name))).status).toBe(200)
    }
  })

  it('accepts one of several concurrent requests for a name', async () => {
    const tenant = await createTenant()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => tenant.post(tenant.endpoints(), { name: 'wanted', query: COUNT })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(400)])
  })
})
