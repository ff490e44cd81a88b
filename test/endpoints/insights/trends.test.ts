import { beforeAll, describe, expect, it } from 'vitest'
import { measureOf } from '../../../src/endpoints/insights/series'
import { trendsResult } from '../../../src/endpoints/insights/trends/trends-result'
import type { TrendsQuery } from '../../../src/endpoints/query/query-types'
import type { SeriesNode } from '../../../src/endpoints/query/schema-parts'
import { event, sendBatch } from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'
import { resultsOf } from './generated-events'

const at = (
  timestamp: string,
  who: string,
  properties: Record<string, unknown> = {},
  name = '$pageview',
) => ({
  ...event(who, properties, name),
  timestamp,
})

/** Nine events of three people in the week of 2 to 8 March 2026. */
const EVENTS = [
  at('2026-03-02T10:00:00Z', 'ada', { $browser: 'Chrome', amount: 10 }),
  at('2026-03-02T11:00:00Z', 'ada', { $browser: 'Chrome', amount: 20 }),
  at('2026-03-02T23:30:00Z', 'grace', { $browser: 'Safari', amount: 5 }),
  at('2026-03-04T10:00:00Z', 'ada', { $browser: 'Chrome' }),
  at('2026-03-04T10:30:00Z', 'edsger', {}),
  at('2026-03-06T10:00:00Z', 'grace', { $browser: 'Safari', amount: 7 }),
  at('2026-03-02T12:00:00Z', 'ada', { amount: 100 }, 'bought'),
  at('2026-03-04T12:00:00Z', 'edsger', { amount: 50 }, 'bought'),
  at('2026-02-25T12:00:00Z', 'grace', { amount: 1 }, '$pageview'),
]

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const { status } = await sendBatch(tenant, EVENTS)
  if (status !== 200) throw new Error('events were not taken')
})

type Body = Record<string, unknown>

const PAGEVIEWS = { kind: 'EventsNode', event: '$pageview' }
const WEEK = { dateRange: { date_from: '2026-03-02', date_to: '2026-03-06' } }

async function responseOf(query: Body, body: Body = {}) {
  const { name } = await tenant.endpoint({
    query: { kind: 'TrendsQuery', series: [PAGEVIEWS], ...WEEK, ...query },
  })
  return tenant.post(tenant.endpoints(`${name}/run`), body)
}

const linesOf = (query: Body, sent?: Body): Promise<Record<string, unknown>[]> =>
  resultsOf(tenant, { kind: 'TrendsQuery', series: [PAGEVIEWS], ...WEEK, ...query }, sent)

/** The numbers of the first line. */
const dataOf = async (query: Body) => (await linesOf(query))[0]!.data

const brief = (lines: Record<string, unknown>[]) => lines.map(({ label, data }) => [label, data])

