// Running a saved query (reference/endpoints-api.md §3).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointLogs, endpointResults, endpoints, endpointVersions } from '../../../drizzle'
import { seen } from '../../support/answers'
import { createHarness } from '../../support/harness'
import { configureProject } from '../../support/rows'
import { signIn } from '../../support/session'
import {
  compiledVersion,
  hogql,
  numbers,
  savedVariable,
  storedEndpoint,
  storedVersion,
  type StoredVersion,
} from '../../support/saved-queries'
import { createTenant, database, type Tenant } from '../../support/tenant'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

const pathOf = (name: string, rest = '') => `/api/projects/${tenant.projectId}/endpoints/${name}/run/${rest}`
const run = (name: string, body?: unknown, query = '') => tenant.post(pathOf(name, query), body)
const linesOf = async (endpointId: string) =>
  (
    await database()
      .select()
      .from(endpointLogs)
      .where(eq(endpointLogs.endpointId, endpointId))
      .orderBy(endpointLogs.id)
  ).map(({ level, message }) => `${level} ${message.replace(/duration_ms=\d+/, 'duration_ms=N')}`)

const invalid = (attr: string | null, detail: string, code = 'invalid_input') => ({
  status: 400,
  body: { type: 'validation_error', code, detail, attr },
})
const error = (status: number, text: string, more: object = {}) => ({
  status,
  body: { error: text, ...more },
})
const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}

