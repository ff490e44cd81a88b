// Going back in the history of a flag or cohort costs what lies between now and then.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { inCohort, where } from '../../support/filters'
import { cohort } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const VERSIONS = 11_007

/** Rows that one step back may read, and those of the rest of a request. */
const ROWS_PER_STEP = 8
const SLACK = 20

/** Adds changes of the name, one a second from 2026-01-01 on: version 2 with the first of a flag. */
async function addHistory({ projectId }: Tenant, scope: string, itemId: number, count: number) {
  await env.DB.prepare(
    `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?4)
      SELECT ?2 || ?3 || '-' || i, ?1, 'updated', ?2, ?3,
        json_object('name', 'flag', 'changes', json_array(
          json_object('type', ?2, 'action', 'changed', 'field', 'name', 'before', 'n' || i, 'after', 'n' || (i + 1)),
          json_object('type', ?2, 'action', 'changed', 'field', 'version', 'before', i, 'after', i + 1))),
        strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', '+' || i || ' seconds') FROM n`,
  )
    .bind(projectId, scope, String(itemId), count)
    .run()
}

describe(`a flag with ${VERSIONS} versions`, () => {
  let tenant: Tenant
  let id: number

  beforeAll(async () => {
    tenant = await createTenant()
    id = (await tenant.flag({ key: 'long', name: 'n1' })).id
    await addHistory(tenant, 'FeatureFlag', id, VERSIONS - 1)
    await env.DB.prepare(
      `UPDATE feature_flags SET version = ?2, name = ?3, created_at = '2026-01-01T00:00:00.000000Z' WHERE id = ?1`,
    )
      .bind(id, VERSIONS, `n${VERSIONS}`)
      .run()
  }, 60_000)

  it.each([0, 1, 100])('reads the version %i before the newest in rows for those steps', async (back) => {
    const number = VERSIONS - back
    const read = () => tenant.get(`${tenant.flags(id)}versions/${number}/`)
    const { status, body } = await read()
    expect([status, body.name, body.version]).toEqual([200, `n${number}`, number])
    // The second call finds the key in the cache.
    expect((await read()).line.d1_rows_read).toBeLessThanOrEqual(SLACK + ROWS_PER_STEP * back)
  })

  it('tests an evaluation a minute before the newest version in rows for a minute', async () => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + (VERSIONS - 1 - 60) * 1_000).toISOString()
    const test = () => tenant.post(`${tenant.flags(id)}test_evaluation/`, { distinct_id: 'ada', timestamp })
    expect((await test()).status).toBe(200)
    expect((await test()).line.d1_rows_read).toBeLessThanOrEqual(3 * SLACK + ROWS_PER_STEP * 60)
  })
})

describe('a cohort with 5,000 changes', () => {
  it('is rebuilt for a time a minute before the newest in rows for a minute', async () => {
    const tenant = await createTenant()
    const list = await cohort(tenant, [])
    await env.DB.prepare(`UPDATE cohorts SET created_at = '2026-01-01T00:00:00.000000Z' WHERE id = ?1`)
      .bind(list)
      .run()
    await addHistory(tenant, 'Cohort', list, 5_000)
    const flag = await tenant.flag({ filters: where(inCohort(list)) })
    await env.DB.prepare(
      `UPDATE feature_flags SET created_at = '2026-01-01T00:00:00.000000Z', updated_at = created_at WHERE id = ?1`,
    )
      .bind(flag.id)
      .run()
    const timestamp = new Date(Date.UTC(2026, 0, 1) + (5_000 - 60) * 1_000).toISOString()
    const test = () =>
      tenant.post(`${tenant.flags(flag.id)}test_evaluation/`, { distinct_id: 'ada', timestamp })
    expect((await test()).status).toBe(200)
    expect((await test()).line.d1_rows_read).toBeLessThanOrEqual(3 * SLACK + ROWS_PER_STEP * 60)
  })
})
