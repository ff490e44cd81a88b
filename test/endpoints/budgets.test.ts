// What endpoints cost the database: round trips and rows read, counted. A project of 10 endpoints and one of 2,000
// have to cost the same wherever their number is not in the formula.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { define, hogql } from '../support/endpoints/endpoints'
import type { TestResponse } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'

/** Endpoints `many-0`, `many-1`, … with three versions and two tags each. */
async function tenantWithEndpoints(count: number): Promise<Tenant> {
  const tenant = await createTenant()
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)`
  const id = `printf('00000000-0000-7000-8000-%04d%08d', ?1, i)`
  const at = `strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', i || ' seconds')`
  const insert = (sql: string, ...more: unknown[]) =>
    env.DB.prepare(`${numbers} ${sql}`).bind(tenant.projectId, count, ...more)
  await env.DB.batch([
    insert(
      `INSERT INTO endpoints (id, project_id, name, is_active, current_version, created_by_id, created_at, updated_at, last_executed_at)
       SELECT ${id}, ?1, 'many-' || i, i % 3 > 0, 3, ?3, ${at}, ${at}, ${at} FROM n`,
      tenant.user.id,
    ),
    insert(
      `INSERT INTO endpoint_versions (id, endpoint_id, project_id, version, query, columns, data_freshness_seconds,
         optional_breakdown_properties, created_by_id, created_at)
       SELECT ${id} || '-' || v.value, ${id}, ?1, v.value, '{"kind":"HogQLQuery","query":"SELECT 1","variables":null}', '[]', 86400,
         '[]', ?3, ${at} FROM n JOIN json_each('[1, 2, 3]') v`,
      tenant.user.id,
    ),
    insert(
      `INSERT INTO endpoint_tags (endpoint_id, project_id, name)
       SELECT ${id}, ?1, t.value FROM n JOIN json_each('["a", "b"]') t`,
    ),
    insert(
      `INSERT INTO query_variables (id, project_id, name, code_name, type, created_at)
       SELECT 'v-' || ${id}, ?1, 'Many ' || i, 'many_' || i, 'String', ${at} FROM n`,
    ),
  ])
  return tenant
}

describe.each([10, 2_000])('in a project of %i endpoints', (count) => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await tenantWithEndpoints(count)
    await tenant.variable({ name: 'Plan' })
    await define(tenant, { owner: 'event', name: 'amount', type: 'Numeric' })
    await tenant.endpoint({ name: 'own', tags: ['a', 'b', 'c'] })
  }, 60_000)

  /** Asks with a key that the isolate has not seen, then again, and compares round trips and rows with what is allowed. */
  async function expectCost(
    act: (caller: Tenant) => Promise<TestResponse>,
    allowed: { cold: number; warm: number; rows: number },
  ): Promise<void> {
    const caller = await tenant.withKey({})
    for (const trips of [allowed.cold, allowed.warm]) {
      const { status, line } = await act(caller)
      expect(status).toBeLessThan(300)
      expect(line.d1_round_trips).toBe(trips)
      expect(line.d1_rows_read).toBeLessThanOrEqual(allowed.rows)
    }
  }

  it.each(['own', 'own/?version=1', 'many-5', 'own/openapi.json'])('%s costs 25 rows', async (rest) => {
    const path = `/api/projects/${tenant.projectId}/endpoints/${rest}`
    await expectCost((caller) => caller.get(path), { cold: 2, warm: 1, rows: 25 })
  })

  it('versions cost ten rows each', async () => {
    const path = tenant.endpoints('many-5/versions')
    await expectCost((caller) => caller.get(path), { cold: 2, warm: 1, rows: 40 })
  })

  const PAGE = 10 * Math.min(100, count)
  const AROUND = 60

  it.each(['', '?is_active=true', '?limit=100&offset=0'])(
    'list%s costs ten rows an endpoint of the page, and one walk',
    async (query) => {
      const rows = PAGE + count + AROUND
      await expectCost((caller) => caller.get(tenant.endpoints() + query), { cold: 2, warm: 1, rows })
    },
  )

  it('list by creator costs three walks: to count, to add up the sizes of the page, and to read it', async () => {
    const rows = PAGE + 3 * count + AROUND
    const query = `?created_by=${tenant.user.id + 1}`
    await expectCost((caller) => caller.get(tenant.endpoints() + query), { cold: 2, warm: 1, rows })
  })

  it('last_execution_times costs four rows a name', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`)
    const path = tenant.endpoints('last_execution_times')
    await expectCost((caller) => caller.post(path, { names }), { cold: 2, warm: 1, rows: 50 })
  })

  // A query that reads no variable and no property has nothing to look up: the second round trip is the write.
  it.each([
    ['of nothing that the project defines', 'SELECT count() FROM events', { cold: 2, warm: 1 }],
    [
      'of variables and properties',
      'SELECT avg(properties.amount) FROM events WHERE event = {variables.plan} AND properties.x = 1',
      { cold: 3, warm: 2 },
    ],
  ])('create %s costs 60 rows', async (_, query, trips) => {
    const act = (caller: Tenant) =>
      caller.post(caller.endpoints(), {
        name: `made-${crypto.randomUUID()}`,
        query: hogql(query),
        tags: ['a'],
      })
    await expectCost(act, { ...trips, rows: 60 })
  })

  it.each<[string, () => Record<string, unknown>, { cold: number; warm: number }]>([
    ['of nothing', () => ({}), { cold: 3, warm: 2 }],
    ['of fields', () => ({ description: crypto.randomUUID(), tags: ['x'] }), { cold: 3, warm: 2 }],
    ['of the query', () => ({ query: hogql(`SELECT '${crypto.randomUUID()}'`) }), { cold: 3, warm: 2 }],
    [
      'of a query with variables and properties',
      () => ({
        query: hogql(`SELECT '${crypto.randomUUID()}', {variables.plan}, properties.amount FROM events`),
      }),
      { cold: 4, warm: 3 },
    ],
  ])('update %s costs 60 rows', async (_, body, trips) => {
    await expectCost((caller) => caller.patch(caller.endpoints('own'), body()), { ...trips, rows: 60 })
  })
})
