import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/answers'
import { activitiesOf, countVersions, hogql, shownHogql, trends } from '../../support/endpoints'
import { createTenant } from '../../support/tenant'

const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}
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

describe.each(['patch', 'put'] as const)('%s endpoints/:name', (method) => {
  it('changes what it is sent and leaves the rest', async () => {
    const { tenant, made, path, read, activities } = await tenantWithEndpoint()
    tenant.clock.advance({ hours: 1 })
    const changes = {
      description: 'Numbers.',
      data_freshness_seconds: 3600,
      is_active: false,
      bucket_overrides: { timestamp: 'day' },
      tags: ['B', 'a'],
    }
    const answer = await tenant[method](path, changes)
    expect(seen(answer)).toEqual({
      status: 200,
      body: { ...made, ...changes, tags: ['a', 'b'], updated_at: '2026-03-10T13:00:00Z' },
    })
    expect(await read()).toEqual(answer.body)
    expect((await tenant.get(`${path}?version=1`)).body.version_updated_at).toBe('2026-03-10T13:00:00+00:00')
    expect(await activities()).toEqual([
      { scope: 'Endpoint', activity: 'created', name: 'numbers', changes: [] },
      {
        scope: 'Endpoint',
        activity: 'updated',
        name: 'numbers',
        changes: [
          { type: 'Endpoint', action: 'changed', field: 'is_active', before: true, after: false },
          { type: 'Endpoint', action: 'created', field: 'tags', before: null, after: ['a', 'b'] },
        ],
      },
      {
        scope: 'EndpointVersion',
        activity: 'version_updated',
        name: 'numbers',
        context: { version: 1 },
        changes: [
          {
            type: 'EndpointVersion',
            action: 'created',
            field: 'description',
            before: null,
            after: 'Numbers.',
          },
          {
            type: 'EndpointVersion',
            action: 'changed',
            field: 'data_freshness_seconds',
            before: 86_400,
            after: 3600,
          },
          {
            type: 'EndpointVersion',
            action: 'created',
            field: 'bucket_overrides',
            before: null,
            after: { timestamp: 'day' },
          },
        ],
      },
    ])
  })
})

