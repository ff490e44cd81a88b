import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const DAILY =
  'SELECT event, count() AS n FROM events WHERE timestamp >= {variables.since} AND event = {variables.name} GROUP BY event'

const preview = (tenant: Tenant, name: string, body: unknown = {}) =>
  tenant.post(tenant.endpoints(`${name}/materialization_preview`), body)

/** A tenant with an endpoint that has a range and an equality. */
async function withDaily() {
  const tenant = await createTenant()
  await tenant.variable({ name: 'since', type: 'Date', default_value: '2026-03-01' })
  await tenant.variable({ name: 'name', default_value: 'signed up' })
  await tenant.endpoint({ name: 'daily', query: hogql(DAILY) })
  return tenant
}

const NOTHING = {
  transformed_query: null,
  execution_query: null,
  display_execution_query: null,
  range_pairs: [],
  aggregates: [],
  cost: null,
}

describe('POST endpoints/:name/materialization_preview', () => {
  let shared: Tenant
  beforeAll(async () => {
    shared = await withDaily()
  })

  it('shows both queries, the rounded columns and the aggregates that are merged', async () => {
    expect(seen(await preview(shared, 'daily'))).toEqual({
      status: 200,
      body: {
        can_materialize: true,
        reason: null,
        transformed_query:
          'SELECT event, count() AS n, toStartOfDay(timestamp) AS since, event AS name FROM events GROUP BY event, toStartOfDay(timestamp)',
        execution_query:
          "SELECT event, sum(n) AS n FROM daily_v1 WHERE since >= toStartOfDay(toDateTime('{variables.since}')) AND toDateTime(toStartOfDay(toDateTime('{variables.since}'))) = toDateTime('{variables.since}') AND name = '{variables.name}' GROUP BY event",
        display_execution_query:
          "SELECT event, sum(n) AS n FROM daily WHERE since >= toStartOfDay(toDateTime('{variables.since}')) AND toDateTime(toStartOfDay(toDateTime('{variables.since}'))) = toDateTime('{variables.since}') AND name = '{variables.name}' GROUP BY event",
        range_pairs: [{ column: 'timestamp', variables: ['since'], bucket_fn: 'toStartOfDay' }],
        aggregates: [{ expression: 'n', reaggregate_fn: 'sum' }],
        cost: {
          rows_read: 0,
          seconds: expect.any(Number),
          builds_per_day: 1,
          rows_left: 10_000_000,
          bytes_left: 100_000_000,
          last_build: null,
        },
      },
    })
  })

  it('agrees with create, status and update', async () => {
    for (const [sql, reason] of [
      ['SELECT count() AS c, 1 AS z FROM events WHERE event = {variables.name}', null],
      [
        "SELECT count() AS c FROM events WHERE event IN ({variables.name}, 'x')",
        'Variables not supported: Unsupported operator in, supported: =, >=, >, <, <=',
      ],
      [
        'SELECT uniq(person_id) AS u FROM events WHERE timestamp > {variables.since}',
        "Variables not supported: Aggregate function 'uniq' cannot be re-aggregated for range variable materialization",
      ],
      [
        'SELECT event, event FROM events',
        'Several columns have the same name: give each an alias of its own',
      ],
    ] as const) {
      const { name, materialization } = await shared.endpoint({ query: hogql(sql) })
      const { body: shown } = await preview(shared, name)
      const { body: status } = await shared.get(shared.endpoints(`${name}/materialization_status`))
      const made = await shared.post(shared.endpoints(), {
        name: `${name}-kept`,
        query: hogql(sql),
        is_materialized: true,
      })
      expect(
        [materialization, shown, status].map((each) => [sql, each.can_materialize, each.reason]),
      ).toEqual(Array.from({ length: 3 }, () => [sql, reason === null, reason]))
      expect([made.status, made.body.detail]).toEqual(
        reason === null ? [201, undefined] : [400, `Cannot materialize endpoint. Reason: ${reason}`],
      )
    }
  })

  it('accepts other buckets for the preview only', async () => {
    const { body } = await preview(shared, 'daily', { bucket_overrides: { timestamp: 'hour' } })
    expect(body.range_pairs).toEqual([
      { column: 'timestamp', variables: ['since'], bucket_fn: 'toStartOfHour' },
    ])
    expect((await shared.get(shared.endpoints('daily'))).body.bucket_overrides).toBeNull()
  })

  it('uses the buckets of the version by default', async () => {
    const tenant = await withDaily()
    await tenant.patch(tenant.endpoints('daily'), { bucket_overrides: { timestamp: 'week' } })
    const bucketWith = async (body: unknown) =>
      (await preview(tenant, 'daily', body)).body.range_pairs[0].bucket_fn
    expect(await bucketWith({})).toBe('toStartOfWeek')
    expect(await bucketWith({ bucket_overrides: null })).toBe('toStartOfWeek')
    expect(await bucketWith({ bucket_overrides: {} })).toBe('toStartOfDay')
  })

  it('previews the version that is named', async () => {
    const tenant = await withDaily()
    await tenant.patch(tenant.endpoints('daily'), { query: hogql('SELECT count() FROM events') })
    const first = await preview(tenant, 'daily', { version: 1 })
    expect(first.body.execution_query).toContain('FROM daily_v1 ')
    expect((await preview(tenant, 'daily', { version: '1' })).body).toEqual(first.body)
    expect(seen(await preview(tenant, 'daily'))).toEqual({
      status: 200,
      body: {
        can_materialize: true,
        reason: null,
        transformed_query: 'SELECT count() FROM events',
        execution_query: expect.stringContaining('FROM daily_v2'),
        display_execution_query: expect.stringMatching(/FROM daily\b(?!_)/),
        range_pairs: [],
        aggregates: [],
        cost: expect.any(Object),
      },
    })
  })

  it('returns why a query cannot be materialized, and no more', async () => {
    const tenant = await createTenant()
    await tenant.variable({ name: 'name' })
    const reasonFor = async (name: string, query: unknown) => {
      await tenant.endpoint({ name, query })
      const { status, body } = await preview(tenant, name)
      const { reason, ...rest } = body
      expect([status, rest]).toEqual([200, { can_materialize: false, ...NOTHING }])
      return reason
    }
    expect(
      await reasonFor(
        'either',
        hogql("SELECT count() FROM events WHERE event = {variables.name} OR event = 'other'"),
      ),
    ).toBe('Variables not supported: Variables in OR conditions are not supported for materialization')
    expect(
      await reasonFor('funnel', {
        kind: 'FunnelsQuery',
        series: [
          { kind: 'EventsNode', event: 'a' },
          { kind: 'EventsNode', event: 'b' },
        ],
      }),
    ).toBe(
      "Query type 'FunnelsQuery' cannot be materialized. Supported types: HogQLQuery, TrendsQuery, LifecycleQuery, RetentionQuery",
    )
    expect(await reasonFor('compared', trends({ compareFilter: { compare: true } }))).toBe(
      'Compare mode is not supported for materialized endpoints.',
    )
  })

  it('does not show how rows are stored', async () => {
    const tenant = await createTenant()
    await tenant.variable({ name: 'name' })
    const sql =
      'SELECT event, timestamp FROM events WHERE event = {variables.name} ORDER BY timestamp LIMIT 7'
    await tenant.endpoint({ name: 'latest', query: hogql(sql) })
    const { body } = await preview(tenant, 'latest')
    expect(body).toMatchObject({
      transformed_query: 'SELECT event, timestamp, event AS name FROM events ORDER BY timestamp',
      execution_query: "SELECT event, timestamp FROM latest_v1 WHERE name = '{variables.name}' LIMIT 7",
    })
  })

  it('rejects unknown fields, and a key', async () => {
    expect(seen(await preview(shared, 'daily', { versions: 1 }))).toEqual(
      refused('versions', 'Unknown field: versions. Did you mean version?', 'unknown_field'),
    )
    const keyed = await shared.send('POST', shared.endpoints('daily/materialization_preview'), {
      body: { personal_api_key: shared.key, version: 1 },
    })
    expect(keyed.status).toBe(200)
  })

  it('previews an insight', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({
      name: 'views',
      query: trends({ breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' } }),
    })
    const { status, body } = await preview(tenant, 'views')
    expect([status, body.can_materialize, body.reason]).toEqual([200, true, null])
    expect(body.transformed_query).toMatch(/^SELECT /)
    expect(body.execution_query).toContain('`views_v1`')
    expect(body.display_execution_query).toContain('`views`')
    expect([body.range_pairs, body.aggregates]).toEqual([[], []])
  })

  it('rejects an unknown bucket, an unknown version, and an invalid body', async () => {
    expect(
      seen(await preview(shared, 'daily', { bucket_overrides: { timestamp: 'year', event: 'day' } })),
    ).toEqual(
      refused(
        null,
        'Invalid bucket override values: {"timestamp":"year"}. Valid options: ["minute","fifteen_minutes","hour","day","week","month"]',
      ),
    )
    expect(
      seen(await preview(shared, 'daily', { version: 2, bucket_overrides: { timestamp: 'year' } })),
    ).toEqual({
      status: 404,
      body: { error: 'Version 2 not found' },
    })
    expect(seen(await preview(shared, 'nothing', { version: 2 }))).toEqual({
      status: 404,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    })
    expect(seen(await preview(shared, 'daily', { version: 'two' }))).toEqual(
      refused('version', 'A valid integer is required.'),
    )
    expect(seen(await preview(shared, 'daily', { version: null }))).toEqual(
      refused('version', 'This field may not be null.', 'null'),
    )
    expect(seen(await preview(shared, 'daily', { bucket_overrides: 'day' }))).toEqual(
      refused('bucket_overrides', 'Expected an object but got text.', 'not_a_dict'),
    )
    expect(seen(await preview(shared, 'daily', { bucket_overrides: { timestamp: 1 } }))).toEqual(
      refused('bucket_overrides__timestamp', 'Not a valid string.'),
    )
  })
})
