// What the Worker's triggers do for materializations.
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/clock'
import worker from '../../../src/index'
import { MAX_DROPS } from '../../../src/endpoints/materialization/unused-tables'
import { hogql } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  materializationRow,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
})

const trigger = (cron: string) => worker.scheduled(createScheduledController({ cron }), tenant.env)

/** Days from the test's clock to the Worker's own, which triggers go by. */
const catchUp = () =>
  tenant.clock.advance({
    days: Math.ceil((systemClock.now().getTime() - tenant.clock.now().getTime()) / 86_400_000),
  })

describe('the minute’s trigger', () => {
  it('sends lost and due builds again', async () => {
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    const message = { projectId: tenant.projectId, versionId: made.current_version_id }
    expect(tenant.waiting.splice(0)).toEqual([message])
    await trigger('* * * * *')
    expect(tenant.waiting).toContainEqual(message)
    await tenant.consume()
    expect(await materializationRow(made.current_version_id)).toMatchObject({ status: 'Completed' })
    await trigger('* * * * *')
    expect(tenant.waiting.splice(0)).toContainEqual(message)
    catchUp()
    await tenant.consume({ messages: [message] })
    await trigger('* * * * *')
    expect(tenant.waiting).not.toContainEqual(message)
  })

  it('rebuilds rows of an older compiler and of another time zone, which no run reads', async () => {
    catchUp()
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    await tenant.consume()
    const message = { projectId: tenant.projectId, versionId: made.current_version_id }
    await trigger('* * * * *')
    expect(tenant.waiting).not.toContainEqual(message)
    const setPlan = (name: string, value: unknown) =>
      env.DB.prepare(
        `UPDATE endpoint_materializations SET plan = json_set(plan, '$.${name}', ?), build_until = NULL WHERE version_id = ?`,
      )
        .bind(value, made.current_version_id)
        .run()
    const plan = (await materializationRow(made.current_version_id))!.plan!
    for (const [name, value] of [
      ['compiler', 1],
      ['timezone', 'Asia/Tokyo'],
    ] as const) {
      await setPlan(name, value)
      await trigger('* * * * *')
      expect(tenant.waiting.splice(0)).toContainEqual(message)
      // A build that fails is retried later.
      await env.DB.prepare(
        "UPDATE endpoint_materializations SET failures = 1, build_until = NULL, next_build_at = '2999-01-01T00:00:00.000000Z' WHERE version_id = ?",
      )
        .bind(made.current_version_id)
        .run()
      await trigger('* * * * *')
      expect(tenant.waiting.splice(0)).not.toContainEqual(message)
      await env.DB.prepare('UPDATE endpoint_materializations SET failures = 0 WHERE version_id = ?')
        .bind(made.current_version_id)
        .run()
      await setPlan(name, plan[name])
    }
    await trigger('* * * * *')
    expect(tenant.waiting).not.toContainEqual(message)
  })

  it('drops tables that no version uses, a bounded number at a time', async () => {
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    await tenant.consume()
    const id = made.materialization.saved_query_id as string
    const hex = id.replaceAll('-', '')
    const registered = (name: string) => [
      env.EVENTS.prepare(`CREATE TABLE "${name}" (row INTEGER PRIMARY KEY)`),
      env.EVENTS.prepare(
        'INSERT INTO materialized_tables (name, project_id, version_id, created_at) VALUES (?, ?, ?, ?)',
      ).bind(name, tenant.projectId, made.current_version_id, '2026-01-01T00:00:00.000000Z'),
    ]
    const used = `mat_${hex}_1`
    await tenant.dropTables()
    await env.EVENTS.batch(
      Array.from({ length: MAX_DROPS + 1 }, (_, index) => registered(`mat_${hex}_${index + 2}`)).flat(),
    )
    await trigger('* * * * *')
    expect(Object.keys(await materializedTables(id))).toEqual([used, expect.any(String)])
    await trigger('* * * * *')
    expect(Object.keys(await materializedTables(id))).toEqual([used])
  })
})

describe('the daily trigger', () => {
  it('seeds planner statistics even when the main database fails', async () => {
    const DB = {
      prepare: () => {
        throw new Error('D1_ERROR: no such table')
      },
    } as unknown as D1Database
    await env.EVENTS.prepare('DELETE FROM sqlite_stat1').run()
    await worker.scheduled(createScheduledController({ cron: '17 3 * * *' }), { ...tenant.env, DB })
    const count = await env.EVENTS.prepare('SELECT count(*) AS n FROM sqlite_stat1').first<number>('n')
    expect(count).toBeGreaterThan(0)
  })

  it('hibernates unused materializations, and sends nothing', async () => {
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    catchUp()
    await tenant.consume()
    await trigger('17 3 * * *')
    expect(tenant.waiting).toEqual([])
    expect((await materializationRow(made.current_version_id))?.hibernatedAt).not.toBeNull()
  })
})
