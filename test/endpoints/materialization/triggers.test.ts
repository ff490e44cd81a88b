// What the Worker's triggers do for materializations.
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/clock'
import worker from '../../../src/index'
import { hogql } from '../../support/endpoints'
import {
  createMaterializingTenant,
  materializationRow,
  type MaterializingTenant,
} from '../../support/materialization'

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
  it('sends again what the queue lost, and what is due', async () => {
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
})

describe('the daily trigger', () => {
  it('has rows built again that an older compiler planned: no run is answered from them', async () => {
    catchUp()
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    await tenant.consume()
    const message = { projectId: tenant.projectId, versionId: made.current_version_id }
    await trigger('17 3 * * *')
    await trigger('* * * * *')
    expect(tenant.waiting).not.toContainEqual(message)
    await env.DB.prepare(
      "UPDATE endpoint_materializations SET plan = json_set(plan, '$.compiler', 1) WHERE version_id = ?",
    )
      .bind(made.current_version_id)
      .run()
    await trigger('17 3 * * *')
    await trigger('* * * * *')
    expect(tenant.waiting).toContainEqual(message)
  })

  it('tells the database of its tables even when the versions cannot be read', async () => {
    const prepared: string[] = []
    const DB = {
      prepare(text: string) {
        prepared.push(text)
        if (text.includes('endpoint_materializations')) throw new Error('D1_ERROR: no such table')
        return env.DB.prepare(text)
      },
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    } as unknown as D1Database
    const day = worker.scheduled(createScheduledController({ cron: '17 3 * * *' }), { ...tenant.env, DB })
    await expect(day).rejects.toThrow()
    expect(prepared).toContain('DELETE FROM sqlite_stat1')
  })

  it('puts to sleep what nobody used, and sends nothing', async () => {
    const made = await tenant.endpoint({ query: hogql('SELECT 1 AS one'), is_materialized: true })
    catchUp()
    await tenant.consume()
    await trigger('17 3 * * *')
    expect(tenant.waiting).toEqual([])
    expect((await materializationRow(made.current_version_id))?.hibernatedAt).not.toBeNull()
  })
})
