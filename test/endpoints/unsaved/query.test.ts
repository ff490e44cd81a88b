// POST query/: queries that are not saved.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { event, sendBatch } from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const other = await createTenant({ harness: tenant })
  for (const each of [tenant, other]) {
    await sendBatch(each, [
      event('ada', { plan: 'pro', amount: 10 }, 'bought'),
      event('grace', { plan: 'free', amount: 2 }, 'bought'),
      event('ada', {}, 'opened'),
    ])
  }
  await tenant.variable({ name: 'Plan', type: 'String', default_value: 'pro' })
})

type Body = Record<string, unknown>

const send = (query: Body, more: Body = {}) =>
  tenant.post(`/api/projects/${tenant.projectId}/query/`, { query, ...more })

const sql = (query: string, more: Body = {}) => send({ kind: 'HogQLQuery', query, ...more })

const check = (query: string, more: Body = {}) =>
  send({ kind: 'HogQLMetadata', language: 'hogQL', query, ...more })

describe('a HogQLQuery', () => {
  it('returns the rows of its own project, and stores nothing', async () => {
    const query = 'SELECT event, count() AS total FROM events GROUP BY event ORDER BY event'
    const { status, body } = await sql(query, {})
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        results: [
          ['bought', 2],
          ['opened', 1],
        ],
        columns: ['event', 'total'],
        types: [
          ['event', 'String'],
          ['total', 'Int64'],
        ],
        hasMore: false,
        limit: 100,
        offset: 0,
        is_cached: false,
        last_refresh: body.last_refresh,
        next_allowed_client_refresh: body.last_refresh,
        cache_target_age: body.last_refresh,
        timezone: 'UTC',
        error: null,
        query,
        hogql: query,
        clickhouse: null,
        metadata: null,
        query_status: null,
        cache_key: null,
        timings: [{ k: './execute', t: expect.any(Number) }],
      },
    })
    expect((await tenant.get(tenant.endpoints())).body.count).toBe(0)
  })

  it('returns 100 rows without a LIMIT, and reports that more follow', async () => {
    const { body } = await sql('SELECT number FROM numbers(101)')
    expect([body.results.length, body.hasMore, body.limit, body.offset]).toEqual([100, true, 100, 0])
    const limited = await sql('SELECT number FROM numbers(101) LIMIT 101')
    expect([limited.body.results.length, limited.body.hasMore, limited.body.limit]).toEqual([
      101,
      false,
      undefined,
    ])
  })

  it('reads variables of the project: those sent, else their defaults', async () => {
    const text =
      'SELECT sum(properties.amount) AS amount FROM events WHERE properties.plan = {variables.plan}'
    expect((await sql(text)).body.results).toEqual([[10]])
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/insight_variables/`)
    const { id } = body.results[0]
    const variables = { [id]: { variableId: id, code_name: 'plan', value: 'free' } }
    expect((await sql(text, { variables })).body.results).toEqual([[2]])
  })

  it('reads values as if they stood in the text, never as SQL', async () => {
    const values = { plan: "pro' OR 1=1 --", event: 'bought', whole: 3, half: 2.5, yes: true, none: null }
    const { body } = await sql('SELECT {plan}, {event}, {whole}, {half}, {yes}, {none}', { values })
    expect(body.results).toEqual([["pro' OR 1=1 --", 'bought', 3, 2.5, true, null]])
    const list = await sql('SELECT count() FROM events WHERE has({events}, event)', {
      values: { events: ['opened', 'closed'] },
    })
    expect(list.body.results).toEqual([[1]])
  })

  it('reads them in a saved query too, which can be materialized', async () => {
    const query = {
      kind: 'HogQLQuery',
      query: 'SELECT count() AS n FROM events WHERE event = {x}',
      values: { x: 'opened' },
    }
    const { name, materialization } = await tenant.endpoint({ query })
    expect((await tenant.post(tenant.endpoints(`${name}/run`), {})).body.results).toEqual([[1]])
    expect(materialization).toMatchObject({ can_materialize: true, reason: null })
    await tenant.delete(tenant.endpoints(name))
  })

  it.each([
    ['an object', { x: {} }],
    ['a list of objects', { x: [{}] }],
    ['a list of texts and numbers', { x: ['a', 1] }],
  ])('rejects %s as a value', async (_, values) => {
    expect(seen(await sql('SELECT {x}', { values }))).toEqual(
      refused(
        'query',
        'Invalid HogQL query: The value of {x} must be text, a number, a boolean, null, or a list of one of these at line 1, column 8',
      ),
    )
  })

  it('advises on joins where a query reads no events, whose dates do not count', async () => {
    const many = await createTenant()
    await env.EVENTS.prepare(
      `INSERT INTO persons (project_id, uuid, is_identified, created_at, version, is_deleted, properties)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       SELECT ?1, 'person-' || i, 0, '2026-01-01T00:00:00.000000Z', 1, 0, jsonb('{}') FROM n`,
    )
      .bind(many.projectId)
      .run()
    const pairs = 'SELECT count() FROM persons a CROSS JOIN persons b CROSS JOIN persons c'
    for (const query of [pairs, `${pairs} WHERE a.created_at > now() - INTERVAL 1 DAY`])
      expect(
        (await many.post(`/api/projects/${many.projectId}/query/`, { query: { kind: 'HogQLQuery', query } }))
          .body.detail,
      ).toMatch(/\. Join on a key, or aggregate before the join, or connect ClickHouse\.$/)
  })

  it('rejects text that does not compile, with line and column', async () => {
    expect(seen(await sql('SELECT evnt FROM events'))).toEqual(
      refused(
        'query',
        "Invalid HogQL query: Unable to resolve field: evnt (did you mean 'event'?) at line 1, column 8",
      ),
    )
  })

  it.each([
    [
      'SELECT count() FROM numbers(1000000) a, numbers(1000000) b',
      /^Invalid HogQL query: This query is too large for the built-in database: /,
      'query_too_expensive',
    ],
    [
      'SELECT arrayJoin(range(100000000))',
      /^Invalid HogQL query: 'range' gives at most 100000 /,
      'invalid_input',
    ],
  ])('rejects what the database cannot run as a saved query does: %s', async (query, detail, code) => {
    const rejection = refused('query', expect.stringMatching(detail) as never, code)
    const saved = { name: 'totals', query: { kind: 'HogQLQuery', query } }
    expect(seen(await sql(query))).toEqual(rejection)
    expect(seen(await tenant.post(tenant.endpoints(), saved))).toEqual(rejection)
  })

  it('does not log the text of a rejected query', async () => {
    const { line } = await sql("SELECT 'secret' FROM nowhere")
    expect(JSON.stringify(line)).not.toContain('secret')
    expect(line.error).toBeUndefined()
  })
})

describe('an insight', () => {
  it('returns its series', async () => {
    const { body } = await send({
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought', math: 'total' }],
      dateRange: { date_from: '-1d' },
    })
    expect(body.results).toMatchObject([{ label: 'bought', count: 2 }])
    expect(body.query).toBeNull()
    expect('limit' in body).toBe(false)
  })
})

describe('HogQLMetadata', () => {
  const nothing = { warnings: [], notices: [], isUsingIndices: 'undecisive' }

  it('accepts a valid query, and names its tables', async () => {
    const query = 'WITH p AS (SELECT id FROM persons) SELECT count() FROM events WHERE person_id IN p'
    expect((await check(query)).body).toEqual({
      ...nothing,
      query,
      isValid: true,
      errors: [],
      table_names: ['persons', 'events'],
    })
  })

  it.each([
    [
      'an unknown field, with the nearest one',
      'SELECT evnt FROM events',
      { message: "Unable to resolve field: evnt (did you mean 'event'?)", start: 7, end: 11, fix: 'event' },
      ['events'],
    ],
    [
      'an unknown function, with the nearest one',
      'SELECT cuont() FROM events',
      {
        message: "Unsupported function call 'cuont(...)'. Perhaps you meant 'count(...)'?",
        start: 7,
        end: 12,
        fix: 'count',
      },
      ['events'],
    ],
    [
      'an undefined variable, at its place',
      'SELECT {variables.nobody}',
      {
        message: 'Query references undefined variable(s): nobody',
        start: 7,
        end: 25,
        fix: null,
      },
      [],
    ],
    [
      'text that cannot be parsed',
      'SELECT FROM',
      { message: expect.any(String), start: expect.any(Number), end: expect.any(Number), fix: null },
      [],
    ],
  ])('reports %s', async (_, query, error, tables) => {
    expect((await check(query)).body).toEqual({
      ...nothing,
      query,
      isValid: false,
      errors: [error],
      table_names: tables,
    })
  })

  it('warns of misspelt names and of sums of texts, with what to write', async () => {
    const query = `SELECT sum(properties.plan), avg(properties.amount), any(properties.plam) FROM events
      WHERE event = 'bougth' AND event IN ('opened', 'openned') AND event != 'something else' AND properties.amont = 1`
    const at = (part: string) => ({ start: query.indexOf(part), end: query.indexOf(part) + part.length })
    const { body } = await check(query)
    expect(body).toEqual({
      ...nothing,
      query,
      isValid: true,
      errors: [],
      table_names: ['events'],
      warnings: expect.arrayContaining([
        {
          message: "'sum' takes numbers, and the property 'plan' is text: what is not a number is left out",
          ...at('sum(properties.plan)'),
          fix: null,
        },
        { message: "There is no property 'plam' yet (did you mean 'plan'?)", ...at('plam'), fix: 'plan' },
        {
          message: "There is no event 'bougth' yet (did you mean 'bought'?)",
          ...at("'bougth'"),
          fix: "'bought'",
        },
        {
          message: "There is no event 'openned' yet (did you mean 'opened'?)",
          ...at("'openned'"),
          fix: "'opened'",
        },
        {
          message: "There is no property 'amont' yet (did you mean 'amount'?)",
          ...at('amont'),
          fix: 'amount',
        },
      ]),
    })
    expect(body.warnings).toHaveLength(5)
    const metadata = { warnings: body.warnings.map(({ message }: { message: string }) => ({ message })) }
    expect((await sql(query)).body.metadata).toEqual(metadata)
    const { warnings } = body
    const created = await tenant.post(tenant.endpoints(), {
      name: 'misspelt',
      query: { kind: 'HogQLQuery', query },
    })
    expect([created.status, created.body.warnings]).toEqual([201, warnings])
    const path = tenant.endpoints('misspelt')
    expect((await tenant.get(path)).body).toEqual({ ...created.body, warnings: undefined })
    const run = () => tenant.post(`${path}run`, {}).then(({ body: ran }) => [ran.is_cached, ran.metadata])
    expect([await run(), await run()]).toEqual([
      [false, metadata],
      [true, metadata],
    ])
    const update = (text: string) =>
      tenant.patch(path, { query: { kind: 'HogQLQuery', query: text } }).then(({ body: updated }) => updated)
    expect(await update(query)).not.toHaveProperty('warnings')
    expect(await update('SELECT properties.plam FROM events')).toMatchObject({
      current_version: 2,
      warnings: [
        {
          message: "There is no property 'plam' yet (did you mean 'plan'?)",
          start: 18,
          end: 22,
          fix: 'plan',
        },
      ],
    })
    expect(await update('SELECT properties.plan FROM events')).not.toHaveProperty('warnings')
    expect(await update('SELECT properties.plan FROM events')).toMatchObject({ current_version: 3 })
  })

  it.each([
    [{ kind: 'TrendsQuery', series: [{ event: 'visit' }] }, null],
    [
      { kind: 'TrendsQuery', series: [{ event: 'visit' }], interval: 'never' },
      expect.stringContaining('interval'),
    ],
    [{ kind: 'LifecycleQuery', series: [] }, 'A LifecycleQuery has exactly one series.'],
    [{ kind: 'Nothing' }, expect.stringContaining('kind')],
  ])('checks an insight without a run: %j', async (sourceQuery, message) => {
    const query = JSON.stringify(sourceQuery)
    const { body, line } = await check(query, { sourceQuery })
    expect(body).toEqual({
      ...nothing,
      query,
      isValid: message === null,
      errors: message === null ? [] : [{ message, start: null, end: null, fix: null }],
      table_names: message === null ? ['events'] : [],
    })
    expect(line.events_round_trips).toBeUndefined()
  })

  it('states tables, warnings and positions of a source that is SQL or reads persons', async () => {
    const checked = async (sourceQuery: unknown) => {
      const { body } = await check('shown', { sourceQuery })
      expect(body.query).toBe('shown')
      return [body.table_names, body.errors, body.warnings]
    }
    const textOf = (query: string) => ({ kind: 'HogQLQuery', query })
    expect(await checked(textOf('SELECT id FROM persons'))).toEqual([['persons'], [], []])
    expect(await checked({ kind: 'ActorsQuery', select: ['id'] })).toEqual([['persons'], [], []])
    const misspelt = {
      message: "There is no property 'plam' yet (did you mean 'plan'?)",
      start: 18,
      end: 22,
      fix: 'plan',
    }
    const text = 'SELECT properties.plam FROM events'
    expect(await checked(textOf(text))).toEqual([['events'], [], [misspelt]])
    expect(await checked({ kind: 'DataVisualizationNode', source: textOf(text) })).toEqual([
      ['events'],
      [],
      [misspelt],
    ])
    expect(await checked(textOf('SELECT cuont() FROM events'))).toEqual([
      [],
      [{ message: expect.stringContaining("'count"), start: 7, end: 12, fix: 'count' }],
      [],
    ])
  })

  it('knows the variables of the project, and reads no rows', async () => {
    const { body, line } = await check('SELECT count() FROM events WHERE properties.plan = {variables.plan}')
    expect(body.isValid).toBe(true)
    expect(line.events_round_trips).toBeUndefined()
  })

  it.each([
    [{ kind: 'HogQLMetadata', query: 'SELECT 1' }, 'query__language', 'This field is required.'],
    [
      { kind: 'HogQLMetadata', language: 'hog', query: 'SELECT 1' },
      'query__language',
      '"hog" is not a valid choice. Valid choices: hogQL.',
    ],
    [{ kind: 'HogQLMetadata', language: 'hogQL' }, 'query__query', 'This field is required.'],
  ])('rejects %j', async (query, attr, detail) => {
    expect(seen(await send(query))).toEqual(refused(attr, detail))
  })
})

describe('DatabaseSchemaQuery', () => {
  it('lists tables, fields and functions', async () => {
    const { body } = await send({ kind: 'DatabaseSchemaQuery' })
    expect(Object.keys(body.tables)).toEqual([
      'events',
      'persons',
      'person_distinct_ids',
      'groups',
      'sessions',
      'cohort_people',
    ])
    expect(body.tables.cohort_people).toEqual({
      id: 'cohort_people',
      name: 'cohort_people',
      type: 'posthog',
      fields: {
        person_id: { name: 'person_id', hogql_value: 'person_id', type: 'string', schema_valid: true },
        cohort_id: { name: 'cohort_id', hogql_value: 'cohort_id', type: 'integer', schema_valid: true },
      },
    })
    expect(body.tables.events.fields.person).toEqual({
      name: 'person',
      hogql_value: 'person',
      type: 'virtual_table',
      schema_valid: true,
      fields: ['id', 'created_at', 'is_identified', 'properties'],
    })
    expect(body.functions).toEqual(expect.arrayContaining(['count', 'toStartOfDay', 'uniq']))
    expect(body.joins).toEqual([])
  })
})

describe('any query', () => {
  const kinds =
    'ActorsQuery, DataTableNode, DataVisualizationNode, DatabaseSchemaQuery, EventsQuery, FunnelsQuery, HogQLMetadata, HogQLQuery, InsightVizNode, LifecycleQuery, PathsQuery, RetentionQuery, StickinessQuery, TrendsQuery, WebOverviewQuery, WebStatsTableQuery'

  it.each([
    ['of another kind', 'SessionsQuery', "Query kind 'SessionsQuery' is not supported."],
    ['with null for its kind', null, "Query kind 'null' is not supported."],
    ['without a kind', undefined, 'A query needs a kind.'],
  ])('%s is rejected with the kinds that there are', async (_, kind, failure) => {
    expect(seen(await send({ kind }))).toEqual(refused('query', `${failure} Supported: ${kinds}.`))
  })

  it('runs the source of a node', async () => {
    const source = { kind: 'HogQLQuery', query: 'SELECT 1 AS one' }
    const { status, body } = await send({ kind: 'DataVisualizationNode', source })
    expect([status, body.columns, body.results]).toEqual([200, ['one'], [[1]]])
  })

  it('needs the scope query:read', async () => {
    const caller = await tenant.withKey({ scopes: ['endpoint:read'] })
    const path = `/api/projects/${tenant.projectId}/query/`
    const { status, body } = await caller.post(path, { query: { kind: 'DatabaseSchemaQuery' } })
    expect([status, body.detail]).toEqual([403, "API key missing required scope 'query:read'"])
  })

  it('rejects unknown fields of the body', async () => {
    const { status, body } = await send({ kind: 'DatabaseSchemaQuery' }, { limits: 1 })
    expect([status, body.detail]).toEqual([400, 'Unknown field: limits'])
  })
})