describe('a run', () => {
  it('answers with rows and all that is said of them, in order', async () => {
    const { name } = await storedEndpoint(tenant)
    const { status, body, headers } = await run(name)
    expect(status).toBe(200)
    expect(body).toEqual({
      results: [[1], [2], [3], [4], [5]],
      columns: ['number'],
      types: [['number', 'Int64']],
      hasMore: false,
      is_cached: false,
      last_refresh: '2026-03-10T12:00:00Z',
      next_allowed_client_refresh: '2026-03-10T12:15:00Z',
      cache_target_age: '2026-03-10T12:15:00Z',
      timezone: 'UTC',
      error: null,
      query: 'SELECT number FROM numbers',
      clickhouse: null,
      metadata: null,
      query_status: null,
      name,
      execution_id: expect.stringMatching(UUID),
      endpoint_version: 1,
      endpoint_version_created_at: '2026-03-10T12:00:00+00:00',
    })
    expect(Object.keys(body)).toEqual([
      'results',
      'columns',
      'types',
      'hasMore',
      'is_cached',
      'last_refresh',
      'next_allowed_client_refresh',
      'cache_target_age',
      'timezone',
      'error',
      'query',
      'clickhouse',
      'metadata',
      'query_status',
      'name',
      'execution_id',
      'endpoint_version',
      'endpoint_version_created_at',
    ])
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(headers.get('Cache-Control')).toBe('private, no-store')
  })

  it('answers GET and POST, with and without the slash, inside a project and an environment', async () => {
    const { name } = await storedEndpoint(tenant)
    const forms = ['projects', 'environments'].flatMap((form) =>
      ['', '/'].map((slash) => `/api/${form}/${tenant.projectId}/endpoints/${name}/run${slash}`),
    )
    for (const path of forms) {
      for (const answer of [await tenant.get(path), await tenant.post(path)]) {
        expect(answer).toMatchObject({ status: 200, body: { results: [[1], [2], [3], [4], [5]] } })
      }
    }
  })

  it('tells more when it is asked to', async () => {
    const { name } = await storedEndpoint(tenant)
    const { body } = await run(name, { debug: true })
    expect(body).toMatchObject({
      calculation_trigger: null,
      cache_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      explain: null,
      modifiers: null,
      resolved_date_range: null,
      timings: [{ k: './execute', t: expect.any(Number) }],
      hogql: 'SELECT number FROM numbers',
      endpoint_version: 1,
    })
    expect((await run(name, { debug: true })).body).toMatchObject({
      is_cached: true,
      cache_key: body.cache_key,
    })
  })

  it('runs the version that it is asked for, the current one by default', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const two = numbers({
      sql: 'SELECT 2 AS c0 LIMIT ?1 OFFSET ?2',
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    await storedVersion(tenant, id, 2, { compiled: compiledVersion(two) })
    const versions = async (body: object, query = '') => {
      const answer = await run(name, body, query)
      return [answer.body.endpoint_version, answer.body.results.length]
    }
    expect(await versions({})).toEqual([2, 1])
    expect(await versions({ version: 1 })).toEqual([1, 5])
    expect(await versions({ version: '1' })).toEqual([1, 5])
    expect(await versions({}, '?version=1')).toEqual([1, 5])
    expect(await versions({ version: 2 }, '?version=1')).toEqual([2, 1])
    expect(await versions({ version: null }, '?version=1')).toEqual([1, 5])
  })

  it('takes a key in the body, which is no part of the request', async () => {
    const { name } = await storedEndpoint(tenant)
    const answer = await tenant.send('POST', pathOf(name), { body: { personal_api_key: tenant.key } })
    expect(answer.status).toBe(200)
  })
})

describe('what is refused, in order', () => {
  it.each<[string, (t: Tenant) => Promise<string>]>([
    ['that is not there', async () => 'nope'],
    ['that is inactive', async (t) => (await storedEndpoint(t, {}, { isActive: false })).name],
    ['that is deleted', async (t) => (await storedEndpoint(t, {}, { deleted: true })).name],
    ['of another tenant', async (t) => (await storedEndpoint(await createTenant({ harness: t }))).name],
  ])('an endpoint %s, whatever else is wrong', async (_, arrange) => {
    const name = await arrange(tenant)
    expect(seen(await run(name))).toEqual(NOT_FOUND)
    expect(seen(await run(name, { nonsense: 1 }, '?version=abc'))).toEqual(NOT_FOUND)
  })

  it('is not there for a key of another tenant', async () => {
    const { name } = await storedEndpoint(tenant)
    const other = await createTenant({ harness: tenant })
    expect((await other.post(pathOf(name))).status).toBe(403)
  })

  it.each<[body: object, attr: string, detail: string]>([
    [{ query_override: {} }, 'query_override', 'Extra inputs are not permitted'],
    [{ limit: 1, nonsense: 1, more: 2 }, 'nonsense', 'Extra inputs are not permitted'],
    [{ limit: 'ten' }, 'limit', 'A valid integer is required.'],
    [{ limit: 1.5 }, 'limit', 'A valid integer is required.'],
    [{ version: [] }, 'version', 'A valid integer is required.'],
    [{ variables: [] }, 'variables', 'Expected a dictionary of items but got type "list".'],
    [{ debug: 'perhaps' }, 'debug', 'Must be a valid boolean.'],
    [{ refresh: 'sometimes' }, 'refresh', '"sometimes" is not a valid choice.'],
    [{ client_query_id: 7 }, 'client_query_id', 'Not a valid string.'],
    [{ filters_override: 7 }, 'filters_override', 'Expected a dictionary of items but got type "int".'],
    [{ filters_override: { date_from: 7 } }, 'filters_override.date_from', 'Not a valid string.'],
    [
      { filters_override: { interval: 'day' } },
      'filters_override.interval',
      'Extra inputs are not permitted',
    ],
    [
      { filters_override: { properties: [{}, 1] } },
      'filters_override.properties.1',
      'Expected a dictionary of items but got type "int".',
    ],
  ])('a body of another shape: %j', async (body, attr, detail) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(name, body, '?version=abc'))).toEqual(invalid(attr, detail))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · invalid request · ${attr}: ${detail}`,
    ])
  })

  it.each<[body: object, query: string, text: string]>([
    [{}, '?version=abc', 'Invalid version parameter: abc'],
    [{}, '?version=1.5', 'Invalid version parameter: 1.5'],
    [{}, '?version=', 'Invalid version parameter: '],
    [{}, '?limit=ten', 'Invalid limit parameter: ten'],
    [{}, '?limit=0', 'Invalid limit parameter: 0'],
    [{ limit: 0 }, '', 'Invalid limit parameter: 0'],
    [{ limit: -1 }, '?limit=5', 'Invalid limit parameter: -1'],
    [{}, '?limit=5&offset=-1', 'Invalid offset parameter: -1'],
    [{ limit: 5, offset: -1 }, '', 'Invalid offset parameter: -1'],
    [{}, '?limit=x&version=y&offset=z', 'Invalid version parameter: y'],
    [{ offset: 1 }, '', 'offset requires limit to be set'],
    [{}, '?offset=0', 'offset requires limit to be set'],
  ])('numbers that are none: %j %s', async (body, query, text) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(name, body, query))).toEqual(error(400, text))
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
  })

  it('a version that is not there', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const text = `Version 999 not found for endpoint '${name}'`
    expect(seen(await run(name, { version: 999, filters_override: {} }))).toEqual(
      error(404, text, { current_version: 1 }),
    )
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
  })

  it('an endpoint without versions', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await database().delete(endpointVersions).where(eq(endpointVersions.endpointId, id))
    expect(seen(await run(name))).toEqual(error(404, 'No version found for this endpoint'))
  })

  it('a version that is inactive', async () => {
    const { name, id } = await storedEndpoint(tenant, { fields: { isActive: false } })
    const text = 'Version 1 is inactive and cannot be executed.'
    expect(seen(await run(name, { filters_override: {} }))).toEqual(invalid(null, text))
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
    await storedVersion(tenant, id, 2)
    expect((await run(name)).status).toBe(200)
  })

  it.each<[body: object, attr: string, detail: string]>([
    [
      { filters_override: {}, refresh: 'direct', variables: { b: 1 } },
      'filters_override',
      'Not allowed for HogQL endpoints. Use variables instead.',
    ],
    [
      { refresh: 'direct', variables: { b: 1 } },
      'refresh',
      "'direct' refresh mode is only valid for materialized endpoints. Use 'cache' or 'force' instead, or enable materialization on this endpoint.",
    ],
    [{ variables: { b: 1, a: null, B: 2 } }, 'variables', 'Unknown variable(s): B, a, b'],
    [{ variables: { toString: 1 } }, 'variables', 'Unknown variable(s): toString'],
  ])('what HogQL does not take: %j', async (body, attr, detail) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(name, body))).toEqual(invalid(attr, detail))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · invalid request · ${attr}: ${detail}`,
    ])
  })

  it('limit and offset of a UNION', async () => {
    const union = numbers({ page: { ceiling: null, offset: 0, pageable: false } })
    const { name, id } = await storedEndpoint(tenant, { compiled: compiledVersion(union) })
    expect((await run(name)).status).toBe(200)
    expect(seen(await run(name, { limit: 1 }))).toEqual(
      invalid(
        null,
        'Pagination is not supported for UNION queries. Wrap the UNION in a subquery: SELECT * FROM (... UNION ALL ...) LIMIT n',
      ),
    )
    expect((await linesOf(id))[1]).toBe(
      'ERROR Endpoint execution failed · path=inline version=1 error=invalid_input',
    )
  })

  it('a query that the engine cannot run, with its reason', async () => {
    const compiled = {
      ...compiledVersion(numbers()),
      queries: { sqlite: { refusal: 'Regular expressions are not supported here.' } },
    }
    const { name } = await storedEndpoint(tenant, { compiled })
    expect(seen(await run(name))).toEqual(invalid(null, 'Regular expressions are not supported here.'))
  })
})

