import { describe, expect, it } from 'vitest'
import { COMPILER_VERSION } from '../../../src/endpoints/compiled-version'
import { refused, seen } from '../../support/answers'
import { activitiesOf, hogql, shownHogql, storedVersion, summaryOf, trends } from '../../support/endpoints'
import { createTenant } from '../../support/tenant'

const COUNT = hogql('SELECT count() FROM events')

async function refusalOf(body: unknown) {
  const tenant = await createTenant()
  const answer = seen(await tenant.post(tenant.endpoints(), body))
  expect((await tenant.get(tenant.endpoints())).body.count).toBe(0)
  return answer
}

const unreadable = (detail: unknown) => ({
  status: 400,
  body: { type: 'invalid_request', code: 'parse_error', detail, attr: null },
})

describe('POST endpoints', () => {
  it('needs a name and a query', async () => {
    const tenant = await createTenant()
    const answer = await tenant.post(tenant.endpoints(), { name: 'top-events', query: COUNT })
    const path = `/api/projects/${tenant.projectId}/endpoints/top-events/run`
    expect(seen(answer)).toEqual({
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
    expect(Object.keys(answer.body.query)).toEqual(Object.keys(shownHogql('')))
    expect((await tenant.get(tenant.endpoints('top-events'))).body).toEqual(answer.body)
  })

  it('keeps every field that it is sent', async () => {
    const tenant = await createTenant()
    const sent = {
      name: 'weekly_Signups-2',
      description: 'Signups, by week.',
      data_freshness_seconds: 900,
      is_active: false,
      derived_from_insight: 'aBcD1234',
      bucket_overrides: { timestamp: 'hour' },
      tags: [' Growth', 'growth', 'Board', ''],
    }
    expect(await tenant.endpoint({ ...sent, query: COUNT })).toMatchObject({
      ...sent,
      tags: ['board', 'growth'],
    })
  })

  it('takes null for what is not said, and ignores what is said of versions and deletion', async () => {
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
      deleted: true,
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

  it('says who made it in the activity log', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.endpoint({ name: 'made' })
    expect(await activitiesOf(tenant, id)).toEqual([
      { scope: 'Endpoint', activity: 'created', name: 'made', changes: [] },
    ])
    expect((await tenant.get(tenant.flags('activity'))).body.results).toEqual([])
  })

  it('keeps the query compiled', async () => {
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

  it.each([
    ['an empty body', {}, 'query'],
    ['no query', { name: 'a' }, 'query'],
    ['a query that is null', { name: 'a', query: null }, 'query'],
    ['no name', { query: COUNT }, 'name'],
    ['an empty name', { name: '', query: COUNT }, 'name'],
    ['a name that is null', { name: null, query: COUNT }, 'name'],
  ])('refuses %s', async (_, body, attr) => {
    expect(await refusalOf(body)).toEqual(refused(attr, 'This field is required.', 'required'))
  })

  it.each([
    '1a',
    '-a',
    '_a',
    'a b',
    'a/b',
    'a.b',
    'é',
    'a\n',
    `a${'b'.repeat(128)}`,
    'last_execution_times',
    'materialization_conditions',
    'bulk_update_tags',
  ])('refuses the name %j', async (name) => {
    expect(await refusalOf({ name, query: COUNT })).toMatchObject(
      refused('name', expect.stringContaining(`Invalid name '${name}'.`) as unknown as string),
    )
  })

  it.each(['a', 'A', 'a-b_C9', `a${'b'.repeat(127)}`])('takes the name %s', async (name) => {
    const tenant = await createTenant()
    expect(await tenant.endpoint({ name })).toMatchObject({ name })
    expect((await tenant.get(tenant.endpoints(name))).status).toBe(200)
  })

  it('refuses a name that is taken, in this project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await tenant.endpoint({ name: 'taken' })
    expect(seen(await tenant.post(tenant.endpoints(), { name: 'taken', query: COUNT }))).toEqual(
      refused('name', 'An endpoint with this name already exists for this team.'),
    )
    expect(await other.endpoint({ name: 'taken' })).toMatchObject({ name: 'taken' })
  })

  it('lets one through of many who want a name at once', async () => {
    const tenant = await createTenant()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.post(tenant.endpoints(), { name: 'wanted', query: COUNT })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(400)])
  })

  it.each([
    ['an unknown field', { sync_frequency: '1h' }, /sync_frequency/],
    ['a description that is no text', { description: 5 }, /description/],
    ['freshness that is no integer', { data_freshness_seconds: 'soon' }, /data_freshness_seconds/],
    ['freshness with a fraction', { data_freshness_seconds: 900.5 }, /data_freshness_seconds/],
    ['tags that are no list', { tags: 'a' }, /tags/],
    ['tags that are no texts', { tags: [1] }, /tags/],
    ['a query that is text', { query: 'SELECT 1' }, /query/],
    ['a query without a kind', { query: { query: 'SELECT 1' } }, /query\.kind/],
    ['a query of an unknown kind', { query: { kind: 'MagicQuery' } }, /query\.kind.*HogQLQuery/],
    ['a query of another shape', { query: { kind: 'HogQLQuery', query: 5 } }, /query\.query/],
    ['a query with an unknown key', { query: hogql('SELECT 1', { odd: 1 }) }, /query.*odd/],
    ['a query with odd filters', { query: hogql('SELECT 1', { filters: { odd: 1 } }) }, /filters.*odd/],
    ['a trends query without series', { query: { kind: 'TrendsQuery' } }, /query\.series/],
    ['an inherited kind', { query: { kind: 'constructor' } }, /query\.kind/],
  ])('cannot read %s', async (_, body, detail) => {
    expect(await refusalOf({ name: 'a', query: COUNT, ...body })).toEqual(
      unreadable(expect.stringMatching(new RegExp(`^JSON parse error - .*${detail.source}`))),
    )
  })

  it.each(['PathsQuery', 'StickinessQuery'])('says that it does not run a %s', async (kind) => {
    expect(await refusalOf({ name: 'a', query: { kind } })).toEqual(
      refused(
        'query',
        `Query kind '${kind}' is not supported. Supported: FunnelsQuery, HogQLQuery, LifecycleQuery, RetentionQuery, TrendsQuery.`,
      ),
    )
  })

  it('refuses other freshness than it offers', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, data_freshness_seconds: 60 })).toEqual(
      refused(
        'data_freshness_seconds',
        'Data freshness must be one of: [900, 1800, 3600, 21600, 43200, 86400, 604800] seconds ' +
          '(15 minutes, 30 minutes, 1 hour, 6 hours, 12 hours, 24 hours, 7 days).',
      ),
    )
  })

  it('refuses other buckets than it offers', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, bucket_overrides: { a: 'hour', b: 'year' } })).toEqual(
      refused(
        null,
        "Invalid bucket override values: {'b': 'year'}. " +
          "Valid options: ['minute', 'fifteen_minutes', 'hour', 'day', 'week', 'month']",
      ),
    )
  })

  it('refuses the id of an insight that is none, and a tag that is too long', async () => {
    expect(await refusalOf({ name: 'a', query: COUNT, derived_from_insight: 'x'.repeat(13) })).toEqual(
      refused('derived_from_insight', 'Ensure this field has no more than 12 characters.', 'max_length'),
    )
    expect(await refusalOf({ name: 'a', query: COUNT, tags: ['x'.repeat(256)] })).toEqual(
      refused('tags', 'Ensure this field has no more than 255 characters.', 'max_length'),
    )
  })

  it('makes nothing of what cannot be materialized as it was asked for, and says why', async () => {
    const query = hogql('SELECT 1 AS a, 2 AS a')
    expect(await refusalOf({ name: 'a', query, is_materialized: true })).toEqual(
      refused(
        null,
        'Cannot materialize endpoint. Reason: Several columns have the same name: give each an alias of its own',
      ),
    )
    expect(await refusalOf({ name: 'a', query: COUNT, is_materialized: true, is_active: false })).toEqual(
      refused('is_materialized', 'Cannot enable materialization on inactive endpoint.'),
    )
  })

  it('checks the name before the query, and the query before the rest', async () => {
    expect(await refusalOf({ name: '1', query: hogql('SELECT'), data_freshness_seconds: 1 })).toMatchObject({
      body: { attr: 'name' },
    })
    expect(await refusalOf({ name: 'a', query: hogql('SELECT'), data_freshness_seconds: 1 })).toMatchObject({
      body: { attr: 'query' },
    })
  })
})

