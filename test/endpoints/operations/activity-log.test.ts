// The changes of saved queries, as the operation lists them.
import { describe, expect, it } from 'vitest'
import { hogql } from '../../support/endpoints'
import { refused, seen } from '../../support/responses'
import { createTenant, type Tenant } from '../../support/tenant'

const pathOf = ({ projectId }: Tenant, query: string) => `/api/projects/${projectId}/activity_log/${query}`

async function entriesOf(tenant: Tenant, query: string) {
  const { status, body } = await tenant.get(pathOf(tenant, query))
  expect([status, Object.keys(body)]).toEqual([200, ['results', 'next', 'previous', 'total_count']])
  return body
}

/** Each entry without ids. */
async function changesOf(tenant: Tenant, query: string) {
  const { results } = await entriesOf(tenant, query)
  return (
    results as { activity: string; detail: { changes: Record<string, unknown>[]; context?: object } }[]
  ).map(({ activity, detail: { changes, context } }) => [
    activity,
    ...(context ? [context] : []),
    ...changes.map(({ type, action, field, before, after }) => [type, action, field, before, after]),
  ])
}

describe('GET activity_log', () => {
  it('lists every change of a saved query: fields, tags, versions, activation, materialization, deletion', async () => {
    const tenant = await createTenant()
    const { id, query } = await tenant.endpoint({ name: 'numbers', query: hogql('SELECT 1 AS a') })
    const path = tenant.endpoints('numbers')
    const update = async (body: object) => {
      tenant.clock.advance({ seconds: 1 })
      const { status, body: record } = await tenant.patch(path, body)
      expect(status).toBe(200)
      return record
    }
    await update({ tags: ['a', 'b'] })
    await update({ description: 'Numbers', data_freshness_seconds: 3600 })
    const { query: next } = await update({ query: hogql('SELECT 2 AS a'), description: 'Other numbers' })
    const { materialization } = await update({ is_materialized: true })
    await update({ is_materialized: false })
    await update({ version: 1, is_active: false })
    await update({ is_active: false })
    await update({ deleted: true })
    expect(await changesOf(tenant, `?scope=Endpoint&item_id=${id}`)).toEqual([
      ['deleted'],
      ['updated', ['Endpoint', 'changed', 'is_active', true, false]],
      [
        'version_created',
        { version: 2 },
        ['EndpointVersion', 'changed', 'query', query, next],
        ['EndpointVersion', 'changed', 'description', 'Numbers', 'Other numbers'],
      ],
      ['updated', ['Endpoint', 'created', 'tags', null, ['a', 'b']]],
      ['created'],
    ])
    expect(await changesOf(tenant, `?scope=EndpointVersion&item_id=${id}`)).toEqual([
      ['version_updated', { version: 1 }, ['EndpointVersion', 'changed', 'is_active', true, false]],
      [
        'version_updated',
        { version: 1 },
        ['EndpointVersion', 'created', 'description', null, 'Numbers'],
        ['EndpointVersion', 'changed', 'data_freshness_seconds', 86_400, 3600],
      ],
    ])
    expect(
      await changesOf(tenant, `?scope=DataWarehouseSavedQuery&item_id=${materialization.saved_query_id}`),
    ).toEqual([
      ['materialization_disabled', { version: 2 }],
      ['materialization_enabled', { version: 2 }],
    ])
  })

  it('shows whole entries, page by page, of this project only', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const ids: string[] = []
    for (const name of ['one', 'two', 'three']) ids.push((await tenant.endpoint({ name })).id)
    await other.endpoint({ name: 'theirs' })
    const { origin } = new URL((await tenant.get(tenant.endpoints('one'))).body.url)
    const entry = (index: number, name: string) => ({
      id: expect.any(String),
      user: { first_name: 'Ada', email: tenant.user.email },
      activity: 'created',
      scope: 'Endpoint',
      item_id: ids[index],
      detail: {
        id: expect.any(String),
        changes: [],
        trigger: null,
        type: null,
        name,
        short_id: null,
        merge: null,
      },
      created_at: '2026-03-10T12:00:00Z',
    })
    expect(await entriesOf(tenant, '?scope=Endpoint&limit=2')).toEqual({
      results: [entry(2, 'three'), entry(1, 'two')],
      next: `${origin}${pathOf(tenant, '?scope=Endpoint&limit=2&page=2')}`,
      previous: null,
      total_count: 3,
    })
    expect(await entriesOf(tenant, '?scope=Endpoint&limit=2&page=2')).toEqual({
      results: [entry(0, 'one')],
      next: null,
      previous: `${origin}${pathOf(tenant, '?scope=Endpoint&limit=2&page=1')}`,
      total_count: 3,
    })
    expect(await entriesOf(tenant, `?scope=Endpoint&item_id=${ids[0]}`)).toMatchObject({ total_count: 1 })
    expect(await entriesOf(other, `?scope=Endpoint&item_id=${ids[0]}`)).toMatchObject({ total_count: 0 })
    expect(await entriesOf(tenant, '?scope=FeatureFlag')).toMatchObject({ total_count: 0 })
  })

  it.each([
    ['', 'scope', 'This field is required.', 'required'],
    [
      '?scope=Endpoints',
      'scope',
      '"Endpoints" is not a valid choice. Valid choices: Endpoint, EndpointVersion, DataWarehouseSavedQuery, FeatureFlag, Cohort, Person, Dashboard, EventDefinition, PropertyDefinition.',
      'invalid_choice',
    ],
    [
      '?scope=OrganizationMembership',
      'scope',
      '"OrganizationMembership" is not a valid choice. Valid choices: Endpoint, EndpointVersion, DataWarehouseSavedQuery, FeatureFlag, Cohort, Person, Dashboard, EventDefinition, PropertyDefinition.',
      'invalid_choice',
    ],
    ['?scope=Endpoint&page=0', 'page', 'Ensure this value is greater than or equal to 1.', 'min_value'],
  ])('rejects %j', async (query, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(pathOf(tenant, query)))).toEqual(refused(attr, detail, code))
  })
})