describe('PATCH endpoints/:name', () => {
  it('changes nothing but the time when it is sent nothing', async () => {
    const { tenant, made, update, activities } = await tenantWithEndpoint()
    tenant.clock.advance({ hours: 1 })
    expect(await update({})).toEqual({ status: 200, body: { ...made, updated_at: '2026-03-10T13:00:00Z' } })
    expect(await activities()).toHaveLength(1)
  })

  it('does not rename', async () => {
    const { made, update } = await tenantWithEndpoint()
    expect(await update({ name: 'others' })).toMatchObject({ status: 200, body: { name: made.name } })
    expect(await update({ name: 'not a name', derived_from_insight: 'x' })).toMatchObject({
      status: 200,
      body: { name: made.name, derived_from_insight: null },
    })
  })

  it('takes null for: as it is, the default, or none', async () => {
    const { update } = await tenantWithEndpoint({
      description: 'Numbers.',
      data_freshness_seconds: 900,
      bucket_overrides: { a: 'day' },
      tags: ['a'],
      is_active: false,
    })
    const nulls = {
      query: null,
      description: null,
      tags: null,
      is_active: null,
      is_materialized: null,
      deleted: null,
    }
    const kept = { description: 'Numbers.', tags: ['a'], is_active: false, current_version: 1 }
    expect(await update({ ...nulls, version: null })).toMatchObject({
      body: { ...kept, data_freshness_seconds: 900, bucket_overrides: { a: 'day' } },
    })
    expect(await update({ data_freshness_seconds: null, bucket_overrides: null })).toMatchObject({
      body: { ...kept, data_freshness_seconds: 86_400, bucket_overrides: null },
    })
  })

  it('clears tags by an empty list', async () => {
    const { update } = await tenantWithEndpoint({ tags: ['a', 'b'] })
    expect(await update({ tags: [] })).toMatchObject({ body: { tags: [] } })
  })

  it.each([
    [{ data_freshness_seconds: 1 }, 'data_freshness_seconds', /^Data freshness must be one of:/],
    [{ bucket_overrides: { a: 'year' } }, null, /^Invalid bucket override values:/],
    [
      { is_materialized: true, query: hogql('SELECT 1 AS a, 2 AS a') },
      null,
      /^Cannot materialize endpoint\. Reason: Several columns have the same name/,
    ],
    [
      { is_materialized: true, is_active: false },
      'is_materialized',
      /^Cannot enable materialization on inactive endpoint\.$/,
    ],
    [{ optional_breakdown_properties: ['a'] }, 'optional_breakdown_properties', /^Query kind 'HogQLQuery'/],
    [{ query: hogql('SELECT nobody FROM events') }, 'query', /^Invalid HogQL query: /],
    [{ query: { kind: 'PathsQuery' } }, 'query', /^Query kind 'PathsQuery'/],
  ])('refuses %j, and changes nothing', async (body, attr, detail) => {
    const { made, update, read } = await tenantWithEndpoint()
    expect(await update({ description: 'new', ...body })).toEqual(
      refused(attr, expect.stringMatching(detail) as unknown as string),
    )
    expect(await read()).toEqual(made)
  })

  it('does not materialize an endpoint that does not run', async () => {
    const { update } = await tenantWithEndpoint({ is_active: false })
    expect(await update({ is_materialized: true })).toEqual(
      refused('is_materialized', 'Cannot enable materialization on inactive endpoint.'),
    )
    expect(await update({ is_materialized: false })).toMatchObject({ status: 200 })
  })

  it('cannot read fields that it does not know', async () => {
    const { update } = await tenantWithEndpoint()
    expect(await update({ cache_age_seconds: 60 })).toEqual({
      status: 400,
      body: {
        type: 'invalid_request',
        code: 'parse_error',
        detail: 'JSON parse error - Unknown field: cache_age_seconds',
        attr: null,
      },
    })
  })

  it('finds nothing of another project, and nothing that was deleted', async () => {
    const [{ tenant, path }, other] = [await tenantWithEndpoint(), await createTenant()]
    expect(seen(await other.patch(other.endpoints('numbers'), { description: 'x' }))).toEqual(NOT_FOUND)
    await tenant.delete(path)
    expect(seen(await tenant.patch(path, { description: 'x' }))).toEqual(NOT_FOUND)
    expect(seen(await tenant.patch(path, { deleted: false }))).toEqual(NOT_FOUND)
  })
})