describe('optional breakdowns', () => {
  const broken = (breakdownFilter: Record<string, unknown>) => trends({ breakdownFilter })

  it.each([
    ['one breakdown', broken({ breakdown: '$browser' }), ['$browser']],
    ['a list of breakdowns', broken({ breakdown: ['$browser', '$os'] }), ['$os']],
    ['breakdowns with types', broken({ breakdowns: [{ property: 'plan', type: 'person' }] }), ['plan']],
    [
      'retention',
      { kind: 'RetentionQuery', retentionFilter: {}, breakdownFilter: { breakdown: 'a' } },
      ['a'],
    ],
  ])('may be any of %s', async (_, query, optional) => {
    const tenant = await createTenant()
    expect(await tenant.endpoint({ query, optional_breakdown_properties: optional })).toMatchObject({
      optional_breakdown_properties: optional,
    })
  })

  it.each([
    [
      'SQL',
      COUNT,
      ['a'],
      "Query kind 'HogQLQuery' does not support breakdowns. Supported: RetentionQuery, TrendsQuery.",
    ],
    ['no breakdown', trends(), ['a'], "Unknown breakdown property: 'a'. Known: (none)."],
    [
      'others',
      broken({ breakdowns: [{ property: 'b' }, { property: 'a' }] }),
      ['c', 'a', 'd'],
      "Unknown breakdown properties: 'c', 'd'. Known: ['a', 'b'].",
    ],
  ])('are refused of %s', async (_, query, optional, detail) => {
    expect(await refusalOf({ name: 'a', query, optional_breakdown_properties: optional })).toEqual(
      refused('optional_breakdown_properties', detail),
    )
  })
})

