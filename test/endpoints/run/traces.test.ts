// What a run leaves behind (docs/reference/endpoints.md#log-of-runs).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpoints, endpointVersions } from '../../../drizzle'
import { endpointLogs } from '../../../drizzle/events'
import { seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { linesOf, run, runPath } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  storedVersion,
} from '../../support/endpoints/saved-queries'
import { signIn } from '../../support/session'
import { createTenant, database, shard, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('traces of a run', () => {
  it('is an entry in the log, under the id of the run', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const { body } = await run(tenant, name)
    await run(tenant, name)
    expect(await linesOf(id)).toEqual([
      'INFO Endpoint executed · path=inline cache=miss duration_ms=N rows=5 version=1',
      'INFO Endpoint executed · path=inline cache=hit duration_ms=N rows=5 version=1',
    ])
    const [line] = await shard().select().from(endpointLogs).where(eq(endpointLogs.endpointId, id)).limit(1)
    expect(line).toMatchObject({
      projectId: tenant.projectId,
      instanceId: body.execution_id,
      timestamp: '2026-03-10T12:00:00.000000Z',
    })
  })

  it('is an entry when the concurrency limit was reached', async () => {
    const held = Promise.withResolvers<unknown[][]>()
    const slow = new Proxy(env.EVENTS, {
      get: (db, key) =>
        key === 'prepare'
          ? (sql: string) =>
              sql.startsWith('SELECT 7 AS c0')
                ? { bind: () => ({ raw: () => held.promise }) }
                : db.prepare(sql)
          : (Reflect.get(db, key) as () => unknown).bind(db),
    })
    const { name, id } = await storedEndpoint(tenant, {
      compiled: compiledVersion(numbers({ sql: 'SELECT 7 AS c0', parameters: [] })),
    })
    const harness = createHarness({ clock: tenant.clock, bindings: { EVENTS: slow } })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const send = () => harness.send('POST', runPath(tenant, name), { body: { refresh: 'force' }, headers })
    const running = Array.from({ length: 21 }, send)
    const first = await Promise.race(running)
    held.resolve([[7]])
    expect(seen(first)).toEqual({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Too many concurrent requests. Please try again later.',
        attr: null,
      },
    })
    const responses = await Promise.all(running)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20)
    expect((await linesOf(id)).filter((line) => line.startsWith('ERROR'))).toEqual([
      'ERROR Endpoint execution failed · path=inline duration_ms=N version=1 error=throttled',
    ])
  })

  it('is missing when writing fails, and the run succeeds', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const broken = new Proxy(env.EVENTS, {
      get: (db, key) =>
        key === 'prepare'
          ? (sql: string) =>
              db.prepare(sql.startsWith('insert into "endpoint_logs"') ? 'SELECT nothing' : sql)
          : (Reflect.get(db, key) as () => unknown).bind(db),
    })
    const harness = createHarness({ clock: tenant.clock, bindings: { EVENTS: broken } })
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const response = await harness.send('POST', runPath(tenant, name), { body: {}, headers })
    expect(response).toMatchObject({ status: 200, body: { results: [[1], [2], [3], [4], [5]] } })
    expect(harness.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'work after the response failed' }),
    )
    expect(await linesOf(id)).toEqual([])
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

  it('is the time of the last run by a key, of the endpoint and of the version alike', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(tenant, name)
    expect(await executedAt(id)).toEqual(['12:00:00', '12:00:00'])
    tenant.clock.advance({ seconds: 1 })
    // A result from the cache is a run as well.
    expect((await run(tenant, name)).body.is_cached).toBe(true)
    expect(await executedAt(id)).toEqual(['12:00:01', '12:00:01'])
    await storedVersion(tenant, id, 2)
    tenant.clock.advance({ minutes: 10 })
    await run(tenant, name)
    expect(await executedAt(id)).toEqual(['12:10:01', '12:00:01', '12:10:01'])
    const { body } = await tenant.post(tenant.endpoints('last_execution_times'), { names: [name] })
    const { body: endpoint } = await tenant.get(tenant.endpoints(name))
    const { body: version } = await tenant.get(`${tenant.endpoints(name)}?version=2`)
    expect(body.query_status.results).toEqual([[name, '2026-03-10T12:10:01Z']])
    expect([endpoint.last_executed_at, version.last_executed_at]).toEqual([
      '2026-03-10T12:10:01Z',
      '2026-03-10T12:10:01Z',
    ])
  })

  it('has the name that the caller gave the run', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(tenant, name, { client_query_id: 'nightly-1' })
    await run(tenant, name, { client_query_id: 'x rows=9' })
    await run(tenant, name, { client_query_id: 'é'.repeat(300) })
    const executed = 'INFO Endpoint executed · path=inline'
    expect(await linesOf(id)).toEqual([
      `${executed} cache=miss duration_ms=N rows=5 version=1 client_query_id=nightly-1`,
      `${executed} cache=hit duration_ms=N rows=5 version=1 client_query_id="x rows=9"`,
      `${executed} cache=hit duration_ms=N rows=5 version=1 client_query_id="${'é'.repeat(200)}"`,
    ])
  })

  it('is not that of a session, nor of a run that was rejected', async () => {
    const { name, id } = await storedEndpoint(tenant)
    const browser = await signIn(tenant)
    expect((await browser.post(runPath(tenant, name))).status).toBe(200)
    await run(tenant, name, { nonsense: 1 })
    expect(await executedAt(id)).toEqual([null, null])
  })
})