describe('limit and offset', () => {
  const ceiling = (count: number, offset = 0): StoredVersion => ({
    compiled: compiledVersion(numbers({ page: { ceiling: count, offset, pageable: true } })),
  })
  const page = async (version: StoredVersion, body: object, query = '') => {
    const { name } = await storedEndpoint(tenant, version)
    const answer = await run(name, body, query)
    const { results, hasMore, limit, offset } = answer.body
    return [results.flat(), hasMore, limit, offset]
  }

  it.each<[what: string, version: StoredVersion, body: object, query: string, answer: unknown[]]>([
    ['a page', {}, { limit: 2 }, '', [[1, 2], true, 2, 0]],
    ['the next one', {}, { limit: 2, offset: 2 }, '', [[3, 4], true, 2, 2]],
    ['the last one', {}, { limit: 2, offset: 4 }, '', [[5], false, 2, 4]],
    ['exactly what there is', {}, { limit: 5 }, '', [[1, 2, 3, 4, 5], false, 5, 0]],
    ['past the end', {}, { limit: 5, offset: 9 }, '', [[], false, 5, 9]],
    ['of the query string', {}, {}, '?limit=2&offset=1', [[2, 3], true, 2, 1]],
    ['the body before the query string', {}, { limit: 1 }, '?limit=2&offset=1', [[2], true, 1, 1]],
    ['all that LIMIT allows', ceiling(3), {}, '', [[1, 2, 3], false, undefined, undefined]],
    ['a page below LIMIT', ceiling(3), { limit: 2 }, '', [[1, 2], true, 2, 0]],
    ['a page that ends at LIMIT', ceiling(3), { limit: 2, offset: 1 }, '', [[2, 3], false, 2, 1]],
    ['a page that LIMIT cuts', ceiling(3), { limit: 2, offset: 2 }, '', [[3], false, 2, 2]],
    ['a page past LIMIT', ceiling(3), { limit: 2, offset: 3 }, '', [[], false, 2, 3]],
    ['more than LIMIT', ceiling(3), { limit: 10 }, '', [[1, 2, 3], false, 10, 0]],
    ["behind the query's own OFFSET", ceiling(3, 1), { limit: 2, offset: 1 }, '', [[3, 4], false, 2, 1]],
  ])('give %s', async (_, version, body, query, answer) => {
    expect(await page(version, body, query)).toEqual(answer)
  })

  /** A query of `count` rows. */
  const many = (count: number, limit: number | null): StoredVersion => ({
    compiled: compiledVersion(
      numbers({
        sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i AS c0 FROM n LIMIT ?2 OFFSET ?3',
        parameters: [{ kind: 'literal', value: count }, { kind: 'limit' }, { kind: 'offset' }],
        page: { ceiling: limit, offset: 0, pageable: true },
      }),
    ),
  })

  it('are 100 and 0 where nobody says otherwise', async () => {
    const [rows, hasMore] = await page(many(150, null), {})
    expect([rows.length, hasMore]).toEqual([100, false])
  })

  it('give 50,000 rows at most, and say so', async () => {
    const { name } = await storedEndpoint(tenant, many(50_002, 60_000))
    const warning = {
      warnings: [
        { message: 'The result was cut off at 50000 rows. Use limit and offset to read the others.' },
      ],
    }
    for (const isCached of [false, true]) {
      const { body } = await run(name)
      expect(body.results.length).toBe(50_000)
      expect(body).toMatchObject({ hasMore: true, metadata: warning, is_cached: isCached })
    }
    const paged = await run(name, { limit: 100_000 })
    expect(paged.body.results.length).toBe(50_000)
    expect(paged.body).toMatchObject({ hasMore: true, limit: 50_000, offset: 0, metadata: warning })
    const rest = await run(name, { limit: 100_000, offset: 50_000 })
    expect(rest.body).toMatchObject({ results: [[50_001], [50_002]], hasMore: false, metadata: null })
    const { name: exact } = await storedEndpoint(tenant, many(50_000, 60_000))
    expect((await run(exact)).body).toMatchObject({ hasMore: false, metadata: null })
  })
})

