// Updates that make a version, or that name one.
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { activitiesOf, countVersions, hogql, shownHogql, trends } from '../../support/endpoints/endpoints'
import { createTenant } from '../../support/tenant'

const ONE = hogql('SELECT 1 AS one')

const TWO = hogql('SELECT 2 AS two')

async function tenantWithEndpoint(body: Record<string, unknown> = {}) {
  const tenant = await createTenant()
  const made = await tenant.endpoint({ name: 'numbers', query: ONE, ...body })
  const path = tenant.endpoints('numbers')
  return {
    tenant,
    made,
    path,
    update: async (changes: unknown) => seen(await tenant.patch(path, changes)),
    read: async () => (await tenant.get(path)).body,
    activities: () => activitiesOf(tenant, made.id),
  }
}

describe('another query', () => {
  it('makes a version, which has what the one before it had', async () => {
    const { tenant, made, update, activities } = await tenantWithEndpoint({
      description: 'Numbers.',
      data_freshness_seconds: 900,
      tags: ['a'],
    })
    tenant.clock.advance({ hours: 1 })
    const response = await update({ query: TWO })
    expect(response).toEqual({
      status: 200,
      body: {
        ...made,
        query: shownHogql('SELECT 2 AS two'),
        columns: [{ name: 'two', type: 'integer' }],
        updated_at: '2026-03-10T13:00:00Z',
        current_version: 2,
        current_version_id: expect.not.stringContaining(made.current_version_id),
        versions_count: 2,
      },
    })
    expect(await activities()).toEqual([
      { scope: 'Endpoint', activity: 'created', name: 'numbers', changes: [] },
      {
        scope: 'Endpoint',
        activity: 'version_created',
        name: 'numbers',
        context: { version: 2 },
        changes: [
          {
            type: 'EndpointVersion',
            action: 'changed',
            field: 'query',
            before: shownHogql('SELECT 1 AS one'),
            after: shownHogql('SELECT 2 AS two'),
          },
        ],
      },
    ])
  })

  it('leaves the version before it as it was', async () => {
    const { tenant, path, update } = await tenantWithEndpoint({ description: 'Old.' })
    const { body: before } = await tenant.get(`${path}?version=1`)
    await update({ query: TWO, description: 'New.', data_freshness_seconds: 900 })
    expect((await tenant.get(`${path}?version=1`)).body).toEqual({
      ...before,
      current_version: 2,
      versions_count: 2,
    })
    expect((await tenant.get(path)).body).toMatchObject({
      description: 'New.',
      data_freshness_seconds: 900,
    })
  })

  it('is not made for the same query, however its keys are ordered or left out', async () => {
    const { made, update } = await tenantWithEndpoint()
    for (const query of [
      ONE,
      { query: ONE.query, kind: 'HogQLQuery' },
      shownHogql(ONE.query),
      { ...ONE, response: { results: [[1]] } },
      { ...ONE, variables: { x: { variableId: 'x', code_name: 'unused' } } },
    ]) {
      expect(await update({ query })).toMatchObject({ status: 200, body: { current_version: 1 } })
    }
    expect(await countVersions(made.id)).toBe(1)
  })

  it('is made when anything in the query differs', async () => {
    const { made, update } = await tenantWithEndpoint()
    for (const query of [{ ...ONE, name: 'x' }, hogql('SELECT 1 AS ONE'), ONE]) {
      expect(await update({ query })).toMatchObject({ status: 200 })
    }
    expect(await countVersions(made.id)).toBe(4)
  })

  it('is not made when only other fields differ', async () => {
    const { made, update } = await tenantWithEndpoint()
    await update({ query: ONE, description: 'x', tags: ['x'], is_active: false, data_freshness_seconds: 900 })
    expect(await countVersions(made.id)).toBe(1)
  })

  it('keeps optional breakdowns that it still has', async () => {
    const broken = (...names: string[]) =>
      trends({ breakdownFilter: { breakdowns: names.map((property) => ({ property })) } })
    const { update } = await tenantWithEndpoint({
      query: broken('a', 'b'),
      optional_breakdown_properties: ['a', 'b'],
    })
    expect(await update({ query: broken('b', 'c') })).toMatchObject({
      body: { optional_breakdown_properties: ['b'] },
    })
    expect(await update({ query: broken('c', 'd'), optional_breakdown_properties: ['d'] })).toMatchObject({
      body: { optional_breakdown_properties: ['d'] },
    })
    expect(await update({ query: ONE })).toMatchObject({ body: { optional_breakdown_properties: [] } })
  })

  it('may be of another kind', async () => {
    const { update } = await tenantWithEndpoint()
    expect(await update({ query: trends() })).toMatchObject({
      status: 200,
      body: { current_version: 2, query: { kind: 'TrendsQuery' } },
    })
  })
})

