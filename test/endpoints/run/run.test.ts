// Running a saved query (docs/reference/endpoints.md#response-of-a-run).
import { beforeEach, describe, expect, it } from 'vitest'
import { run, runPath } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  storedVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, type Tenant } from '../../support/tenant'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('a run', () => {
  it('returns rows and their metadata, in order', async () => {
    const { name } = await storedEndpoint(tenant)
    const { status, body, headers } = await run(tenant, name)
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
      endpoint_version_created_at: '2026-03-10T12:00:00Z',
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

  it('supports GET and POST, with and without the slash, inside a project and an environment', async () => {
    const { name } = await storedEndpoint(tenant)
    const forms = ['projects', 'environments'].flatMap((form) =>
      ['', '/'].map((slash) => `/api/${form}/${tenant.projectId}/endpoints/${name}/run${slash}`),
    )
    for (const path of forms) {
      for (const response of [await tenant.get(path), await tenant.post(path)]) {
        expect(response).toMatchObject({ status: 200, body: { results: [[1], [2], [3], [4], [5]] } })
      }
    }
  })

  it('returns details with debug', async () => {
    const { name } = await storedEndpoint(tenant)
    const { body } = await run(tenant, name, { debug: true })
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
    expect((await run(tenant, name, { debug: true })).body).toMatchObject({
      is_cached: true,
      cache_key: body.cache_key,
    })
  })

  it('runs the requested version, the current one by default', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const two = numbers({
      sql: 'SELECT 2 AS c0 LIMIT ?1 OFFSET ?2',
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    await storedVersion(tenant, id, 2, { compiled: compiledVersion(two) })
    const versions = async (body: object, query = '') => {
      const response = await run(tenant, name, body, query)
      return [response.body.endpoint_version, response.body.results.length]
    }
    expect(await versions({})).toEqual([2, 1])
    expect(await versions({ version: 1 })).toEqual([1, 5])
    expect(await versions({ version: '1' })).toEqual([1, 5])
    expect(await versions({}, '?version=1')).toEqual([1, 5])
    expect(await versions({ version: 2 }, '?version=1')).toEqual([2, 1])
    expect(await versions({ version: null }, '?version=1')).toEqual([1, 5])
  })

  it('accepts a key in the body, which is not part of the request', async () => {
    const { name } = await storedEndpoint(tenant)
    const response = await tenant.send('POST', runPath(tenant, name), {
      body: { personal_api_key: tenant.key },
    })
    expect(response.status).toBe(200)
  })
})