describe('the cache', () => {
  const stateOf = async (name: string, body: object = {}) => {
    const answer = await run(name, body)
    return [answer.body.is_cached, answer.body.last_refresh]
  }

  it('gives an answer again until it is too old', async () => {
    const { name } = await storedEndpoint(tenant)
    expect(await stateOf(name)).toEqual([false, '2026-03-10T12:00:00Z'])
    tenant.clock.advance({ minutes: 14, seconds: 59 })
    const { body } = await run(name)
    expect(body).toMatchObject({
      results: [[1], [2], [3], [4], [5]],
      is_cached: true,
      last_refresh: '2026-03-10T12:00:00Z',
      cache_target_age: '2026-03-10T12:15:00Z',
    })
    tenant.clock.advance({ seconds: 1 })
    expect(await stateOf(name)).toEqual([false, '2026-03-10T12:15:00Z'])
    expect(await stateOf(name)).toEqual([true, '2026-03-10T12:15:00Z'])
  })

  it('names each run anew', async () => {
    const { name } = await storedEndpoint(tenant)
    const [first, second] = [(await run(name)).body, (await run(name)).body]
    expect(second.is_cached).toBe(true)
    expect(second.execution_id).not.toBe(first.execution_id)
  })

  it('follows a freshness that has changed', async () => {
    const { name, versionId } = await storedEndpoint(tenant)
    await run(name)
    tenant.clock.advance({ minutes: 20 })
    await database()
      .update(endpointVersions)
      .set({ dataFreshnessSeconds: 3600 })
      .where(eq(endpointVersions.id, versionId))
    expect(await stateOf(name)).toEqual([true, '2026-03-10T12:00:00Z'])
  })

  it('is passed by with `force`, which stores what it finds', async () => {
    const { name } = await storedEndpoint(tenant)
    await run(name)
    tenant.clock.advance({ minutes: 1 })
    expect(await stateOf(name, { refresh: 'force' })).toEqual([false, '2026-03-10T12:01:00Z'])
    expect(await stateOf(name, { refresh: 'cache' })).toEqual([true, '2026-03-10T12:01:00Z'])
    expect(await stateOf(name, { refresh: null })).toEqual([true, '2026-03-10T12:01:00Z'])
  })

  it('tells requests apart that ask for something else', async () => {
    const { name } = await storedEndpoint(tenant, withVariable)
    const requests = [
      {},
      { limit: 2 },
      { limit: 2, offset: 1 },
      { version: 1 },
      { variables: { v: 'a' } },
      { variables: { v: 'b' } },
      { variables: { v: null } },
    ]
    for (const expected of [false, true]) {
      for (const body of requests) expect((await run(name, body)).body.is_cached).toBe(expected)
    }
  })

  it('never gives what another version answered', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(name)
    const two = numbers({
      sql: 'SELECT 2 AS c0 LIMIT ?1 OFFSET ?2',
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    await storedVersion(tenant, id, 2, { compiled: compiledVersion(two) })
    expect((await run(name)).body).toMatchObject({ results: [[2]], is_cached: false, endpoint_version: 2 })
    expect((await run(name)).body).toMatchObject({ results: [[2]], is_cached: true, endpoint_version: 2 })
  })

  it('never gives what another tenant was answered', async () => {
    const other = await createTenant({ harness: tenant })
    const project = numbers({
      sql: 'SELECT ?1 AS c0 LIMIT ?2 OFFSET ?3',
      parameters: [{ kind: 'project' }, { kind: 'limit' }, { kind: 'offset' }],
    })
    for (const each of [tenant, other]) {
      await storedEndpoint(each, { compiled: compiledVersion(project) }, { name: 'same' })
    }
    for (const isCached of [false, true]) {
      for (const each of [tenant, other]) {
        const { body } = await each.post(`/api/projects/${each.projectId}/endpoints/same/run/`)
        expect(body).toMatchObject({ results: [[each.projectId]], is_cached: isCached })
      }
    }
  })

  it('keeps no large answers', async () => {
    const text = (bytes: number) =>
      numbers({
        sql: 'SELECT hex(zeroblob(?1 / 2)) AS c0 LIMIT ?2 OFFSET ?3',
        parameters: [{ kind: 'literal', value: bytes }, { kind: 'limit' }, { kind: 'offset' }],
      })
    for (const [bytes, isKept] of [
      [900_000, true],
      [1_100_000, false],
    ] as const) {
      const { name } = await storedEndpoint(tenant, { compiled: compiledVersion(text(bytes)) })
      await run(name)
      expect((await run(name)).body.is_cached).toBe(isKept)
    }
  })

  it('lets answers go that are too old, when new ones come', async () => {
    const { name } = await storedEndpoint(tenant)
    for (const limit of [1, 2, 3]) await run(name, { limit })
    tenant.clock.advance({ minutes: 15 })
    await run(name)
    const rows = await database()
      .select()
      .from(endpointResults)
      .where(eq(endpointResults.projectId, tenant.projectId))
    expect(rows.map(({ storedAt }) => storedAt)).toEqual(['2026-03-10T12:15:00.000000Z'])
  })

  it('holds two runs at once, one row for both', async () => {
    const { name } = await storedEndpoint(tenant)
    const answers = await Promise.all([run(name), run(name)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = await database()
      .select()
      .from(endpointResults)
      .where(eq(endpointResults.projectId, tenant.projectId))
    expect(rows).toHaveLength(1)
    expect((await run(name)).body.is_cached).toBe(true)
  })
})

/** A query that gives the value of its variable `v`. */
const withVariable: StoredVersion = {
  query: hogql('SELECT {variables.v}', {
    x: { variableId: crypto.randomUUID(), code_name: 'v', value: 'stored' },
  }),
  compiled: compiledVersion(
    numbers({
      sql: 'SELECT ?1 AS c0 LIMIT ?2 OFFSET ?3',
      parameters: [
        { kind: 'variable', name: 'v', type: { kind: 'string', nullable: true } },
        { kind: 'limit' },
        { kind: 'offset' },
      ],
      columns: [{ name: 'v', type: { kind: 'string', nullable: true } }],
      variables: ['v'],
    }),
  ),
}

describe('variables', () => {
  const valueFor = async (version: StoredVersion, variables?: object | null) => {
    const { name } = await storedEndpoint(tenant, version)
    const answer = await run(name, { variables })
    return answer.status === 200 ? answer.body.results[0][0] : seen(answer)
  }

  it('have the value of the request, else the one that the query holds', async () => {
    expect(await valueFor(withVariable, { v: 'sent' })).toBe('sent')
    expect(await valueFor(withVariable, {})).toBe('stored')
    expect(await valueFor(withVariable, null)).toBe('stored')
    expect(await valueFor(withVariable, { v: null })).toBe(null)
  })

  it('have the default of the saved variable where the query holds nothing, and answers are not kept then', async () => {
    const variable = await savedVariable(tenant, 'v', 'String', 'default')
    const version = {
      ...withVariable,
      query: hogql('SELECT {variables.v}', { [variable.variableId]: variable }),
    }
    const { name } = await storedEndpoint(tenant, version)
    for (const _ of [1, 2])
      expect((await run(name)).body).toMatchObject({ results: [['default']], is_cached: false })
    for (const isCached of [false, true]) {
      expect((await run(name, { variables: { v: 'sent' } })).body).toMatchObject({
        results: [['sent']],
        is_cached: isCached,
      })
    }
  })

  it('are missing where nothing says what they are', async () => {
    const variable = await savedVariable(tenant, 'v')
    const query = hogql('SELECT {variables.v}', { [variable.variableId]: variable })
    expect(await valueFor({ ...withVariable, query })).toEqual(
      invalid(null, 'Variable v is missing from query'),
    )
  })

  it('that do not fit are named, without their value', async () => {
    const { name, id } = await storedEndpoint(tenant, withVariable)
    expect(seen(await run(name, { variables: { v: ['secret'] } }))).toEqual(
      invalid('variables', "Variable 'v' must be a string."),
    )
    expect(await linesOf(id)).toEqual([
      'ERROR Endpoint execution failed · path=inline version=1 error=invalid_input',
    ])
  })

  it('are read in the time zone of the project, and so are results', async () => {
    await configureProject(tenant, { timezone: 'America/New_York' })
    const moments = numbers({
      sql: "SELECT ?1 AS c0, ?1 || '' AS c1, ?2 AS c2, ?3 AS c3, ?4 AS c4, ?5 AS c5 LIMIT ?6 OFFSET ?7",
      parameters: [
        { kind: 'variable', name: 'v', type: { kind: 'datetime', nullable: true } },
        { kind: 'variable', name: 'v', type: { kind: 'date', nullable: true } },
        { kind: 'variable', name: 'v', type: { kind: 'string', nullable: true } },
        { kind: 'clock', which: 'now' },
        { kind: 'clock', which: 'today' },
        { kind: 'limit' },
        { kind: 'offset' },
      ],
      columns: ['datetime', 'string', 'date', 'string', 'datetime', 'date'].map((kind, place) => ({
        name: `m${place}`,
        type: { kind: kind as 'date', nullable: true },
      })),
    })
    const { name } = await storedEndpoint(tenant, {
      ...withVariable,
      compiled: compiledVersion(moments, 'America/New_York'),
    })
    tenant.clock.advance({ hours: 14, seconds: 1.234 })
    expect((await run(name, { variables: { v: '2026-01-31 23:30' } })).body).toMatchObject({
      results: [
        [
          '2026-01-31T23:30:00-05:00',
          '2026-02-01T04:30:00.000000Z',
          '2026-01-31',
          '2026-01-31 23:30',
          '2026-03-10T22:00:01-04:00',
          '2026-03-10',
        ],
      ],
      timezone: 'America/New_York',
    })
  })
})

describe('what a run leaves behind', () => {
  it('is a line in the log, under the id of the run', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const { body } = await run(name)
    await run(name)
    expect(await linesOf(id)).toEqual([
      'INFO Endpoint executed · path=inline cache=miss duration_ms=N rows=5 version=1',
      'INFO Endpoint executed · path=inline cache=hit duration_ms=N rows=5 version=1',
    ])
    const [line] = await database()
      .select()
      .from(endpointLogs)
      .where(eq(endpointLogs.endpointId, id))
      .limit(1)
    expect(line).toMatchObject({
      projectId: tenant.projectId,
      instanceId: body.execution_id,
      timestamp: '2026-03-10T12:00:00.000000Z',
    })
  })

  it('is nothing where it cannot be written, and the run is none the worse for it', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const broken = new Proxy(env.DB, {
      get: (db, key) =>
        key === 'prepare'
          ? (sql: string) =>
              db.prepare(sql.startsWith('insert into "endpoint_logs"') ? 'SELECT nothing' : sql)
          : (Reflect.get(db, key) as () => unknown).bind(db),
    })
    const harness = createHarness({ clock: tenant.clock, bindings: { DB: broken } })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const answer = await harness.send('POST', pathOf(name), { body: {}, headers })
    expect(answer).toMatchObject({ status: 200, body: { results: [[1], [2], [3], [4], [5]] } })
    expect(harness.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'work after the response failed' }),
    )
    expect(await linesOf(id)).toEqual([])
  })

  it('is no line older than 30 days', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(name)
    tenant.clock.advance({ days: 30 })
    await run(name)
    expect(await linesOf(id)).toHaveLength(2)
    tenant.clock.advance({ seconds: 1 })
    await run(name)
    expect(await linesOf(id)).toHaveLength(2)
  })

  const executedAt = async (id: string) => {
    const db = database()
    const [endpoint] = await db.select().from(endpoints).where(eq(endpoints.id, id))
    const versions = await db
      .select()
      .from(endpointVersions)
      .where(eq(endpointVersions.endpointId, id))
      .orderBy(endpointVersions.version)
    return [endpoint!, ...versions].map(({ lastExecutedAt }) => lastExecutedAt?.slice(11, 19) ?? null)
  }

  it('is when a key last ran it, give or take half an hour', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(name)
    expect(await executedAt(id)).toEqual(['12:00:00', '12:00:00'])
    tenant.clock.advance({ minutes: 30 })
    await run(name)
    expect(await executedAt(id)).toEqual(['12:00:00', '12:00:00'])
    tenant.clock.advance({ seconds: 1 })
    await run(name)
    expect(await executedAt(id)).toEqual(['12:30:01', '12:30:01'])
    await storedVersion(tenant, id, 2)
    tenant.clock.advance({ minutes: 10 })
    await run(name)
    expect(await executedAt(id)).toEqual(['12:30:01', '12:30:01', '12:40:01'])
  })

  it('is not that of a session, nor of a run that was refused', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const browser = await signIn(tenant)
    expect((await browser.post(pathOf(name))).status).toBe(200)
    await run(name, { nonsense: 1 })
    expect(await executedAt(id)).toEqual([null, null])
  })
})

