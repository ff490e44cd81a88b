import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index'
import { event, sendBatch } from '../support/capture'
import { forgetPlannerStats } from '../support/database/planner-stats'
import { createTenant } from '../support/tenant'

/** Every event with every other one of the same person. The two sides are what a query's common table expressions are. */
const JOIN = `EXPLAIN QUERY PLAN
  WITH a AS (SELECT DISTINCT distinct_id AS person, event FROM events WHERE project_id = 1 AND event = 'opened'),
    b AS (SELECT person, min(event) AS first FROM a GROUP BY person)
  SELECT count(*) FROM a JOIN b USING (person)`

const BY_NAME = `EXPLAIN QUERY PLAN SELECT uuid, properties FROM events WHERE project_id = 1 AND event = 'closed'`

async function planOf(sql: string): Promise<string> {
  const { results } = await env.EVENTS.prepare(sql).all<{ detail: string }>()
  return results.map(({ detail }) => detail).join('\n')
}

const aDayPasses = () => worker.scheduled(createScheduledController({ cron: '17 3 * * *' }), env)

describe('the daily trigger', () => {
  beforeAll(forgetPlannerStats)

  it('seeds statistics of large tables, so that SQLite builds an index for a join of two of them', async () => {
    expect(await planOf(JOIN)).not.toContain('AUTOMATIC')
    await aDayPasses()
    expect(await planOf(JOIN)).toContain('AUTOMATIC COVERING INDEX')
  })

  it('replaces statistics that SQLite gathered while a table held events of one name only', async () => {
    const tenant = await createTenant()
    await sendBatch(
      tenant,
      Array.from({ length: 500 }, (_, number) => event(`user-${number}`)),
    )
    await env.EVENTS.prepare('ANALYZE').run()
    expect(await planOf(BY_NAME)).toContain('SCAN events')
    await aDayPasses()
    expect(await planOf(BY_NAME)).toContain('USING INDEX events_name (project_id=? AND event=?)')
  })

  it('has statistics of every index of these tables, with as many columns as the index has', async () => {
    const { results } = await env.EVENTS.prepare(
      `SELECT s.tbl, s.idx, s.stat, (SELECT count(*) FROM pragma_index_info(s.idx)) AS columns,
        (SELECT group_concat(iif(origin = 'pk' AND wr, s.tbl, i.name) ORDER BY iif(origin = 'pk' AND wr, s.tbl, i.name))
          FROM pragma_index_list(s.tbl) AS i, pragma_table_list(s.tbl)) AS indexes FROM sqlite_stat1 s ORDER BY s.idx`,
    ).all<{ tbl: string; idx: string; stat: string; columns: number; indexes: string }>()
    expect(results.length).toBeGreaterThanOrEqual(10)
    for (const { tbl, stat, columns, indexes } of results) {
      const known = results.filter((other) => other.tbl === tbl).map(({ idx }) => idx)
      expect({ tbl, indexes }).toEqual({ tbl, indexes: known.join(',') })
      expect(stat.split(' ')).toHaveLength(1 + columns)
    }
  })
})