describe('the lines of a result', () => {
  /** Values of one day. */
  const rowsOf = (values: Record<string, number>, previous = 0) =>
    Object.entries(values).map(([value, number]) => [
      0,
      previous,
      '2026-03-02',
      ...value.split('/').map((each) => (each === 'null' ? null : each)),
      number,
    ])
  const resultOf = (query: Body, rows: unknown[][]) =>
    trendsResult({ kind: 'TrendsQuery', series: [PAGEVIEWS], ...WEEK, ...query } as TrendsQuery, rows, {
      timezone: 'UTC',
      now: new Date('2026-03-10T12:00:00Z'),
    })
  const limited = { breakdown: '$browser', breakdown_limit: 1 }

  it.each<[string, Body, Record<string, number>, unknown[]]>([
    [
      'Other last, with a formula too',
      { breakdownFilter: limited, trendsFilter: { formula: 'A' } },
      { x: 5, y: 4, z: 3 },
      [
        ['x', 'x', 5],
        ['Other', 'Other', 7],
      ],
    ],
    [
      'no value before Other, which a limit of totals takes by its size',
      { breakdownFilter: limited, trendsFilter: { display: 'ActionsPie' } },
      { x: 5, null: 10, y: 1 },
      [
        ['null', null, 10],
        ['Other', 'Other', 6],
      ],
    ],
    [
      'no value last over time, which a limit takes last',
      { breakdownFilter: limited },
      { x: 5, null: 10, y: 1 },
      [
        ['x', 'x', 5],
        ['Other', 'Other', 11],
      ],
    ],
    [
      'Other for each of several breakdowns',
      { breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }], breakdown_limit: 1 } },
      { 'x/k': 5, 'y/l': 4 },
      [
        ['x::k', ['x', 'k'], 5],
        ['Other::Other', ['Other', 'Other'], 4],
      ],
    ],
    [
      'not what is hidden',
      { breakdownFilter: { ...limited, breakdown_hide_other_aggregation: true } },
      { x: 5, y: 4 },
      [['x', 'x', 5]],
    ],
  ])('have %s', (_, query, values, lines) => {
    const { results, hasMore } = resultOf(query, rowsOf(values))
    expect(
      results.map(({ label, breakdown_value: value, count, aggregated_value: total }) => [
        label,
        value,
        total ?? count,
      ]),
    ).toEqual(lines)
    expect(hasMore).toBe(true)
    const { breakdown_limit: _limit, ...unlimited } = query.breakdownFilter as Body
    expect(resultOf({ ...query, breakdownFilter: unlimited }, rowsOf(values)).hasMore).toBe(false)
  })

  it('have each formula compared before the next', () => {
    const query = { compareFilter: { compare: true }, trendsFilter: { formulas: ['A', 'A*2'] } }
    const rows = [
      [0, 0, '2026-03-02', 1],
      [0, 1, '2026-02-25', 3],
    ]
    expect(
      resultOf(query, rows).results.map(({ label, compare_label, count }) => [label, compare_label, count]),
    ).toEqual([
      ['Formula (A)', 'current', 1],
      ['Formula (A)', 'previous', 3],
      ['Formula (A*2)', 'current', 2],
      ['Formula (A*2)', 'previous', 6],
    ])
  })

  it('have the label of the event, whatever the series is named', () => {
    const series = [
      { ...PAGEVIEWS, name: 'Nice', custom_name: 'Mine' },
      { kind: 'ActionsNode', id: 3, name: 'Signed up', custom_name: 'Mine' },
    ]
    expect(resultOf({ series }, []).results).toMatchObject([
      { label: '$pageview', action: { name: '$pageview', custom_name: 'Mine' } },
      { label: 'Signed up', action: { name: 'Signed up', custom_name: 'Mine' } },
    ])
  })
})

