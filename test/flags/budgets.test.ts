// What flags cost the database: round trips and rows read, counted. A small project and a large one have
// to cost the same wherever the size of the project is not in the formula.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { experiment } from '../support/database/rows'
import { type TestResponse } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'

const CHUNK = 5_000

/** Of the flags of a project a third is disabled, a quarter multivariate, and each tenth carries the tags `web` and `ios`. */
async function tenantWithFlags(count: number): Promise<Tenant> {
  const tenant = await createTenant()
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?3)`
  for (let from = 0; from < count; from += CHUNK) {
    const bounds = [tenant.projectId, from, Math.min(count, from + CHUNK)]
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} INSERT INTO feature_flags (project_id, key, name, filters, active, created_by_id, last_modified_by_id,
           created_at, updated_at, search_text, variant_count)
         SELECT ?1, 'flag-' || i, 'Flag number ' || i, '{"groups":[]}', i % 3 > 0, ?4, ?4,
           strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', i || ' seconds'), '2026-01-01T00:00:00.000000Z',
           'flag-' || i || char(31) || 'flag number ' || i, iif(i % 4 = 0, 2, 0) FROM n`,
      ).bind(...bounds, tenant.user.id),
      env.DB.prepare(
        `${numbers} INSERT INTO flag_tags (flag_id, project_id, name)
         SELECT f.id, ?1, t.value FROM n JOIN feature_flags f ON f.project_id = ?1 AND f.key = 'flag-' || i
         JOIN json_each('["web", "ios"]') t WHERE i % 10 = 0`,
      ).bind(...bounds),
    ])
  }
  return tenant
}

