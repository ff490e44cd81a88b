// Trends of as many series as there may be, in a time zone whose clocks change, where their SQL is longest, and rolling counts of many events.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { MAX_SERIES } from '../../../src/endpoints/insights/limits'
import { projects } from '../../../drizzle'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { dateOf, generate, load, rejectionOf, resultsOf } from './generated-events'

const EVENTS = generate({ names: ['visit', 'buy'], count: 40 })
let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await load(tenant, EVENTS)
  await moveToNewYork(tenant)
})

const moveToNewYork = ({ projectId }: Tenant) =>
  database().update(projects).set({ timezone: 'America/New_York' }).where(eq(projects.id, projectId))

const of = (...maths: string[]) => maths.map((math) => ({ kind: 'EventsNode', event: 'visit', math }))
const repeated = (math: string, count = MAX_SERIES) => Array<object>(count).fill(of(math)[0]!)
const compared = { compareFilter: { compare: true } }
const breakdownFilter = { breakdown: 'toString(toDayOfWeek(timestamp))', breakdown_type: 'hogql' }

it.each<[string, object[], object?]>([
  ['counts by day', repeated('total')],
  ['counts by week, compared', repeated('total'), { interval: 'week', ...compared }],
  ['people by day, compared', repeated('dau'), compared],
  ['averages by day, compared', repeated('avg_count_per_actor'), compared],
  ['counts by day of the week', repeated('total'), { breakdownFilter }],
  ['counts by day of the week, compared', repeated('total', 16), { breakdownFilter, ...compared }],
  ['people of a day, a week and a month', of('dau', 'weekly_active', 'monthly_active')],
  ['people of a day, a week and a month, compared', of('dau', 'weekly_active', 'monthly_active'), compared],
  ['people of a month', repeated('monthly_active', 4)],
  ['people of a week, compared', repeated('weekly_active', 2), compared],
])('%s have the values that each has alone', async (_, series, more) => {
  const dateRange = { date_from: dateOf(0), date_to: dateOf(9) }
  const linesOf = async (nodes: object[]): Promise<Set<string>> => {
    const query = { kind: 'TrendsQuery', series: nodes, dateRange, ...more }
    const lines: { data: number[] }[] = await resultsOf(tenant, query)
    return new Set(lines.map(({ data }) => JSON.stringify(data)))
  }
  const alone = await Promise.all(
    series.filter((node, index) => index === 0 || node !== series[index - 1]).map((node) => linesOf([node])),
  )
  const expected = alone.reduce((all, lines) => all.union(lines))
  expect(expected.size).toBeGreaterThan(0)
  expect(await linesOf(series)).toEqual(expected)
})

it('names what to do about more of them than fit into a query', async () => {
  const query = {
    kind: 'TrendsQuery',
    series: repeated('weekly_active'),
    dateRange: { date_from: dateOf(0) },
  }
  expect(await rejectionOf(tenant, query)).toEqual([
    400,
    'query',
    'Invalid HogQL query: The query is too long for the built-in database once it is translated: use fewer series, steps, columns or conditions, or connect ClickHouse.',
  ])
})

it('count people of a month in 34,000 events, each person once a day', async () => {
  const many = await createTenant()
  await moveToNewYork(many)
  await env.EVENTS.batch(
    [
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 33999)
       INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at)
       SELECT ?1, 'event-' || i, 'visit', 'person ' || (i % 300), jsonb('{}'),
         strftime('%Y-%m-%dT%H:%M:%S.000000Z', ?2, '+' || (i * 100) || ' seconds'), ?2 FROM n`,
      // The consumer counts what it stores, for estimates of what a query takes.
      `INSERT INTO event_volumes (project_id, event, day, events, bytes, largest)
       SELECT ?1, name.value, substr(timestamp, 1, 10), count(*), 700 * count(*), 700 FROM events, json_each('["", "visit"]') name
       WHERE project_id = ?1 AND ?2 IS NOT NULL GROUP BY 2, 3`,
    ].map((sql) => env.EVENTS.prepare(sql).bind(many.projectId, dateOf(0))),
  )
  const query = {
    kind: 'TrendsQuery',
    series: of('monthly_active', 'weekly_active', 'dau'),
    dateRange: { date_from: dateOf(30), date_to: dateOf(35) },
  }
  const lines: { data: number[] }[] = await resultsOf(many, query)
  expect(lines.map(({ data }) => data)).toEqual(Array(3).fill(Array(6).fill(300)))
})
