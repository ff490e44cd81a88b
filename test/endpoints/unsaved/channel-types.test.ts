// Large insights run in projects of a hundred thousand events: those by channel type, whose cost is that of the expression as a whole, and long
// funnels, whose actors are counted.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import { noRows } from '../../../src/outbox/ingestion-rows'
import { createTenant, shard, type Tenant } from '../../support/tenant'

const EVENTS = 600
/** How many times as many events, and sessions, the statistics of the project have. */
const TIMES = { events: 175, sessions: 152 }
const REFERRERS = ['www.google.com', '$direct', 't.co']

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const { projectId } = tenant
  const day = (index: number) => String(1 + (index % 28)).padStart(2, '0')
  await createShardSink(env.EVENTS).write(projectId, {
    ...noRows(),
    events: Array.from({ length: EVENTS }, (_, index) => ({
      uuid: crypto.randomUUID(),
      event: '$pageview',
      distinctId: `user-${(index >> 2) % 50}`,
      timestamp: `2026-03-${day(index >> 2)}T12:00:00.${String(index).padStart(6, '0')}Z`,
      createdAt: '2026-03-28T13:00:00.000000Z',
      setsProperties: false,
      flagKey: null,
      flagResponse: null,
      properties: {
        $current_url: 'https://acme.io/pricing/',
        $session_id: `session-${index >> 2}`,
        $referring_domain: REFERRERS[(index >> 2) % REFERRERS.length]!,
        notes: 'x'.repeat(400),
      },
    })),
  })
  await shard().run(
    sql`UPDATE event_volumes SET events = events * ${TIMES.events}, bytes = bytes * ${TIMES.events} WHERE project_id = ${projectId}`,
  )
  await shard().run(
    sql`UPDATE people_volumes SET rows = rows * ${TIMES.sessions} WHERE project_id = ${projectId} AND name = 'event_sessions'`,
  )
})

const dateRange = { date_from: '2026-02-15', date_to: '2026-03-29' }
const breakdownFilter = { breakdown: '$channel_type', breakdown_type: 'session' }
const pageview = { id: '$pageview', type: 'events' }
const pageviews = (count: number) =>
  Array.from({ length: count }, () => ({ kind: 'EventsNode', event: '$pageview' }))
const retention = {
  kind: 'RetentionQuery',
  dateRange,
  retentionFilter: {
    period: 'Day',
    totalIntervals: 28,
    retentionType: 'retention_recurring',
    targetEntity: pageview,
    returningEntity: pageview,
  },
}

it.each([
  ['retention by channel', { ...retention, breakdownFilter }],
  [
    'retention of a channel',
    {
      ...retention,
      properties: [{ key: '$channel_type', type: 'session', value: ['Direct'], operator: 'exact' }],
    },
  ],
  [
    'a funnel by the channel of a step',
    {
      kind: 'FunnelsQuery',
      dateRange,
      breakdownFilter,
      series: pageviews(2),
      funnelsFilter: { breakdownAttributionType: 'step', breakdownAttributionValue: 1 },
    },
  ],
  ['a funnel of eight steps', { kind: 'FunnelsQuery', dateRange, series: pageviews(8) }],
  [
    'trends of five series by channel',
    { kind: 'TrendsQuery', dateRange, breakdownFilter, series: pageviews(5) },
  ],
])('%s is admitted', async (_, query) => {
  const { status, text } = await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query })
  expect(status, text).toBe(200)
})
