// What an update of an endpoint takes, and what it leaves as it is.
import { describe, expect, it } from 'vitest'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { activitiesOf, countVersions, hogql } from '../../support/endpoints/endpoints'
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

describe.each(['patch', 'put'] as const)('%s endpoints/:name', (method) => {
  it('changes the sent fields only', async () => {
    const { tenant, made, path, read, activities } = await tenantWithEndpoint()
    tenant.clock.advance({ hours: 1 })
    const changes = {
      description: 'Numbers.',
      data_freshness_seconds: 3600,
      is_active: false,
      bucket_overrides: { timestamp: 'day' },
      tags: ['B', 'a'],
    }
    const response = await tenant[method](path, changes)
    expect(seen(response)).toEqual({
      status: 200,
      body: { ...made, ...changes, tags: ['a', 'b'], updated_at: '2026-03-10T13:00:00Z' },
    })
    expect(await read()).toEqual(response.body)
    expect((await tenant.get(`${path}?version=1`)).body.version_updated_at).toBe('2026-03-10T13:00:00Z')
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
  it('changes only the time for an empty body', async () => {
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

  it('treats null as unchanged, the default, or none, and clears tags by an empty list', async () => {
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
    expect(await update({ tags: [] })).toMatchObject({ body: { tags: [] } })
  })

  const REJECTED: [body: Record<string, unknown>, attr: string | null, detail: RegExp][] = [
    [{ data_freshness_seconds: 1 }, 'data_freshness_seconds', /^Data freshness must be one of:/],
    [{ bucket_overrides: { a: 'year' } }, null, /^Invalid bucket override values:/],
    [
      { is_materialized: true, query: hogql('SELECT 1 AS a, 1 AS a') },
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
    [{ query: { kind: 'TrendsQuery', series: [] } }, 'query', /^A TrendsQuery needs/],
  ]

  it('rejects what it cannot do, and changes nothing', async () => {
    const { made, update, read } = await tenantWithEndpoint()
    for (const [body, attr, detail] of REJECTED) {
      expect([body, await update({ description: 'new', ...body })]).toEqual([
        body,
        refused(attr, expect.stringMatching(detail) as unknown as string),
      ])
      expect([body, await read()]).toEqual([body, made])
    }
  })

  it('rejects texts that would be kept as something else', async () => {
    const { update } = await tenantWithEndpoint()
    for (const [attr, value, detail, code] of [
      ['tags', ['\ud800'], 'Surrogate characters are not allowed: U+D800.', 'surrogate'],
      ['tags', ['a\0b'], 'Null characters are not allowed.', 'null'],
      ['description', 'a\0b', 'Null characters are not allowed.', 'null'],
    ] as const) {
      expect(await update({ [attr]: value })).toEqual(refused(attr, detail, `${code}_characters_not_allowed`))
    }
    expect(await update({ tags: ['b'] })).toMatchObject({ status: 200, body: { tags: ['b'] } })
  })

  it('keeps the columns of bucket overrides as they were sent', async () => {
    const { update } = await tenantWithEndpoint()
    const bucket_overrides = { '\ud800\0': 'day' }
    expect(await update({ bucket_overrides })).toMatchObject({ status: 200, body: { bucket_overrides } })
    expect(await update({ description: 'x' })).toMatchObject({ status: 200, body: { bucket_overrides } })
  })

  it('reports errors of the query first, and rejects unknown fields', async () => {
    const { update } = await tenantWithEndpoint()
    expect(await update({ query: hogql('SELECT'), data_freshness_seconds: 1 })).toMatchObject({
      status: 400,
      body: { attr: 'query' },
    })
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

  it('does not materialize an inactive endpoint', async () => {
    const { update } = await tenantWithEndpoint({ is_active: false })
    expect(await update({ is_materialized: true })).toEqual(
      refused('is_materialized', 'Cannot enable materialization on inactive endpoint.'),
    )
    expect(await update({ is_materialized: false })).toMatchObject({ status: 200 })
  })

  it('finds nothing of another project, and nothing that was deleted', async () => {
    const [{ tenant, path }, other] = [await tenantWithEndpoint(), await createTenant()]
    expect(seen(await other.patch(other.endpoints('numbers'), { description: 'x' }))).toEqual(NOT_FOUND)
    await tenant.delete(path)
    expect(seen(await tenant.patch(path, { description: 'x' }))).toEqual(NOT_FOUND)
    expect(seen(await tenant.patch(path, { deleted: false }))).toEqual(NOT_FOUND)
  })
})

describe('concurrent updates', () => {
  it('make one version each, and lose none', async () => {
    const { tenant, made, update } = await tenantWithEndpoint()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update({ query: hogql(`SELECT ${index + 10}`) })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
    const numbers = responses.map(({ body }) => body.current_version)
    expect(numbers.toSorted((a: number, b: number) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const { body } = await tenant.get(`${tenant.endpoints('numbers/versions')}`)
    for (const { body: answered } of responses) {
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

  it('and a deletion: later updates respond with 404', async () => {
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