describe('what goes wrong in the database', () => {
  const failing = (expression: string): StoredVersion => ({
    compiled: compiledVersion(
      numbers({
        sql: `SELECT ${expression} AS c0 LIMIT ?1 OFFSET ?2`,
        parameters: [{ kind: 'limit' }, { kind: 'offset' }],
      }),
    ),
  })

  it.each([
    [
      'abs(-9223372036854775808)',
      'integer_overflow',
      'A number in this query is too large: integer overflow.',
    ],
    [
      "json_extract('{', '$.a')",
      'invalid_json',
      'A JSON function in this query was given text that is not JSON.',
    ],
    [
      'hex(zeroblob(1500000000))',
      'query_too_large',
      'The result of this query is too large. Select fewer columns, aggregate more, or ask for fewer rows with limit.',
    ],
    [
      "(SELECT count(*) FROM json_each('[\"a\"]') WHERE value LIKE printf('%.*c', 60, '%'))",
      'pattern_too_complex',
      'A pattern of LIKE in this query is longer than 50 bytes.',
    ],
  ])('%s is a 400 with the code %s', async (expression, code, detail) => {
    const { name, id } = await storedEndpoint(tenant, failing(expression))
    expect(seen(await run(name))).toEqual(invalid(null, detail, code))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · path=inline version=1 error=${code}`,
    ])
  })

  it('is a 400 when there is more than an answer can hold', async () => {
    const much = numbers({
      sql: "SELECT hex(zeroblob(500000)) AS c0 FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]') LIMIT ?1 OFFSET ?2",
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    const { name } = await storedEndpoint(tenant, { compiled: compiledVersion(much) })
    expect(seen(await run(name))).toMatchObject({ status: 400, body: { code: 'query_too_large' } })
    expect((await run(name, { limit: 16 })).status).toBe(200)
  })

  it('is a crash when it is ours, and says nothing of itself', async () => {
    const { name, id } = await storedEndpoint(tenant, failing('no_such_column'))
    const answer = await run(name)
    expect(seen(answer)).toEqual({
      status: 500,
      body: { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
    })
    expect(answer.line.error).toContain('no_such_column')
    expect(await linesOf(id)).toEqual(['ERROR Endpoint execution failed · path=inline version=1 error=Error'])
  })
})