describe('another query', () => {
  it('makes a version, which has what the one before it had', async () => {
    const { tenant, made, update, activities } = await tenantWithEndpoint({
      description: 'Numbers.',
      data_freshness_seconds: 900,
      tags: ['a'],
    })
    tenant.clock.advance({ hours: 1 })
    const answer = await update({ query: TWO })
    expect(answer).toEqual({
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

  it('is none when it is the same, however its keys are ordered or left out', async () => {
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

  it('is one when anything in it differs', async () => {
    const { made, update } = await tenantWithEndpoint()
    for (const query of [{ ...ONE, name: 'x' }, hogql('SELECT 1 AS ONE'), ONE]) {
      expect(await update({ query })).toMatchObject({ status: 200 })
    }
    expect(await countVersions(made.id)).toBe(4)
  })

  it('is none when only other fields differ', async () => {
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

  it.each([
    ['the body', '', { version: 1 }],
    ['the body, as text', '', { version: '1' }],
    ['the query', '?version=1', {}],
    ['both, where the body counts', '?version=2', { version: 1 }],
  ])('is told by %s', async (_, search, body) => {
    const { tenant, path, read } = await twoVersions()
    const before = await read()
    const { body: first } = await tenant.get(`${path}?version=1`)
    const answer = await tenant.patch(path + search, { ...body, description: 'First.', is_active: false })
    expect(seen(answer)).toEqual({
      status: 200,
      body: {
        ...first,
        description: 'First.',
        is_active: false,
        endpoint_is_active: true,
        version_updated_at: '2026-03-10T12:00:00+00:00',
      },
    })
    expect(await read()).toEqual(before)
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
    expect(await update({ version: 1, query: ONE })).toEqual(
      refused(
        'query',
        'Cannot change query when targeting a specific version. Query changes create a new version.',
      ),
    )
  })

  it.each([3, 0, -1])('is refused for version %i', async (version) => {
    const { update } = await twoVersions()
    expect(await update({ version, description: 'x' })).toEqual(
      refused('version', `Version ${version} not found for this endpoint.`),
    )
  })

  it.each([
    ['abc', 'abc'],
    [1.5, '1.5'],
    [[1], '[1]'],
    [true, 'true'],
  ])('is refused for version %j', async (version, shown) => {
    const { update } = await twoVersions()
    expect(await update({ version })).toEqual(refused('version', `Must be an integer, got: ${shown}`))
  })

  it('is refused for a version in the query that is no number', async () => {
    const { tenant, path } = await twoVersions()
    expect(seen(await tenant.patch(`${path}?version=abc`, {}))).toEqual(
      refused('version', 'Must be an integer, got: abc'),
    )
  })

  it('starts a version that runs, whatever the one before it did', async () => {
    const { tenant, path, update } = await twoVersions()
    await update({ version: 2, is_active: false })
    await update({ query: hogql('SELECT 3') })
    expect((await tenant.get(`${path}?version=3`)).body.is_active).toBe(true)
    expect((await tenant.get(`${path}?version=2`)).body.is_active).toBe(false)
  })
})

describe('updates at once', () => {
  it('make one version each, and lose none', async () => {
    const { tenant, made, update } = await tenantWithEndpoint()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update({ query: hogql(`SELECT ${index + 10}`) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
    const numbers = answers.map(({ body }) => body.current_version)
    expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const { body } = await tenant.get(`${tenant.endpoints('numbers/versions')}`)
    for (const { body: answered } of answers) {
      const stored = body.results.find(
        ({ version }: { version: number }) => version === answered.current_version,
      )
      expect(stored.query).toEqual(answered.query)
    }
    const entries = await activitiesOf(tenant, made.id)
    const afters = entries.flatMap(({ changes }) => changes.map(({ after }) => after))
    const befores = entries.flatMap(({ changes }) => changes.map(({ before }) => before))
    // Each was made of the one before it.
    expect(befores.slice(1)).toEqual(afters.slice(0, -1))
  })

  it('of the same query make one version', async () => {
    const { made, update } = await tenantWithEndpoint()
    await Promise.all(Array.from({ length: 6 }, () => update({ query: TWO })))
    expect(await countVersions(made.id)).toBe(2)
  })

  it('of different fields all take effect', async () => {
    const { update, read } = await tenantWithEndpoint()
    const changes = [
      { description: 'x' },
      { data_freshness_seconds: 900 },
      { tags: ['x'] },
      { is_active: false },
      { query: TWO },
      { bucket_overrides: { a: 'day' } },
    ]
    for (const { status } of await Promise.all(changes.map(update))) expect(status).toBe(200)
    const record = await read()
    expect(record).toMatchObject({ description: 'x', tags: ['x'], is_active: false, current_version: 2 })
    expect(record.data_freshness_seconds).toBe(900)
  })

  it('and a deletion: what comes after it finds nothing', async () => {
    const { tenant, path, update } = await tenantWithEndpoint()
    const [deletion, ...updates] = await Promise.all([
      tenant.delete(path),
      ...Array.from({ length: 5 }, (_, index) => update({ description: String(index) })),
    ])
    expect(deletion.status).toBe(204)
    for (const { status } of updates) expect([200, 404]).toContain(status)
    expect((await tenant.get(path)).status).toBe(404)
  })
})
