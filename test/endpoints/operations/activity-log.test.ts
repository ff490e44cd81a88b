// The changes of saved queries, as the operation lists them.
import { describe, expect, it } from 'vitest'
import { joinOrganization } from '../../support/database/account-rows'
import { hogql } from '../../support/endpoints/endpoints'
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

/** Another member of the organization, who has a key. */
async function colleagueOf(tenant: Tenant): Promise<Tenant> {
  const colleague = await createTenant({ harness: tenant })
  await joinOrganization(colleague, tenant.organizationId)
  return colleague
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
      was_impersonated: false,
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

  it('lists the changes of one user and of a range of time, all pages of them', async () => {
    const tenant = await createTenant()
    const colleague = await colleagueOf(tenant)
    const changes: [Tenant, string][] = [
      [tenant, 'one'],
      [colleague, 'two'],
      [tenant, 'three'],
      [colleague, 'four'],
      [tenant, 'five'],
    ]
    for (const [who, name] of changes) {
      expect((await who.post(tenant.endpoints(), { name, query: hogql('SELECT 1') })).status).toBe(201)
      tenant.clock.advance({ seconds: 60 })
    }
    const at = (minute: number) => `2026-03-10T12:0${minute}:00Z`
    const list = async (query: string) => {
      const { results, ...page } = await entriesOf(tenant, `?scope=Endpoint&${query}`)
      return [results.map(({ detail }: { detail: { name: string } }) => detail.name), page]
    }
    const all = (count: number) => ({ next: null, previous: null, total_count: count })
    const { id, uuid, email } = colleague.user
    for (const user of [id, uuid, email, email.toUpperCase()])
      expect(await list(`user=${user}`)).toEqual([['four', 'two'], all(2)])
    expect(await list(`user=${tenant.user.uuid}&start_date=${at(2)}`)).toEqual([['five', 'three'], all(2)])
    expect(await list(`start_date=${at(1)}&end_date=${at(3)}`)).toEqual([['four', 'three', 'two'], all(3)])
    expect(await list(`end_date=${at(0)}`)).toEqual([['one'], all(1)])
    expect(await list('start_date=2026-03-10&end_date=2026-03-10')).toEqual([
      ['five', 'four', 'three', 'two', 'one'],
      all(5),
    ])
    for (const user of ['system', 'nobody@example.com', '0', '019d4d6b-dbea-7391-a1d5-3f60c8be2d17'])
      expect(await list(`user=${user}`)).toEqual([[], all(0)])
    const [first, { next, total_count: total }] = await list(`start_date=${at(1)}&limit=3`)
    expect([first, total]).toEqual([['five', 'four', 'three'], 4])
    const { body } = await tenant.get(next.slice(new URL(next).origin.length))
    expect(body).toMatchObject({ results: [{ detail: { name: 'two' } }], next: null, total_count: 4 })
  })

  it('lists the changes of one item by one user', async () => {
    const tenant = await createTenant()
    const colleague = await colleagueOf(tenant)
    const { id } = await tenant.endpoint({ name: 'numbers' })
    await tenant.endpoint({ name: 'others' })
    expect((await colleague.patch(tenant.endpoints('numbers'), { tags: ['a'] })).status).toBe(200)
    const of = (user: string) =>
      changesOf(tenant, `?scope=Endpoint&item_id=${id}&user=${user}&start_date=2026-03-10`)
    expect(await of(tenant.user.uuid)).toEqual([['created']])
    expect(await of(colleague.user.uuid)).toEqual([['updated', ['Endpoint', 'created', 'tags', null, ['a']]]])
  })

  it.each([
    [
      '?scope=Endpoint&user=ada',
      'user',
      'Must be the id, uuid or email address of a user, or "system".',
      'invalid_input',
    ],
    [
      '?scope=Endpoint&start_date=yesterday',
      'start_date',
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
      'invalid_input',
    ],
    [
      '?scope=Endpoint&start_date=2026-03-10&end_date=2026-03-09',
      'end_date',
      'Must not be before start_date.',
      'invalid_input',
    ],
    [
      '?scope=Endpoint&start_date=2026-03-10&page=101&limit=100',
      'page',
      'A filtered list has at most 10000 entries. Set end_date to list older ones.',
      'invalid_input',
    ],
    [
      '?scope=FeatureFlag&item_id=checkout',
      'item_id',
      'The id of a flag is a number, and not its key.',
      'invalid_input',
    ],
    ['', 'scope', 'This field is required.', 'required'],
    [
      '?scope=Endpoints',
      'scope',
      '"Endpoints" is not a valid choice. Did you mean Endpoint? Valid choices: Endpoint, EndpointVersion, DataWarehouseSavedQuery, FeatureFlag, Cohort, Person, Dashboard, EventDefinition, PropertyDefinition, ApprovalPolicy, ChangeRequest, ScheduledChange, Webhook, Action, Project, InsightVariable, Organization, OrganizationMembership.',
      'invalid_choice',
    ],
    ['?scope=Endpoint&page=0', 'page', 'Ensure this value is greater than or equal to 1.', 'min_value'],
  ])('rejects %j', async (query, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(pathOf(tenant, query)))).toEqual(refused(attr, detail, code))
  })
})