describe('an insight', () => {
  it('is shown with every key of its kind', async () => {
    const tenant = await createTenant()
    const { query } = await tenant.endpoint({ query: trends({ dateRange: { date_from: '-7d' } }) })
    expect(query).toEqual({
      aggregation_group_type_index: null,
      breakdownFilter: null,
      compareFilter: null,
      conversionGoal: null,
      dataColorTheme: null,
      dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
      filterTestAccounts: false,
      interval: 'day',
      kind: 'TrendsQuery',
      modifiers: null,
      properties: [],
      response: null,
      samplingFactor: null,
      series: [
        {
          custom_name: null,
          event: '$pageview',
          fixedProperties: null,
          kind: 'EventsNode',
          limit: null,
          math: null,
          math_group_type_index: null,
          math_hogql: null,
          math_multiplier: null,
          math_property: null,
          math_property_revenue_currency: null,
          math_property_type: null,
          name: null,
          optionalInFunnel: null,
          orderBy: null,
          properties: null,
          response: null,
          version: null,
        },
      ],
      tags: null,
      trendsFilter: null,
      version: null,
    })
  })

  it.each([
    [
      'LifecycleQuery',
      { series: [{ kind: 'EventsNode' }], lifecycleFilter: {} },
      'lifecycleFilter',
      { stacked: true },
    ],
    [
      'RetentionQuery',
      { retentionFilter: { period: 'Week' } },
      'retentionFilter',
      { period: 'Week', totalIntervals: 8 },
    ],
    [
      'FunnelsQuery',
      { series: [{ event: 'a' }, { event: 'b' }], funnelsFilter: { funnelWindowInterval: 7 } },
      'funnelsFilter',
      { funnelOrderType: 'ordered', funnelWindowInterval: 7, funnelWindowIntervalUnit: 'day' },
    ],
  ])('may be a %s', async (kind, rest, filter, expected) => {
    const tenant = await createTenant()
    const { query } = await tenant.endpoint({ query: { kind, ...rest } })
    expect(query).toMatchObject({ kind, [filter]: expected })
  })
})