const dependingOn = (id: number) => ({
  groups: [
    {
      properties: [
        { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' },
        { key: String(id), type: 'flag', operator: 'flag_evaluates_to', value: true },
      ],
      rollout_percentage: 50,
    },
  ],
})

type Act = (caller: Tenant) => Promise<TestResponse>
type Cost = { cold: number; warm: number; rows: number; written?: number }

/** Asks with a key that the isolate has not seen, then again, and compares round trips and rows with what is allowed. */
async function expectCostIn(tenant: Tenant, act: Act, allowed: Cost): Promise<void> {
  const caller = await tenant.withKey({})
  for (const trips of [allowed.cold, allowed.warm]) {
    const { status, line } = await act(caller)
    expect(status).toBeLessThan(300)
    expect(line.d1_round_trips).toBe(trips)
    expect(line.d1_rows_read).toBeLessThanOrEqual(allowed.rows)
    if (allowed.written !== undefined) expect(line.d1_rows_written).toBeLessThanOrEqual(allowed.written)
  }
}

it.each([10, 4_000])(
  'an update in a project of %i flags reads 40 rows, and writes the indexes of what differs',
  async (count) => {
    const tenant = await tenantWithFlags(count)
    const { id } = await tenant.flag()
    const bodies: ((at: number) => object)[] = [
      (at) => ({ name: `Plain ${at}` }),
      (at) => ({ active: at % 2 === 1 }),
      (at) => ({ filters: { groups: [{ properties: [], rollout_percentage: at }] } }),
      (at) => ({
        filters: { groups: [{ properties: [] }], payloads: { true: `"${'x'.repeat(4_000 + at)}"` } },
      }),
    ]
    let at = 0
    for (const body of bodies) {
      const act = (caller: Tenant) => caller.patch(caller.flags(id), body((at += 1)))
      await expectCostIn(tenant, act, { cold: 3, warm: 2, rows: 40, written: 11 })
    }
  },
  60_000,
)

describe.each([10, 10_000])('in a project of %i flags', (count) => {
  let tenant: Tenant
  // oxlint-disable-next-line typescript/no-explicit-any -- flags as they came back
  let flag: any, base: any

  beforeAll(async () => {
    tenant = await tenantWithFlags(count)
    base = await tenant.flag({ key: 'base' })
    flag = await tenant.flag({ key: 'own', tags: ['a', 'b', 'c'], evaluation_contexts: ['web', 'ios'] })
    await experiment(tenant, flag.id)
  }, 60_000)

  const expectCost = (
    ...of: Parameters<typeof expectCostIn> extends [Tenant, ...infer Rest] ? Rest : never
  ) => expectCostIn(tenant, ...of)

  it('retrieve costs 25 rows', async () => {
    await expectCost((caller) => caller.get(caller.flags(flag.id)), { cold: 2, warm: 1, rows: 25 })
  })

  it.each(['status', 'dependent_flags', 'versions/1', 'activity'])('%s costs 30 rows', async (rest) => {
    const path = `${tenant.flags(flag.id)}${rest}/`
    await expectCost((caller) => caller.get(path), { cold: 2, warm: 1, rows: 30 })
  })

  const PAGE = 10 * Math.min(100, count)
  // The key, the count itself, and the flags that tests before this one made.
  const AROUND = 40

  it('list of the newest costs ten rows a flag of the page, and no walk', async () => {
    await expectCost((caller) => caller.get(caller.flags()), { cold: 2, warm: 1, rows: PAGE + AROUND })
  })

  it.each(['?active=true', '?active=false', '?type=boolean', '?evaluation_runtime=all', '?order=key'])(
    'list%s costs ten rows a flag of the page, and one walk through an index',
    async (query) => {
      const rows = PAGE + count + AROUND
      await expectCost((caller) => caller.get(`${caller.flags()}${query}`), { cold: 2, warm: 1, rows })
    },
  )

  it('list by tag costs seven rows for each flag that carries it, and none for others', async () => {
    const rows = PAGE + (7.1 * count) / 10 + AROUND
    await expectCost((caller) => caller.get(`${caller.flags()}?tags=["web"]`), { cold: 2, warm: 1, rows })
  })

  // A page of what is rare, or of an order that no index has, is a walk of its own: a part of one where one flag in four is picked.
  it.each([
    ['?type=multivariant', 1.1],
    ['?active=STALE', 2],
    ['?type=experiment', 2],
    ['?has_evaluation_contexts=true', 2],
    ['?excluded_properties=["flag-1","flag-2"]', 2],
    ['?excluded_tags=["web"]', 2.5],
    ['?order=-last_called_at', 3],
    ['?search=flag', 2],
    ['?search=number 7', 10],
  ])('list%s costs at most %d rows a flag of the project', async (query, walks) => {
    const rows = PAGE + walks * count + AROUND
    await expectCost((caller) => caller.get(`${caller.flags()}${query}`), { cold: 2, warm: 1, rows })
  })

  // A write reads each JSON value of its filters once more, for the quota of definitions.
  // A usage dashboard has rows of its own: itself, its tiles, and the id that they share. Each search may end at a row that another test left.
  it.each([
    [80, false],
    [80, true],
  ])('create costs at most %i rows, usage dashboard: %s', async (rows, usageDashboard) => {
    const act = (caller: Tenant) =>
      caller.post(caller.flags(), {
        key: `made-${crypto.randomUUID()}`,
        tags: ['a'],
        evaluation_contexts: ['web'],
        filters: dependingOn(base.id),
        _should_create_usage_dashboard: usageDashboard,
      })
    await expectCost(act, { cold: 3, warm: 2, rows })
  })

  it.each<[string, () => Record<string, unknown>]>([
    ['nothing', () => ({})],
    ['a name', () => ({ name: 'Own' })],
    ['a key and tags', () => ({ key: `own-${crypto.randomUUID()}`, tags: ['a', 'x'] })],
    ['filters', () => ({ filters: { groups: [{ properties: [], rollout_percentage: 50 }] } })],
    ['filters that refer to a flag', () => ({ filters: dependingOn(base.id) })],
  ])('update of %s costs two round trips and 70 rows', async (_, body) => {
    const act = (caller: Tenant) => caller.patch(caller.flags(flag.id), body())
    await expectCost(act, { cold: 3, warm: 2, rows: 70 })
  })

  it('delete and restore cost 60 rows each', async () => {
    const other = await tenant.flag()
    let deleted = false
    const act = (caller: Tenant) => caller.patch(caller.flags(other.id), { deleted: (deleted = !deleted) })
    await expectCost(act, { cold: 3, warm: 2, rows: 60 })
  })
})
