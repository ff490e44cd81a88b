// Ranges of dates that an insight is asked about: which texts are dates, and how many periods there may be.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { event, sendBatch } from '../../support/capture'
import { trends } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const LIFECYCLE = { kind: 'LifecycleQuery', series: [{ kind: 'EventsNode' }] }
const RETENTION = { kind: 'RetentionQuery', retentionFilter: { period: 'Hour' } }
const FUNNEL = { kind: 'FunnelsQuery', series: [{ event: 'a' }, { event: 'b' }] }

const tooMany = (interval: string) =>
  `The date range has more than 100,000 periods of one ${interval}. Ask for a shorter range, or for longer periods.`

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await sendBatch(tenant, [{ ...event('ada', {}, '$pageview'), timestamp: '2026-03-08T10:00:00Z' }])
})

const rejected = async (query: object) =>
  seen(await tenant.post(tenant.endpoints(), { name: 'rejected', query }))

const made = async (query: object) => {
  const { name } = await tenant.endpoint({ query })
  return async (body: object = {}) => seen(await tenant.post(tenant.endpoints(`${name}/run`), body))
}

describe('a range of too many periods', () => {
  it.each([
    ['day', trends(), { date_to: '9999-12-31' }],
    ['minute', trends({ interval: 'minute', dateRange: { date_from: '-1d' } }), { date_from: '2025-01-01' }],
    ['day', LIFECYCLE, { date_to: '9999-12-31' }],
    ['hour', RETENTION, { date_from: '-9999d' }],
  ])('is rejected in a run: of one %s', async (interval, query, variables) => {
    const run = await made(query)
    const no = refused(null, tooMany(interval), 'query_too_large')
    expect(await run({ variables })).toEqual(no)
    expect(await run({ filters_override: variables })).toEqual(no)
  })

  it.each([
    ['minute', trends({ interval: 'minute', dateRange: { date_from: '-70d' } })],
    ['day', trends({ dateRange: { date_from: '2026-01-01', date_to: '9999-12-31' } })],
    ['minute', { ...LIFECYCLE, interval: 'minute', dateRange: { date_from: '2015-01-01' } }],
    ['hour', { ...RETENTION, dateRange: { date_from: '-9999d' } }],
  ])('is rejected in a query, which could never run: of one %s', async (interval, query) => {
    const no = refused('query', tooMany(interval), 'query_too_large')
    expect(await rejected(query)).toEqual(no)
  })

  it('is accepted for totals, and so are distant years', async () => {
    const forever = { date_from: '0001-01-01', date_to: '9999-12-31' }
    const total = await made(trends({ trendsFilter: { display: 'BoldNumber' }, dateRange: forever }))
    expect((await total()).body.results).toMatchObject([{ aggregated_value: 1, days: [] }])
    const funnel = await made({ ...FUNNEL, dateRange: forever })
    expect((await funnel()).status).toBe(200)
    const years = await made(trends({ interval: 'year', dateRange: { date_from: '-9999y' } }))
    expect((await years()).body.results).toMatchObject([{ count: 1 }])
    expect((await years()).body.results[0].days[0]).toBe('1900-01-01')
  })

  it('differs from a long range', async () => {
    const run = await made(trends({ interval: 'minute', dateRange: { date_from: '-69d' } }))
    expect((await run()).body.results[0].data).toHaveLength(69 * 24 * 60 + 1)
  })

  it('counts from the first event for all time', async () => {
    const run = await made(trends({ interval: 'minute', dateRange: { date_from: 'all' } }))
    const [line] = (await run({ variables: { date_from: 'all', date_to: '2026-03-08T10:02:30Z' } })).body
      .results
    expect([line.days, line.data, line.filter.date_from]).toEqual([
      ['2026-03-08 10:00:00', '2026-03-08 10:01:00', '2026-03-08 10:02:00'],
      [1, 0, 0],
      '2026-03-08T10:00:00',
    ])
    expect(
      (await run({ variables: { date_from: 'all', date_to: '2026-02-01' } })).body.results[0].days,
    ).toEqual(['2026-02-01 23:59:00'])
  })

  it.each([
    ['lifecycle', { ...LIFECYCLE, interval: 'hour' }, ({ days }: { days: string[] }) => days],
    ['retention', RETENTION, ({ date }: { date: string }) => [date.slice(0, 13).replace('T', ' ')]],
    [
      'funnels',
      {
        ...FUNNEL,
        series: [{ event: '$pageview' }, { event: 'b' }],
        funnelsFilter: { funnelVizType: 'trends' },
        interval: 'hour',
      },
      ({ days }: { days: string[] }) => days,
    ],
  ])('begins with the first period of all time that has events: %s', async (_, query, daysOf) => {
    const run = await made({ ...query, dateRange: { date_from: 'all', date_to: '2026-03-08T12:00:00Z' } })
    const [days] = (await run()).body.results.map(daysOf)
    expect(days[0]).toContain('2026-03-08 10')
  })
})

