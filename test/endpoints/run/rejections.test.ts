// Runs that are rejected, and in which order (docs/reference/endpoints.md#order-of-checks-of-a-run).
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointVersions } from '../../../drizzle'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { linesOf, run, runPath } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  storedVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, database, type Tenant } from '../../support/tenant'

const error = (status: number, text: string, more: object = {}) => ({
  status,
  body: { error: text, ...more },
})

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('rejections, in order', () => {
  it.each<[string, (t: Tenant) => Promise<string>]>([
    ['that is not there', async () => 'nope'],
    ['that is inactive', async (t) => (await storedEndpoint(t, {}, { isActive: false })).name],
    ['that is deleted', async (t) => (await storedEndpoint(t, {}, { deleted: true })).name],
    ['of another tenant', async (t) => (await storedEndpoint(await createTenant({ harness: t }))).name],
  ])('an endpoint %s, before other errors', async (_, arrange) => {
    const name = await arrange(tenant)
    expect(seen(await run(tenant, name))).toEqual(NOT_FOUND)
    expect(seen(await run(tenant, name, { nonsense: 1 }, '?version=abc'))).toEqual(NOT_FOUND)
  })

  it('is not found by a key of another tenant', async () => {
    const { name } = await storedEndpoint(tenant)
    const other = await createTenant({ harness: tenant })
    expect((await other.post(runPath(tenant, name))).status).toBe(403)
  })

  it.each<[body: object, attr: string, detail: string]>([
    [{ query_override: {} }, 'query_override', 'Extra inputs are not permitted'],
    [{ limit: 1, nonsense: 1, more: 2 }, 'nonsense', 'Extra inputs are not permitted'],
    [{ limit: 'ten' }, 'limit', 'A valid integer is required.'],
    [{ limit: 1.5 }, 'limit', 'A valid integer is required.'],
    [{ version: [] }, 'version', 'A valid integer is required.'],
    [{ variables: [] }, 'variables', 'Expected an object but got a list.'],
    [{ debug: 'perhaps' }, 'debug', 'Must be a valid boolean.'],
    [
      { refresh: 'sometimes' },
      'refresh',
      '"sometimes" is not a valid choice. Valid choices: cache, force, direct.',
    ],
    [{ client_query_id: 7 }, 'client_query_id', 'Not a valid string.'],
    [{ filters_override: 7 }, 'filters_override', 'Expected an object but got an integer.'],
    [{ filters_override: { date_from: 7 } }, 'filters_override.date_from', 'Not a valid string.'],
    [
      { filters_override: { properties: [{ key: 'plan', valeu: 'pro' }] } },
      'filters_override.properties.0.valeu',
      'Extra inputs are not permitted',
    ],
    [
      { filters_override: { interval: 'day' } },
      'filters_override.interval',
      'Extra inputs are not permitted',
    ],
    [
      { filters_override: { properties: [{ key: 'plan' }, 1] } },
      'filters_override.properties.1',
      'Expected an object but got an integer.',
    ],
  ])('a body of another shape: %j', async (body, attr, detail) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(tenant, name, body, '?version=abc'))).toEqual(refused(attr, detail))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · invalid request · ${attr}: ${detail}`,
    ])
  })

  it.each([
    [[], 'a list'],
    [['a'], 'a list'],
    ['text', 'text'],
    [7, 'an integer'],
    [null, 'null'],
  ])('a body that is not an object, once the endpoint is found: %j', async (body, type) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(tenant, 'nope', body))).toEqual(NOT_FOUND)
    const detail = `Invalid data. Expected an object, but got ${type}.`
    expect(seen(await run(tenant, name, body))).toEqual(refused('body', detail))
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · body: ${detail}`])
  })

  it('several problems together, of which the response and the log have the beginning', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const variables = Object.fromEntries([[`${'a'.repeat(920)}\u{1f600}${'b'.repeat(9_000)}`, 1]])
    const { body } = await run(tenant, name, { variables })
    const whole = `Unknown variable(s): ${Object.keys(variables)[0]}. The query has no variables.`
    expect(body.detail).toBe(`${whole.slice(0, 8_000)}…`)
    const begins = 'Endpoint execution failed · invalid request · variables: '
    const [line] = await linesOf(id)
    expect(line).toMatch(/^ERROR .*aaa.…$/u)
    expect(line).toHaveLength('ERROR '.length + 1_000)
    expect(line).toContain(begins)
    expect(line!.isWellFormed()).toBe(true)
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
    expect(seen(await run(tenant, name, body, query))).toEqual(error(400, text))
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
  })

  it('a version that is not there', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const text = `Version 999 not found for endpoint '${name}'`
    expect(seen(await run(tenant, name, { version: 999, filters_override: {} }))).toEqual(
      error(404, text, { current_version: 1 }),
    )
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
  })

  it('an endpoint without versions', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await database().delete(endpointVersions).where(eq(endpointVersions.endpointId, id))
    expect(seen(await run(tenant, name))).toEqual(error(404, 'No version found for this endpoint'))
  })

  it('a version that is inactive', async () => {
    const { name, id } = await storedEndpoint(tenant, { fields: { isActive: false } })
    const text = 'Version 1 is inactive and cannot be executed.'
    expect(seen(await run(tenant, name, { filters_override: {} }))).toEqual(refused(null, text))
    expect(await linesOf(id)).toEqual([`ERROR Endpoint execution failed · invalid request · ${text}`])
    await storedVersion(tenant, id, 2)
    expect((await run(tenant, name)).status).toBe(200)
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
    [
      { variables: { b: 1, a: null, B: 2 } },
      'variables',
      'Unknown variable(s): B, a, b. The query has no variables.',
    ],
    [
      { variables: { toString: 1 } },
      'variables',
      'Unknown variable(s): toString. The query has no variables.',
    ],
  ])('what HogQL does not take: %j', async (body, attr, detail) => {
    const { name, id } = await storedEndpoint(tenant)
    expect(seen(await run(tenant, name, body))).toEqual(refused(attr, detail))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · invalid request · ${attr}: ${detail}`,
    ])
  })

  it('limit and offset of a UNION', async () => {
    const union = numbers({ page: { ceiling: null, offset: 0, pageable: false } })
    const { name, id } = await storedEndpoint(tenant, { compiled: compiledVersion(union) })
    expect((await run(tenant, name)).status).toBe(200)
    expect(seen(await run(tenant, name, { limit: 1 }))).toEqual(
      refused(
        null,
        'Pagination is not supported for UNION queries. Wrap the UNION in a subquery: SELECT * FROM (... UNION ALL ...) LIMIT n',
      ),
    )
    expect((await linesOf(id))[1]).toBe(
      'ERROR Endpoint execution failed · path=inline duration_ms=N version=1 error=invalid_input',
    )
  })

  it('a query that the engine cannot run, with its reason', async () => {
    const compiled = {
      ...compiledVersion(numbers()),
      queries: { sqlite: { refusal: 'Regular expressions are not supported here.' } },
    }
    const { name } = await storedEndpoint(tenant, { compiled })
    expect(seen(await run(tenant, name))).toEqual(
      refused(null, 'Regular expressions are not supported here.'),
    )
  })
})