describe('a TrendsQuery', () => {
  it('counts whole days between datetimes, unless the range is explicit', async () => {
    const dateRange = { date_from: '2026-03-02T23:00:00', date_to: '2026-03-04T10:15:00' }
    expect(await dataOf({ dateRange })).toEqual([3, 0, 2])
    expect(await dataOf({ dateRange: { ...dateRange, explicitDate: true } })).toEqual([1, 0, 1])
  })

  it('returns a row per series, in full', async () => {
    expect(await linesOf({})).toEqual([
      {
        action: {
          id: '$pageview',
          type: 'events',
          order: 0,
          name: '$pageview',
          custom_name: null,
          math: 'total',
          math_property: null,
          math_hogql: null,
          math_group_type_index: null,
          properties: [],
        },
        label: '$pageview',
        count: 6,
        data: [3, 0, 2, 0, 1],
        labels: ['2-Mar-2026', '3-Mar-2026', '4-Mar-2026', '5-Mar-2026', '6-Mar-2026'],
        days: ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'],
        filter: {
          insight: 'TRENDS',
          interval: 'day',
          date_from: '2026-03-02T00:00:00',
          date_to: '2026-03-06T23:59:59',
          display: 'ActionsLineGraph',
        },
      },
    ])
  })

  it.each([
    ['dau', {}, [2, 0, 2, 0, 1]],
    ['sum', { math_property: 'amount' }, [35, 0, 0, 0, 7]],
    ['avg', { math_property: 'amount' }, [35 / 3, 0, 0, 0, 7]],
    ['median', { math_property: 'amount' }, [10, 0, 0, 0, 7]],
    ['avg_count_per_actor', {}, [1.5, 0, 1, 0, 1]],
    ['weekly_active', {}, [2, 2, 3, 3, 3]],
    ['first_time_for_user', {}, [1, 0, 1, 0, 0]],
    ['hogql', { math_hogql: 'count() * 2 -- twice' }, [6, 0, 4, 0, 2]],
  ])('counts by %s', async (math, more, data) => {
    expect(brief(await linesOf({ series: [{ ...PAGEVIEWS, math, ...more }] }))).toEqual([['$pageview', data]])
  })

  it('counts active groups of the type that a series names', async () => {
    const own = await createTenant({ harness: tenant })
    const visit = (day: number, who: string, groups: Body) =>
      at(`2026-03-0${day}T10:00:00Z`, who, { $groups: groups }, 'visit')
    await sendBatch(own, [
      visit(2, 'ada', { company: 'acme', team: 'red' }),
      visit(2, 'grace', { company: 'acme', team: 'blue' }),
      visit(2, 'edsger', {}),
      visit(4, 'ada', { company: 'acme', team: 'red' }),
    ])
    const counted = async (math: string, more: Body = {}, rest: Body = {}) => {
      const series = [{ event: 'visit', math, math_group_type_index: 0, ...more }]
      return (await resultsOf(own, { kind: 'TrendsQuery', series, ...WEEK, ...rest }))[0].data
    }
    expect(await counted('dau')).toEqual([1, 0, 1, 0, 0])
    expect(await counted('dau', {}, { aggregation_group_type_index: 1 })).toEqual([1, 0, 1, 0, 0])
    expect(await counted('weekly_active')).toEqual([1, 1, 1, 1, 1])
    expect(await counted('monthly_active', {}, { interval: 'month' })).toEqual([1])
    const trendsFilter = { display: 'ActionsLineGraphCumulative' }
    expect(await counted('dau', {}, { trendsFilter })).toEqual([1, 1, 1, 1, 1])
    expect(await counted('dau', { math_group_type_index: null })).toEqual([3, 0, 1, 0, 0])
  })

  it('measures the duration of each session once, however many events it has', async () => {
    const own = await createTenant({ harness: tenant })
    const visit = (session: string, minutes: number, plan: string) =>
      at(
        `2026-03-02T10:${String(minutes).padStart(2, '0')}:00Z`,
        'ada',
        { $session_id: session, plan },
        'visit',
      )
    await sendBatch(own, [
      visit('one', 0, 'pro'),
      visit('one', 0, 'free'),
      visit('one', 1, 'pro'),
      visit('two', 20, 'pro'),
      { ...visit('two', 30, 'pro'), event: 'left' },
      at('2026-03-02T10:00:00Z', 'server', {}, 'visit'),
    ])
    const measured = async (math: string, more: Body = {}, rest: Body = {}) => {
      const series = [{ event: 'visit', math, math_property: '$session_duration', ...more }]
      const lines = await resultsOf(own, { kind: 'TrendsQuery', series, ...WEEK, ...rest })
      return lines.map((line: Body) => [line.label, line.count])
    }
    expect(await measured('avg')).toEqual([['visit', 330]])
    expect(await measured('sum', { math_property_type: 'session_properties' })).toEqual([['visit', 660]])
    expect(await measured('median')).toEqual([['visit', 330]])
    expect(await measured('max', { math_multiplier: 0.5 })).toEqual([['visit', 300]])
    expect(await measured('sum', {}, { breakdownFilter: { breakdown: 'plan' } })).toEqual([
      ['pro', 660],
      ['free', 60],
      ['null', 0],
    ])
    const trendsFilter = { display: 'BoldNumber' }
    expect(await measured('avg', {}, { trendsFilter })).toEqual([['visit', 0]])
  })

  it('filters series and the whole', async () => {
    const series = [
      { ...PAGEVIEWS, properties: [{ key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' }] },
    ]
    expect(brief(await linesOf({ series }))).toEqual([['$pageview', [2, 0, 1, 0, 0]]])
    const properties = {
      type: 'OR',
      values: [
        { type: 'AND', values: [{ key: 'amount', value: 10, operator: 'gt', type: 'event' }] },
        { type: 'AND', values: [{ key: '$browser', operator: 'is_not_set', type: 'event' }] },
      ],
    }
    expect(brief(await linesOf({ properties }))).toEqual([['$pageview', [1, 0, 1, 0, 0]]])
  })

  it('breaks down, the largest first, rows without a value last', async () => {
    const lines = await linesOf({ breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' } })
    expect(lines.map(({ label, data, breakdown_value }) => [label, breakdown_value, data])).toEqual([
      ['Chrome', 'Chrome', [2, 0, 1, 0, 0]],
      ['Safari', 'Safari', [1, 0, 0, 0, 1]],
      ['null', null, [0, 0, 1, 0, 0]],
    ])
  })

  it('shows a combination with a missing value after the others, within a limit too', async () => {
    const own = await createTenant({ harness: tenant })
    const visit = (x: string, y?: string) =>
      at('2026-03-02T10:00:00Z', 'ada', { x, ...(y ? { y } : {}) }, 'visit')
    const [without, larger, smaller] = [visit('a'), visit('a', 'q'), visit('c', 'q')]
    await sendBatch(own, [without, without, without, larger, larger, smaller])
    const breakdowns = ['x', 'y'].map((property) => ({ property, type: 'event' }))
    const query = { kind: 'TrendsQuery', series: [{ event: 'visit' }], ...WEEK }
    const { name } = await own.endpoint({
      query: { ...query, breakdownFilter: { breakdowns, breakdown_limit: 1 } },
    })
    const { body } = await own.post(own.endpoints(`${name}/run`), {})
    expect(body.results.map((line: Body) => [line.label, line.count])).toEqual([
      ['a::q', 2],
      ['Other::Other', 4],
    ])
  })

  it('counts a first time for one value, where two events have the first time', async () => {
    const own = await createTenant({ harness: tenant })
    await sendBatch(own, [
      at('2026-03-02T10:00:00Z', 'ada', { plan: 'pro' }, 'visit'),
      at('2026-03-02T10:00:00Z', 'ada', { plan: 'free' }, 'visit'),
    ])
    const series = [{ event: 'visit', math: 'first_time_for_user' }]
    const breakdownFilter = { breakdown: 'plan' }
    const { name } = await own.endpoint({ query: { kind: 'TrendsQuery', series, ...WEEK, breakdownFilter } })
    const labels = async (variables: Body) => {
      const { body } = await own.post(own.endpoints(`${name}/run`), { variables })
      return body.results.map(({ label }: Body) => label)
    }
    const [first] = await labels({})
    expect(['pro', 'free']).toContain(first)
    expect([await labels({ plan: 'pro' }), await labels({ plan: 'free' })]).toEqual(
      first === 'pro' ? [['pro'], []] : [[], ['free']],
    )
  })

  it('counts an event of the last microseconds of a day', async () => {
    const own = await createTenant({ harness: tenant })
    await sendBatch(own, [at('2026-03-02T23:59:59.999500Z', 'ada', {}, 'visit')])
    const query = { kind: 'TrendsQuery', series: [{ event: 'visit' }] }
    const dateRange = { date_from: '2026-03-01', date_to: '2026-03-02' }
    const { name } = await own.endpoint({ query: { ...query, dateRange } })
    expect((await own.post(own.endpoints(`${name}/run`), {})).body.results[0].data).toEqual([0, 1])
  })

  it('takes breakdowns and dates as variables', async () => {
    const query = { breakdownFilter: { breakdowns: [{ property: '$browser', type: 'event' }] } }
    expect(brief(await linesOf(query, { variables: { $browser: 'Safari' } }))).toEqual([
      ['Safari', [1, 0, 0, 0, 1]],
    ])
    expect(brief(await linesOf(query, { variables: { $browser: '' } }))).toEqual([['null', [0, 0, 1, 0, 0]]])
    expect(brief(await linesOf({}, { variables: { date_from: '-6d', date_to: '2026-03-06' } }))).toEqual([
      ['$pageview', [2, 0, 1]],
    ])
    expect((await responseOf(query, { variables: { browser: 'x' } })).body.detail).toBe(
      'Unknown variable(s): browser. Known: $browser, date_from, date_to.',
    )
  })

  it('compares, cumulates, totals and calculates', async () => {
    const compared = await linesOf({
      compareFilter: { compare: true },
      dateRange: { date_from: '2026-03-02', date_to: '2026-03-08' },
    })
    expect(compared.map(({ compare_label, data }) => [compare_label, data])).toEqual([
      ['current', [3, 0, 2, 0, 1, 0, 0]],
      ['previous', [0, 0, 1, 0, 0, 0, 0]],
    ])
    expect(brief(await linesOf({ trendsFilter: { display: 'ActionsLineGraphCumulative' } }))).toEqual([
      ['$pageview', [3, 3, 5, 5, 6]],
    ])
    expect(
      (
        await linesOf({ trendsFilter: { display: 'BoldNumber' }, series: [{ ...PAGEVIEWS, math: 'dau' }] })
      )[0],
    ).toMatchObject({
      aggregated_value: 3,
      data: [],
      days: [],
    })
    const series = [PAGEVIEWS, { kind: 'EventsNode', event: 'bought' }]
    expect(brief(await linesOf({ series, trendsFilter: { formula: 'B / A * 100' } }))).toEqual([
      ['Formula (B / A * 100)', [(1 / 3) * 100, 0, 50, 0, 0]],
    ])
    expect(brief(await linesOf({ series, trendsFilter: { formula: 'A^2^B - -2^2' } }))).toEqual([
      ['Formula (A^2^B - -2^2)', [13, 4, 8, 4, 5]],
    ])
    expect(brief(await linesOf({ series, trendsFilter: { formula: 'B ^ -1' } }))).toEqual([
      ['Formula (B ^ -1)', [1, 0, 1, 0, 0]],
    ])
    expect(brief(await linesOf({ series, trendsFilter: { formula: '(B-2)**.5 + A*1E1' } }))).toEqual([
      ['Formula ((B-2)**.5 + A*1E1)', [0, 0, 0, 0, 0]],
    ])
    expect(brief(await linesOf({ series, trendsFilter: { formula: 'A*.5 + B*1e2 + 1.' } }))).toEqual([
      ['Formula (A*.5 + B*1e2 + 1.)', [102.5, 1, 102, 1, 1.5]],
    ])
    const sums = { formula: 'A*2', display: 'ActionsLineGraphCumulative' }
    expect((await linesOf({ trendsFilter: sums }))[0]).toMatchObject({ data: [6, 6, 10, 10, 12], count: 44 })
    // As in Python, in which upstream evaluates them.
    expect(
      brief(await linesOf({ series, trendsFilter: { formula: '+A ** 2 % 5 - -A % 2 * 10 + A % 0' } })),
    ).toEqual([['Formula (+A ** 2 % 5 - -A % 2 * 10 + A % 0)', [-6, 0, 4, 0, -9]]])
  })

  it.each([
    [
      'hour',
      { date_from: '2026-03-02T10:00:00', date_to: '2026-03-02T12:00:00' },
      ['2026-03-02 10:00:00', '2026-03-02 11:00:00', '2026-03-02 12:00:00'],
      [1, 1, 0],
    ],
    ['week', { date_from: '2026-02-22', date_to: '2026-03-07' }, ['2026-02-22', '2026-03-01'], [1, 6]],
    ['month', { date_from: '2026-02-01', date_to: '2026-03-31' }, ['2026-02-01', '2026-03-01'], [1, 6]],
  ])('counts by %s', async (interval, dateRange, days, data) => {
    const [line] = await linesOf({ interval, dateRange })
    expect([line!.days, line!.data]).toEqual([days, data])
  })

  it('begins with the first event for all time', async () => {
    const [line] = await linesOf({ interval: 'month', dateRange: { date_from: 'all' } })
    expect([line!.days, line!.data]).toEqual([
      ['2026-02-01', '2026-03-01'],
      [1, 6],
    ])
  })

  it('rejects unsupported settings', async () => {
    const refused = async (query: Body) => {
      const { status, body } = await tenant.post(tenant.endpoints(), {
        name: 'refused',
        query: { kind: 'TrendsQuery', ...query },
      })
      return [status, body.attr, body.detail]
    }
    expect(await refused({ series: [] })).toEqual([400, 'query', 'A TrendsQuery needs at least one series.'])
    expect(await refused({ series: [{ kind: 'GroupNode' }] })).toEqual([
      400,
      'query',
      "Series of kind 'GroupNode' are not supported: use EventsNode or ActionsNode.",
    ])
    expect(await refused({ series: [{ ...PAGEVIEWS, math: 'mode' }] })).toEqual([
      400,
      'query',
      "Unknown math 'mode' in a series. Valid choices: total, dau, unique_users, weekly_active, monthly_active, unique_session, unique_group, first_time_for_user, first_matching_event_for_user, hogql, sum, avg, min, max, median, p75, p90, p95, p99, sum_count_per_actor, avg_count_per_actor, min_count_per_actor, max_count_per_actor, median_count_per_actor, p75_count_per_actor, p90_count_per_actor, p95_count_per_actor, p99_count_per_actor.",
    ])
    const [, , detail] = await refused({ series: [{ ...PAGEVIEWS, math: 'mode' }] })
    const read: Record<string, Body> = {
      hogql: { math_hogql: 'count()' },
      unique_group: { math_group_type_index: 0 },
      ...Object.fromEntries(
        ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'].map((name) => [
          name,
          { math_property: 'amount' },
        ]),
      ),
    }
    for (const math of String(detail).split(': ')[1]!.slice(0, -1).split(', '))
      expect(() => measureOf({ ...PAGEVIEWS, ...read[math], math } as SeriesNode)).not.toThrow()
    expect(await refused({ series: [{ ...PAGEVIEWS, math: 'sum' }] })).toEqual([
      400,
      'query',
      "math 'sum' needs a math_property.",
    ])
    expect(await refused({ series: [PAGEVIEWS], conversionGoal: { customEventName: 'paid' } })).toEqual([
      400,
      'query',
      'conversionGoal is not supported in a TrendsQuery.',
    ])
    const ofUrls = { breakdown: '$current_url', breakdown_path_cleaning: true }
    expect(await refused({ series: [PAGEVIEWS], breakdownFilter: ofUrls })).toEqual([
      400,
      'query',
      'breakdownFilter.breakdown_path_cleaning is not supported in a TrendsQuery.',
    ])
    const escaping = 'count()) AS value FROM persons UNION ALL SELECT (1'
    expect(await refused({ series: [{ ...PAGEVIEWS, math: 'hogql', math_hogql: escaping }] })).toEqual([
      400,
      'query',
      expect.stringMatching(/^series\[0\]\.math_hogql is not a HogQL expression: /),
    ])
    const breakdownFilter = { breakdown: "event) = 'x' OR (1", breakdown_type: 'hogql' }
    expect(await refused({ series: [PAGEVIEWS], breakdownFilter })).toEqual([
      400,
      'query',
      expect.stringMatching(/^breakdownFilter\.breakdown is not a HogQL expression: /),
    ])
    expect(await refused({ series: [PAGEVIEWS], trendsFilter: { formula: 'A + C' } })).toEqual([
      400,
      'query',
      "Formula 'A + C' names series C, and there are 1.",
    ])
    expect(
      await refused({
        series: [PAGEVIEWS],
        trendsFilter: { formulas: Array.from({ length: 27 }, () => 'A') },
      }),
    ).toEqual([400, 'query', 'A TrendsQuery has at most 26 formulas.'])
    expect(await refused({ series: [PAGEVIEWS], trendsFilter: { formula: 'A+'.repeat(501) } })).toEqual([
      400,
      'query',
      'A formula has at most 1000 characters.',
    ])
  })
})