describe('a result over the size limit', () => {
  let other: Tenant
  beforeAll(async () => {
    other = await createTenant()
    await env.EVENTS.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at)
       SELECT ?1, 'event-' || i, '$pageview', 'ada', jsonb_object('plan', 'plan ' || i),
         '2026-03-09T10:00:00.000000Z', '2026-03-09T10:00:00.000000Z' FROM n`,
    )
      .bind(other.projectId)
      .run()
  })

  it.each([
    ['trends', trends({ breakdownFilter: { breakdown: 'plan' } })],
    ['retention', { kind: 'RetentionQuery', retentionFilter: {}, breakdownFilter: { breakdown: 'plan' } }],
    [
      'trends of several series, each of which would fit',
      trends({
        series: Array.from({ length: 4 }, () => ({ event: '$pageview' })),
        breakdownFilter: { breakdown: 'plan' },
      }),
      '2025-06-01',
    ],
    [
      'trends of a long list of filters, which every line repeats',
      trends({
        series: [
          {
            event: '$pageview',
            properties: [{ key: 'plan', operator: 'is_not', value: 'x'.repeat(40_000) }],
          },
        ],
        breakdownFilter: { breakdown: 'plan' },
      }),
      '2026-03-08',
    ],
  ])('is rejected: %s', async (_, query, since = '2022-01-01') => {
    const { name } = await other.endpoint({ query })
    const run = async (date_from: string) =>
      seen(await other.post(other.endpoints(`${name}/run`), { variables: { date_from } }))
    expect((await run('2026-03-10')).status).toBe(200)
    expect(await run(since)).toEqual(
      refused(
        null,
        'The result of this query is too large. Ask for a shorter range, longer periods, or fewer values of a breakdown.',
        'query_too_large',
      ),
    )
  })
})

describe('an invalid date', () => {
  const notADate = (field: string, text: string) =>
    `'${text}' is not a date: dateRange.${field} takes an ISO 8601 date, a distance such as '-7d' or 'mStart'${field === 'date_from' ? ", or 'all'" : ''}.`

  it.each([
    [trends({ dateRange: { date_from: 'xyz' } }), notADate('date_from', 'xyz')],
    [trends({ dateRange: { date_to: 'all' } }), notADate('date_to', 'all')],
    [{ ...LIFECYCLE, dateRange: { date_to: '2026-02-30' } }, notADate('date_to', '2026-02-30')],
    [{ ...RETENTION, dateRange: { date_from: '' } }, notADate('date_from', '')],
    [{ ...FUNNEL, dateRange: { date_from: 'xyz' } }, notADate('date_from', 'xyz')],
    [
      trends({ compareFilter: { compare: true, compare_to: 'abc' } }),
      "'abc' is not a distance: compareFilter.compare_to takes one such as '-1y'.",
    ],
    [
      trends({ compareFilter: { compare: true, compare_to: '+1y' } }),
      "'+1y' is not a distance: compareFilter.compare_to takes one such as '-1y'.",
    ],
  ])('is rejected in a query: %j', async (query, detail) => {
    expect(await rejected(query)).toEqual(refused('query', detail))
  })

  it('is rejected in an update', async () => {
    const { name } = await tenant.endpoint({ query: trends() })
    const query = trends({ dateRange: { date_from: 'xyz' } })
    expect(seen(await tenant.patch(tenant.endpoints(name), { query }))).toEqual(
      refused('query', notADate('date_from', 'xyz')),
    )
  })

  it('is rejected in a run, in the field that it came in', async () => {
    const run = await made(trends())
    for (const text of ['xyz', '2026-02-30', '', '-7', '7 days']) {
      expect([text, await run({ variables: { date_from: text } })]).toEqual([
        text,
        refused('variables', "Variable 'date_from' must be a date or a distance such as '-7d'."),
      ])
      expect([
        text,
        await run({ filters_override: { date_to: text }, variables: { date_to: '-1d' } }),
      ]).toEqual([text, refused('filters_override', "'date_to' must be a date or a distance such as '-7d'.")])
    }
  })
})
