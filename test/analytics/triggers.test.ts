// What the daily trigger does for analytics shards.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock'
import { DAILY } from '../../src/jobs/crons'
import type { Log } from '../../src/http/log/request-log'
import { onTrigger } from '../../src/jobs/scheduled'
import { toStoredTimestamp } from '../../src/timestamps'
import { event, sendEach } from '../support/capture'
import { testClock } from '../support/clock'
import { createHarness } from '../support/harness'
import { databaseOfSize } from '../support/database/database-size'
import { createTenant } from '../support/tenant'

async function linesOf(bindings: Partial<Env>): Promise<Parameters<Log>[0][]> {
  const lines: Parameters<Log>[0][] = []
  await onTrigger(DAILY, { ...env, ...bindings }, (line) => lines.push(line))
  return lines
}

const daysAgo = (days: number) => toStoredTimestamp(new Date(systemClock.now().getTime() - days * 86_400_000))

describe('the daily trigger', () => {
  it('logs databases that are filling up', async () => {
    expect(await linesOf({})).toEqual([])
    const bindings = {
      DB: databaseOfSize(10_000_000_000, env.DB),
      EVENTS: databaseOfSize(7_100_000_000),
      EVENTS_2: databaseOfSize(9_100_000_000),
    }
    const line = (error: string) => ({ level: 'error', message: 'a database is filling up', error })
    const advice = 'Add a shard, set EVENTS_RETENTION_DAYS, or move projects to ClickHouse.'
    expect(await linesOf(bindings)).toEqual([
      line(`EVENTS holds 7.1 GB of 10.0 GB. ${advice}`),
      line(`EVENTS_2 holds 9.1 GB of 10.0 GB. ${advice}`),
      line(
        'DB holds 10.0 GB of 10.0 GB. Lower ACTIVITY_RETENTION_DAYS or DELETED_RETENTION_DAYS, ' +
          'or raise DATABASE_MAX_BYTES if the plan allows more.',
      ),
    ])
  })

  it('continues when the projects on ClickHouse cannot be read', async () => {
    const lost = {
      ...databaseOfSize(1, env.DB),
      prepare(sql: string) {
        if (sql.includes('query_engine')) throw new Error('D1_ERROR: lost')
        return env.DB.prepare(sql)
      },
    } as D1Database
    const lines = await linesOf({
      DB: lost,
      EVENTS: databaseOfSize(9_100_000_000),
      MOVED_EVENTS_RETENTION_DAYS: '30',
    })
    expect(lines.map(({ message }) => message)).toEqual([
      'trigger failed: projects on ClickHouse',
      'a database is filling up',
    ])
  })

  it('deletes expired rows of both databases', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    await env.DB.batch(
      [200, 100].map((days) =>
        env.DB.prepare(
          `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at)
            VALUES (?1, ?2, 'updated', 'FeatureFlag', '1', '{}', ?3)`,
        ).bind(crypto.randomUUID(), projectId, daysAgo(days)),
      ),
    )
    await env.EVENTS.batch(
      [31, 29].map((days) =>
        env.EVENTS.prepare(
          `INSERT INTO endpoint_logs (project_id, endpoint_id, instance_id, timestamp, level, message)
            VALUES (?1, 'endpoint', '', ?2, 'INFO', ?3)`,
        ).bind(projectId, daysAgo(days), String(days)),
      ),
    )
    const left = async () => [
      await env.DB.prepare('SELECT count(*) AS n FROM activity_log WHERE project_id = ?')
        .bind(projectId)
        .first('n'),
      await env.EVENTS.prepare('SELECT group_concat(message) AS n FROM endpoint_logs WHERE project_id = ?')
        .bind(projectId)
        .first('n'),
    ]
    expect(await linesOf({ ACTIVITY_RETENTION_DAYS: 'never' })).toEqual([])
    expect(await left()).toEqual([2, '29'])
    expect(await linesOf({ ACTIVITY_RETENTION_DAYS: '250' })).toEqual([])
    expect(await left()).toEqual([2, '29'])
    expect(await linesOf({ ACTIVITY_RETENTION_DAYS: '150' })).toEqual([])
    expect(await left()).toEqual([1, '29'])
  })

  it('deletes events after EVENTS_RETENTION_DAYS, and none without it', async () => {
    const clock = testClock(systemClock.now().toISOString())
    const tenant = await createTenant({ harness: createHarness({ clock }) })
    await sendEach(tenant, [
      { ...event('ada', {}, 'old'), timestamp: daysAgo(3) },
      { ...event('ada', {}, 'young'), timestamp: daysAgo(1) },
      { ...event('ada', { $set: { plan: 'pro' } }, 'identifying'), timestamp: daysAgo(3) },
    ])
    const names = async () =>
      (
        await env.EVENTS.prepare('SELECT event FROM events WHERE project_id = ?1 ORDER BY event')
          .bind(tenant.projectId)
          .all()
      ).results.map((row) => row.event)
    expect(await linesOf({ EVENTS_RETENTION_DAYS: '' })).toEqual([])
    expect(await names()).toEqual(['identifying', 'old', 'young'])
    expect(await linesOf({ EVENTS_RETENTION_DAYS: '2' })).toEqual([])
    expect(await names()).toEqual(['identifying', 'young'])
  })
})