describe('an update of a named version', () => {
  async function twoVersions() {
    const arranged = await tenantWithEndpoint()
    await arranged.update({ query: TWO })
    return arranged
  }

  it('is named by the body or by the query, of which the body counts', async () => {
    const { tenant, path, read } = await twoVersions()
    const before = await read()
    const { body: first } = await tenant.get(`${path}?version=1`)
    const ways: [search: string, body: Record<string, unknown>][] = [
      ['', { version: 1 }],
      ['', { version: '1' }],
      ['?version=1', {}],
      ['?version=2', { version: 1 }],
    ]
    for (const [index, [search, body]] of ways.entries()) {
      const changes = { description: `First, way ${index}.`, is_active: index % 2 === 1 }
      expect(seen(await tenant.patch(path + search, { ...body, ...changes }))).toEqual({
        status: 200,
        body: {
          ...first,
          ...changes,
          endpoint_is_active: true,
          version_updated_at: '2026-03-10T12:00:00Z',
        },
      })
      expect(await read()).toEqual(before)
    }
  })

  it('is logged with its number', async () => {
    const { tenant, made, path } = await twoVersions()
    await tenant.patch(`${path}?version=1`, { is_active: false })
    expect((await activitiesOf(tenant, made.id)).at(-1)).toEqual({
      scope: 'EndpointVersion',
      activity: 'version_updated',
      name: 'numbers',
      context: { version: 1 },
      changes: [
        { type: 'EndpointVersion', action: 'changed', field: 'is_active', before: true, after: false },
      ],
    })
  })

  it('changes tags, which belong to the endpoint', async () => {
    const { update, read } = await twoVersions()
    expect(await update({ version: 1, tags: ['x'] })).toMatchObject({ body: { tags: ['x'], version: 1 } })
    expect(await read()).toMatchObject({ tags: ['x'] })
  })

  it('cannot change the query', async () => {
    const { update } = await twoVersions()
    expect(await update({ version: 2, query: ONE })).toEqual(
      refused(
        'query',
        'Cannot change query when targeting a specific version. Query changes create a new version.',
      ),
    )
  })

  // version-number.test.ts has the other spellings.
  it('is rejected for a version that does not exist, or is not a number', async () => {
    const { tenant, path, update } = await twoVersions()
    for (const version of [3, 0, -1]) {
      expect(await update({ version, description: 'x' })).toEqual(
        refused('version', `Version ${version} not found for this endpoint.`),
      )
    }
    expect(await update({ version: [1] })).toEqual(refused('version', 'Must be an integer, got: [1]'))
    expect(seen(await tenant.patch(`${path}?version=abc`, {}))).toEqual(
      refused('version', 'Must be an integer, got: abc'),
    )
  })

  it('starts an active version, also after an inactive one', async () => {
    const { tenant, path, update } = await twoVersions()
    await update({ version: 2, is_active: false })
    await update({ query: hogql('SELECT 3') })
    expect((await tenant.get(`${path}?version=3`)).body.is_active).toBe(true)
    expect((await tenant.get(`${path}?version=2`)).body.is_active).toBe(false)
  })
})
