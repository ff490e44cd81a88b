import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index'
import { event, sendBatch } from '../support/capture'
import { createTenant } from '../support/tenant'

/** Every event with every other one of the same person. The two sides are what a query's common table expressions are. */
const JOIN = `EXPLAIN QUERY PLAN
  WITH a AS (SELECT DISTINCT distinct_id AS person, event FROM events WHERE project_id = ?1 AND event = 'opened'),
    b AS (SELECT person, min(event) AS first FROM a GROUP BY person)
  SELECT count(*) FROM a JOIN b USING (person)`

describe('the daily trigger', () => {
  it('lets the database know how large its tables are, so that it builds an index for a join of two large ones', async () => {
    const tenant = await createTenant()
    const batch = Array.from({ length: 3_000 }, (_, number) => event(`user-${number % 700}`))
    await sendBatch(tenant, batch)
    const plan = async () => {
      const { results } = await env.DB.prepare(JOIN).bind(tenant.projectId).all<{ detail: string }>()
      return results.map(({ detail }) => detail).join('\n')
    }
    expect(await plan()).not.toContain('AUTOMATIC')

    await worker.scheduled(createScheduledController({ cron: '17 3 * * *' }), env)

    expect(await plan()).toContain('AUTOMATIC COVERING INDEX')
  })

  it('leaves it with guesses of all other tables: what it learnt of small ones would mislead it once they are large', async () => {
    const { results } = await env.DB.prepare('SELECT DISTINCT tbl FROM sqlite_stat1').all<{ tbl: string }>()
    expect(results.map(({ tbl }) => tbl)).toContain('events')
    expect(results.map(({ tbl }) => tbl)).not.toContain('feature_flags')
  })
})
