// Options of insights: each is computed, rejected by name, or changes no number. Expected numbers are counted from the events in TypeScript.
import { beforeAll, describe, expect, it } from 'vitest'
import * as schemas from '../../../src/endpoints/query/query-schemas'
import { supportByOption } from '../../../src/endpoints/query/query-options'
import { FILTER_OPERATORS } from '../../../src/hogql/resolve/filters/operators'
import { event, sendBatch } from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'
import { resultsOf as resultsFor, runOf } from './generated-events'

type Body = Record<string, unknown>

interface Happening {
  who: string
  name: string
  /** Of March 2026. */
  day: number
  plan: string
  amount: number
}

/** Six people over ten days, by a fixed rule that mixes events, plans and gaps. */
const HAPPENINGS: Happening[] = ['ada', 'bob', 'cy', 'dee', 'eve', 'fay'].flatMap((who, person) =>
  Array.from({ length: 10 }, (_, index) => index).flatMap((index) => {
    const seed = (person * 7 + index * 5 + person * index) % 11
    if (seed % 3 === 0) return []
    return [
      {
        who,
        name: seed % 4 === 1 ? 'paid' : 'visit',
        day: index + 1,
        plan: seed % 2 === 0 ? 'pro' : 'free',
        amount: seed,
      },
    ]
  }),
)

const at = ({ who, name, day, plan, amount }: Happening) => ({
  ...event(who, { plan, amount }, name),
  timestamp: `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`,
})

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const { status } = await sendBatch(tenant, HAPPENINGS.map(at))
  if (status !== 200) throw new Error('events were not taken')
})

const RANGE = { date_from: '2026-03-03', date_to: '2026-03-10' }
const DAYS = [3, 4, 5, 6, 7, 8, 9, 10]
const PRO = { key: 'plan', value: 'pro', operator: 'exact', type: 'event' }
const isPro = ({ plan }: Happening) => plan === 'pro'
const visits = HAPPENINGS.filter(({ name }) => name === 'visit')

/** The first event of each person. */
const firsts = (happenings: readonly Happening[]): Happening[] =>
  [...Map.groupBy(happenings, ({ who }) => who).values()].map((own) =>
    own.reduce((first, each) => (each.day < first.day ? each : first)),
  )

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

const daily = (happenings: readonly Happening[]) =>
  DAYS.map((day) => happenings.filter((each) => each.day === day).length)

const resultsOf = (query: Body) => resultsFor(tenant, { dateRange: RANGE, ...query })

async function rejectionOf(query: Body) {
  const { status, body } = await tenant.post(tenant.endpoints(), { name: 'rejected', query })
  return [status, body.attr, body.detail]
}

const visit = (more: Body = {}) => ({ kind: 'EventsNode', event: 'visit', ...more })
const trends = (more: Body = {}) => ({ kind: 'TrendsQuery', series: [visit()], ...more })
const funnel = (first: Body, second: Body = { event: 'paid' }, more: Body = {}) => ({
  kind: 'FunnelsQuery',
  series: [first, second],
  ...more,
})
const retention = (more: Body = {}, filter: Body = {}) => ({
  kind: 'RetentionQuery',
  retentionFilter: {
    targetEntity: { id: 'visit', type: 'events', properties: [PRO] },
    returningEntity: { id: 'paid', type: 'events' },
    totalIntervals: 4,
    ...filter,
  },
  ...more,
})

describe('tables of events', () => {
  const rowsOf = (query: Body) =>
    resultsFor(tenant, { kind: 'EventsQuery', select: ['count()'], after: '2026-03-01', ...query })

  it.each(['dEnd', 'wEnd', 'mEnd', 'yEnd', '+1h', '+1d'])('end in the future: %s', async (before) => {
    expect(await rowsOf({ before })).toEqual([[HAPPENINGS.length]])
  })

  it('end where a run chooses it', async () => {
    const { name } = await tenant.endpoint({ query: { kind: 'EventsQuery', select: ['count()'] } })
    const run = (variables: Body) => tenant.post(tenant.endpoints(`${name}/run`), { variables })
    const { status, body } = await run({ date_from: '2026-03-01', date_to: 'dEnd' })
    expect([status, body.results]).toEqual([200, [[HAPPENINGS.length]]])
    expect((await run({ date_from: '-5d', date_to: '+1d' })).status).toBe(200)
  })
})

const dataOf = async (query: Body) => (await resultsOf(query))[0].data

describe('trends', () => {
  it.each([2, 3, 20])('smooths over %i periods', async (length) => {
    const raw = daily(visits)
    const expected = raw.map((_, index) => {
      const window = raw.slice(Math.max(0, index - length + 1), index + 1)
      return Math.floor(window.reduce((sum, value) => sum + value, 0) / window.length)
    })
    expect(await dataOf(trends({ trendsFilter: { smoothingIntervals: length } }))).toEqual(expected)
  })

  it('computes the formula beside empty lists of formulas', async () => {
    const query = trends({ series: [visit(), visit()], trendsFilter: { formula: 'A+B', formulas: [] } })
    expect(await resultsOf(query)).toMatchObject([{ data: daily(visits).map((value) => 2 * value) }])
  })

  it.each([0.5, -2, 0])('multiplies the property by %d', async (factor) => {
    const sums = DAYS.map((day) =>
      visits.filter((each) => each.day === day).reduce((sum, { amount }) => sum + amount * factor, 0),
    )
    const measured = { math: 'sum', math_property: 'amount', math_multiplier: factor }
    expect((await dataOf(trends({ series: [visit(measured)] }))).map((value: number) => value + 0)).toEqual(
      sums.map((value) => value + 0),
    )
  })

  it.each(['total', 'dau', 'weekly_active', 'sum_count_per_actor', 'hogql'])(
    'rejects a factor for the math %s, which measures no property',
    async (math) => {
      const query = trends({
        series: [
          visit({ math, math_multiplier: 10, ...(math === 'hogql' ? { math_hogql: 'count()' } : {}) }),
        ],
      })
      expect(await rejectionOf(query)).toEqual([
        400,
        'query',
        `math_multiplier needs a math of a property, such as 'sum' or 'avg', and not '${math}'.`,
      ])
    },
  )

  const filtered = (filter: Body) =>
    trends({ series: [visit({ properties: [{ type: 'event', ...filter }] })] })

  it.each([
    [
      'a property without a math',
      trends({ series: [visit({ math_property: 'amount' })] }),
      "math_property needs a math of a property, such as 'sum' or 'avg', and not 'total'.",
    ],
    [
      'a property beside a math that counts people',
      trends({ series: [visit({ math: 'dau', math_property: 'amount' })] }),
      "math_property needs a math of a property, such as 'sum' or 'avg', and not 'dau'.",
    ],
    [
      'a type of property beside a math that counts events',
      trends({ series: [visit({ math: 'total', math_property_type: 'nonsense' })] }),
      "math_property_type needs a math of a property, such as 'sum' or 'avg', and not 'total'.",
    ],
    [
      'an unknown type of property',
      trends({
        series: [visit({ math: 'sum', math_property: 'amount', math_property_type: 'group_properties' })],
      }),
      "Unknown math_property_type 'group_properties'. Valid choices: event_properties, person_properties, session_properties.",
    ],
    [
      'an expression without a math',
      trends({ series: [visit({ math_hogql: 'count()' })] }),
      "math_hogql needs the math 'hogql', and not 'total'.",
    ],
    [
      'an expression beside a math that counts events',
      trends({ series: [visit({ math: 'total', math_hogql: 'sum(properties.amount)' })] }),
      "math_hogql needs the math 'hogql', and not 'total'.",
    ],
    [
      'a type of group beside a math that counts events',
      trends({ series: [visit({ math: 'total', math_group_type_index: 0 })] }),
      "math_group_type_index needs the math 'unique_group', or one of dau, unique_users, weekly_active, monthly_active, and not 'total'.",
    ],
    [
      'the id of an action without a kind',
      trends({ series: [{ id: 1 }] }),
      "An EventsNode has an event and no id: id 1 of an action needs kind 'ActionsNode'.",
    ],
    [
      'the id of an action beside an event',
      trends({ series: [visit({ id: 1 })] }),
      "An EventsNode has an event and no id: id 1 of an action needs kind 'ActionsNode'.",
    ],
    [
      'the event of an action',
      trends({ series: [{ kind: 'ActionsNode', id: 1, event: 'visit' }] }),
      "An ActionsNode has an id and no event: event 'visit' needs kind 'EventsNode'.",
    ],
    ...[
      funnel(visit(), { id: 1 }),
      funnel(visit(), undefined, {
        funnelsFilter: { exclusions: [{ id: 1, funnelFromStep: 0, funnelToStep: 1 }] },
      }),
      { kind: 'StickinessQuery', series: [{ id: 1 }] },
      { kind: 'LifecycleQuery', series: [{ id: 1 }] },
    ].map((query): [string, Body, string] => [
      `the id of an action without a kind in ${JSON.stringify(query)}`,
      query,
      "id 1 of an action needs kind 'ActionsNode'.",
    ]),
    [
      'the id of an action without a type in a retention',
      retention({}, { targetEntity: { id: 1 } }),
      "id 1 of a retention entity is that of an action: set type 'actions'.",
    ],
    ...['', '1.5', true].map((id): [string, Body, string] => [
      `the id ${JSON.stringify(id)} of an action`,
      id === true
        ? filtered({ key: 'id', type: 'action', value: id })
        : retention({}, { targetEntity: { id, type: 'actions' } }),
      id === true
        ? 'An action is named by its id, a whole number, or by its name'
        : 'An ActionsNode needs the id of an action.',
    ]),
    [
      'normalizing of URLs beside a list of breakdowns',
      trends({ breakdownFilter: { breakdown_normalize_url: true, breakdowns: [{ property: 'url' }] } }),
      'breakdownFilter.breakdown_normalize_url is for breakdown: set normalize_url of each of the breakdowns.',
    ],
    [
      'a type of group beside a list of breakdowns',
      trends({ breakdownFilter: { breakdown_group_type_index: 0, breakdowns: [{ property: 'url' }] } }),
      'breakdownFilter.breakdown_group_type_index is for breakdown: set group_type_index of each of the breakdowns.',
    ],
    ...[
      { breakdown: 'plan', breakdown_group_type_index: 3 },
      { breakdowns: [{ property: 'plan', type: 'event', group_type_index: 3 }] },
    ].map((breakdownFilter): [string, Body, string] => [
      `a type of group for events in ${JSON.stringify(breakdownFilter)}`,
      trends({ breakdownFilter }),
      "A breakdown with a group_type_index has the type 'group', and not 'event'.",
    ]),
    [
      'a breakdown by an unknown field of events',
      trends({ breakdownFilter: { breakdown: 'nope', breakdown_type: 'event_metadata' } }),
      "Unknown field 'nope' of events to break down by. Valid choices: event, distinct_id, person_id, $session_id, timestamp, uuid.",
    ],
    [
      'both forms of breakdowns',
      trends({ breakdownFilter: { breakdown: 'plan', breakdowns: [{ property: 'other' }] } }),
      'breakdownFilter has breakdown and breakdowns: send one of them.',
    ],
    [
      'an aggregate as a breakdown',
      trends({ breakdownFilter: { breakdown: 'countIf(1)', breakdown_type: 'hogql' } }),
      "breakdownFilter.breakdown is a value of each event, and 'countIf' is an aggregate: use math_hogql.",
    ],
    [
      'an aggregate as an actor',
      funnel({ event: 'visit' }, undefined, { funnelsFilter: { funnelAggregateByHogQL: 'max(event)' } }),
      "funnelsFilter.funnelAggregateByHogQL is a value of each event, and 'max' is an aggregate: use math_hogql.",
    ],
    [
      'a range that ends before it begins',
      trends({ dateRange: { date_from: '2026-03-09', date_to: '2026-03-08' } }),
      "dateRange.date_from '2026-03-09' is after dateRange.date_to '2026-03-08'.",
    ],
    [
      'a date that is none',
      { kind: 'EventsQuery', select: ['event'], after: 'bogus' },
      "'bogus' is not a date: after takes an ISO 8601 date, a distance such as '-7d' or 'mStart', or 'all'.",
    ],
    ...['2026-03-05', '2026-03-05T00:00:00.001Z'].map((after): [string, Body, string] => [
      `a table that ends before ${after}`,
      { kind: 'EventsQuery', select: ['event'], after, before: '2026-03-01' },
      `after '${after}' is after before '2026-03-01'.`,
    ]),
    [
      'a table without an end',
      { kind: 'EventsQuery', select: ['event'], before: 'all' },
      "'all' is not a date: before takes an ISO 8601 date, a distance such as '-7d' or 'mStart'.",
    ],
    [
      'an unknown operator without values',
      filtered({ key: 'plan', operator: 'bogus', value: [] }),
      "The operator 'bogus' of the filter on 'plan' is not supported. Supported: exact, is_not, ",
    ],
    ...[true, [1], '0x1', ' 1 ', 1.5, null, '', false, []].map((value): [string, Body, string] => [
      `the cohort ${JSON.stringify(value)}`,
      filtered({ key: 'id', type: 'cohort', value }),
      'A filter on a cohort takes its id, a whole number',
    ]),
    ...FILTER_OPERATORS.filter(
      (operator) => !['exact', 'in', 'not_in', 'is_not', 'is_set', 'is_not_set'].includes(operator),
    ).flatMap((operator) =>
      [{}, { value: null }, { value: [null, 'a'] }].map((given): [string, Body, string] => [
        `the operator ${operator} with ${JSON.stringify(given)}`,
        filtered({ key: 'plan', operator, ...given }),
        `The filter on 'plan' needs a value for the operator '${operator}'`,
      ]),
    ),
    [
      'a version that is none',
      filtered({ key: 'plan', operator: 'semver_gt', value: 'junk' }),
      "The filter on 'plan': 'junk' is not a version such as 1.2.3",
    ],
    [
      'another operator of a cohort',
      filtered({ key: 'id', type: 'cohort', operator: 'gt', value: 1 }),
      "A filter on a cohort takes the operator 'in' or 'not_in', and got 'gt'",
    ],
    [
      'a date that is none as a bound of a datetime',
      filtered({ key: 'timestamp', type: 'event_metadata', operator: 'gt', value: 'bad' }),
      "The filter on 'timestamp' takes a date, such as '2026-01-31', or a distance, such as '-7d'",
    ],
  ])('rejects %s', async (_, query, detail) => {
    const [status, attr, text] = await rejectionOf(query)
    expect([status, attr]).toEqual([400, 'query'])
    expect(text).toContain(detail)
  })

  it('compares datetimes with dates and distances by the operators of numbers', async () => {
    const counted = async (operator: string, value: string) =>
      total(await dataOf(filtered({ key: 'timestamp', type: 'event_metadata', operator, value })))
    const all = total(daily(visits))
    expect(await counted('gte', '2026-03-01')).toBe(all)
    expect(await counted('lt', '2026-03-01')).toBe(0)
    expect(await counted('gt', '-3650d')).toBe(await counted('is_date_after', '-3650d'))
  })

  it('counts people by their first event, and by the first that the filters match', async () => {
    const counted = (math: string) => dataOf(trends({ series: [visit({ math, properties: [PRO] })] }))
    const ever = firsts(visits).filter(isPro)
    const matching = firsts(visits.filter(isPro))
    expect(ever.length).toBeLessThan(matching.length)
    expect(await counted('first_time_for_user')).toEqual(daily(ever))
    expect(await counted('first_matching_event_for_user')).toEqual(daily(matching))
  })

  it.each(['avg', 'min', 'max'])('shows the %s of events per person as one number', async (statistic) => {
    const byPerson = Map.groupBy(
      visits.filter(({ day }) => DAYS.includes(day)),
      ({ who }) => who,
    )
    const numbers = [...byPerson.values()].map(({ length }) => length)
    const average = total(numbers) / numbers.length
    const expected = { avg: average, min: Math.min(...numbers), max: Math.max(...numbers) }[statistic]!
    const [line] = await resultsOf(
      trends({
        series: [visit({ math: `${statistic}_count_per_actor` })],
        trendsFilter: { display: 'BoldNumber' },
      }),
    )
    expect(line.aggregated_value).toBeCloseTo(expected, 9)
  })

  it('counts who is active from the start of the first period, in which the range begins', async () => {
    const active = (last: number, days: number) =>
      new Set(visits.filter(({ day }) => day <= last && day > last - days).map(({ who }) => who)).size
    const dateRange = { date_from: '2026-03-05T12:00:00', date_to: '2026-03-06T12:00:00', explicitDate: true }
    expect(await dataOf(trends({ series: [visit({ math: 'weekly_active' })], dateRange }))).toEqual([
      active(5, 7),
      active(6, 7),
    ])
    // Weeks start on Sundays: 1 March and 8 March.
    expect(await dataOf(trends({ series: [visit({ math: 'monthly_active' })], interval: 'week' }))).toEqual([
      active(1, 30),
      active(8, 30),
    ])
  })

  // Weeks start on Sundays: those of 1 March and 8 March.
  it.each([
    ['weekly_active', 'week', [(day: number) => day < 8, (day: number) => day >= 8]],
    ['weekly_active', 'month', [() => true]],
    ['weekly_active', 'year', [() => true]],
    ['monthly_active', 'month', [() => true]],
    ['monthly_active', 'quarter', [() => true]],
  ] as const)('counts as %s by %s who is active in each of them', async (math, interval, periods) => {
    const people = (isOfPeriod: (day: number) => boolean) =>
      new Set(visits.filter(({ day }) => isOfPeriod(day)).map(({ who }) => who)).size
    const query = { interval, dateRange: { date_from: '2026-03-01', date_to: '2026-03-10' } }
    expect(await dataOf(trends({ ...query, series: [visit({ math })] }))).toEqual(periods.map(people))
  })

  // Each display that shows totals, and with one of them each interval.
  it.each([
    ...['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap'].map((display) => [
      display,
      'week',
    ]),
    ...['hour', 'day', 'month', 'quarter', 'year'].map((interval) => ['BoldNumber', interval]),
  ])(
    'shows totals of the days of the range, and of as many days before, as %s by %s',
    async (display, interval) => {
      const dateRange = { date_from: '2026-03-06T12:00:00', date_to: '2026-03-08T12:00:00' }
      const compareFilter = { compare: true }
      const of = (days: readonly number[]) => visits.filter(({ day }) => days.includes(day)).length
      const lines: Body[] = await resultsOf(
        trends({ interval, dateRange, compareFilter, trendsFilter: { display } }),
      )
      expect(lines.map(({ aggregated_value: value }) => value)).toEqual([of([6, 7, 8]), of([3, 4, 5])])
    },
  )
})

describe('breakdowns of trends', () => {
  const seen = ({ day }: Happening) => day >= 3
  const lines = async (breakdownFilter: Body, more: Body = {}) =>
    (await resultsOf(trends({ series: [{ kind: 'EventsNode' }], breakdownFilter, ...more }))).map(
      ({ label, breakdown_value: value, data }: Body) => [label, value, data],
    )
  const of = (happenings: readonly Happening[]) => daily(happenings)
  const plans = ['free', 'pro'].toSorted(
    (a, b) =>
      HAPPENINGS.filter((each) => seen(each) && each.plan === b).length -
      HAPPENINGS.filter((each) => seen(each) && each.plan === a).length,
  )

  it('show as many values as the limit, and the others summed up or not at all', async () => {
    const [first, second] = plans.map((plan) => of(HAPPENINGS.filter((each) => each.plan === plan)))
    expect(await lines({ breakdown: 'plan', breakdown_limit: 1 })).toEqual([
      [plans[0], plans[0], first],
      ['Other', 'Other', second],
    ])
    expect(
      await lines({ breakdown: 'plan', breakdown_limit: 1, breakdown_hide_other_aggregation: true }),
    ).toEqual([[plans[0], plans[0], first]])
  })

  it('are the same values in every series of a formula, where each has another that is the largest', async () => {
    const without = (value: string) => ({
      ...visit(),
      math: 'sum',
      math_property: 'amount',
      properties: [{ key: 'plan', value, operator: 'is_not', type: 'event' }],
    })
    // The first series has only free plans, the second only pro ones.
    const series = [without('pro'), without('free')]
    const sums = (plan: string) =>
      DAYS.map((day) =>
        visits
          .filter((each) => each.day === day && each.plan === plan)
          .reduce((sum, { amount }) => sum + amount, 0),
      )
    const trendsFilter = { formula: 'A-B' }
    const byPlan = { free: sums('free'), pro: sums('pro').map((value) => 0 - value) }
    const all = await lines({ breakdown: 'plan' }, { series, trendsFilter })
    expect(Object.fromEntries(all.map(([, value, data]: unknown[]) => [value, data]))).toEqual(byPlan)
    const [largest, other] = total(byPlan.free) > -total(byPlan.pro) ? ['free', 'pro'] : ['pro', 'free']
    const some = await lines({ breakdown: 'plan', breakdown_limit: 1 }, { series, trendsFilter })
    expect(Object.fromEntries(some.map(([, value, data]: unknown[]) => [value, data]))).toEqual({
      [largest!]: byPlan[largest as 'free'],
      Other: byPlan[other as 'pro'],
    })
    expect(
      await lines(
        { breakdown: 'plan', breakdown_limit: 1, breakdown_hide_other_aggregation: true },
        { series, trendsFilter },
      ),
    ).toEqual([[largest, largest, byPlan[largest as 'free']]])
  })

  it('count the members of cohorts, and of none', async () => {
    const people: string[][] = await resultsOf({
      kind: 'HogQLQuery',
      query: "SELECT DISTINCT person_id FROM events WHERE distinct_id IN ('ada', 'eve')",
      dateRange: undefined,
    })
    const cohortOf = async (ids: string[]) =>
      (
        await tenant.post(`/api/projects/${tenant.projectId}/cohorts/`, {
          name: 'Some',
          is_static: true,
          _create_static_person_ids: ids,
        })
      ).body.id
    const some = await cohortOf(people.flat())
    const none = await cohortOf([])
    const members = HAPPENINGS.filter(({ who }) => who === 'ada' || who === 'eve')
    const breakdownFilter = { breakdown: [none, some, 'all'], breakdown_type: 'cohort' }
    expect(await lines(breakdownFilter)).toEqual([
      ['all users', 'all', of(HAPPENINGS)],
      [`cohort ${some}`, some, of(members)],
      [`cohort ${none}`, none, DAYS.map(() => 0)],
    ])
    const actors = (happenings: readonly Happening[]) => of(firsts(happenings))
    expect(await lines(breakdownFilter, { series: [visit({ math: 'first_time_for_user' })] })).toEqual([
      [`cohort ${some}`, some, actors(members.filter(({ name }) => name === 'visit'))],
      ['all users', 'all', actors(visits)],
      [`cohort ${none}`, none, DAYS.map(() => 0)],
    ])
    expect(
      await rejectionOf(trends({ breakdownFilter: { ...breakdownFilter, breakdown: [987_654] } })),
    ).toEqual([400, 'query', expect.stringContaining('987654')])
    expect(
      await rejectionOf(trends({ series: Array.from({ length: 20 }, () => visit()), breakdownFilter })),
    ).toEqual([400, 'query', 'A TrendsQuery has at most 52 series times cohorts times ranges, not 60.'])
  })

  it.each([[null], [[]]])('are none where the type is cohort and the breakdown is %j', async (breakdown) => {
    const breakdownFilter = { breakdown_type: 'cohort', breakdown }
    expect(await resultsOf(trends({ breakdownFilter }))).toEqual(await resultsOf(trends()))
    const steps = funnel(visit())
    expect(await resultsOf({ ...steps, breakdownFilter })).toEqual(await resultsOf(steps))
    const times = { ...steps, funnelsFilter: { funnelVizType: 'time_to_convert' } }
    expect(await resultsOf({ ...times, breakdownFilter })).toEqual(await resultsOf(times))
  })

  it('add the largest amounts of the others up as Other, as upstream', async () => {
    const series = [{ kind: 'EventsNode', math: 'max', math_property: 'amount' }]
    const breakdownFilter = { breakdown: 'distinct_id', breakdown_type: 'event_metadata', breakdown_limit: 1 }
    const [[first], other] = await lines(breakdownFilter, { series })
    const largest = (who: string, on: number) =>
      Math.max(
        0,
        ...HAPPENINGS.filter((each) => each.who === who && each.day === on).map((each) => each.amount),
      )
    const others = ['ada', 'bob', 'cy', 'dee', 'eve', 'fay'].filter((who) => who !== first)
    expect(other).toEqual([
      'Other',
      'Other',
      DAYS.map((day) => total(others.map((who) => largest(who, day)))),
    ])
  })

  it('are those of `breakdowns`, also where the older form is by cohort', async () => {
    const breakdownFilter = { breakdown_type: 'cohort', breakdowns: [{ property: 'plan', type: 'event' }] }
    const values = (results: Body[]) => results.map(({ breakdown_value: value }) => value)
    expect(values(await resultsOf(trends({ breakdownFilter })))).toEqual(plans.map((plan) => [plan]))
    const steps: Body[][] = await resultsOf(
      funnel({ event: 'visit' }, { event: 'paid' }, { breakdownFilter }),
    )
    // Each person's first event with a plan is a pro one.
    expect(values(steps.map(([first]) => first!))).toEqual([['pro']])
  })

  it('normalize URLs', async () => {
    const other = await createTenant()
    const urls = ['https://a.test/', 'https://a.test', 'https://a.test/?#', '/', '']
    await sendBatch(
      other,
      urls.map((url) => ({ ...event('ada', { url }, 'visit'), timestamp: '2026-03-04T10:00:00Z' })),
    )
    const breakdowns = [{ property: 'url', type: 'event', normalize_url: true }]
    for (const breakdownFilter of [{ breakdowns }, { breakdown: 'url', breakdown_normalize_url: true }]) {
      const body = await runOf(other, { dateRange: RANGE, ...trends({ breakdownFilter }) })
      expect(body.results.map(({ label, count }: Body) => [label, count])).toEqual([
        ['https://a.test', 3],
        ['/', 2],
      ])
    }
  })
})

describe('retention', () => {
  /** Rows of people by the day of their start, and those that paid so many days later. */
  const table = (starts: readonly Happening[], returns: readonly Happening[] = HAPPENINGS) =>
    DAYS.map((day, index) => {
      const people = new Set(starts.filter((each) => each.day === day).map(({ who }) => who))
      return Array.from({ length: Math.min(4, DAYS.length - index) }, (_, distance) =>
        distance === 0
          ? people.size
          : [...people].filter((who) =>
              returns.some((each) => each.who === who && each.name === 'paid' && each.day === day + distance),
            ).length,
      )
    })
  const tableOf = async (query: Body) =>
    (await resultsOf(query)).map(({ values }: { values: { count: number }[] }) =>
      values.map(({ count }) => count),
    )

  it.each([
    ['retention_recurring', visits.filter(isPro)],
    ['retention_first_time', firsts(visits.filter(isPro))],
    ['retention_first_ever_occurrence', firsts(visits).filter(isPro)],
  ])('starts people by %s', async (retentionType, starts) => {
    expect(await tableOf(retention({}, { retentionType }))).toEqual(table(starts))
  })

  const isFree = ({ plan }: Happening) => plan === 'free'
  it.each([
    ['retention_recurring', visits, true],
    ['retention_first_time', [...firsts(visits.filter(isPro)), ...firsts(visits.filter(isFree))], true],
    ['retention_first_ever_occurrence', firsts(visits), false],
  ])('breaks down starts by %s, and returns with the same value', async (retentionType, starts, isSame) => {
    const breakdowns = [{ property: 'plan', type: 'event' }]
    const filter = { retentionType, targetEntity: { id: 'visit', type: 'events' } }
    const rows: (Body & { values: { count: number }[] })[] = await resultsOf(
      retention({ breakdownFilter: { breakdowns } }, filter),
    )
    for (const isValue of [isPro, isFree].filter((is) =>
      starts.some((each) => is(each) && DAYS.includes(each.day)),
    )) {
      const own = rows.filter((row) => row.breakdown_value === (isValue === isPro ? 'pro' : 'free'))
      expect(own.map(({ values }) => values.map(({ count }) => count))).toEqual(
        table(starts.filter(isValue), isSame ? HAPPENINGS.filter(isValue) : HAPPENINGS),
      )
    }
  })

  it('returns without a value to a start without one', async () => {
    const filter = { targetEntity: { id: 'visit', type: 'events' } }
    const breakdowns = [
      { property: 'plan', type: 'event' },
      { property: 'absent', type: 'event' },
    ]
    const rows: (Body & { values: { count: number }[] })[] = await resultsOf(
      retention({ breakdownFilter: { breakdowns } }, filter),
    )
    const own = rows.filter(({ breakdown_value: value }) => (value as string[])[0] === 'pro')
    expect(own.map(({ values }) => values.map(({ count }) => count))).toEqual(
      table(visits.filter(isPro), HAPPENINGS.filter(isPro)),
    )
  })

  it('starts people whose first event ever has the chosen value of a breakdown', async () => {
    const filter = {
      targetEntity: { id: 'visit', type: 'events' },
      retentionType: 'retention_first_ever_occurrence',
    }
    const query = retention({ dateRange: RANGE, breakdownFilter: { breakdown: 'plan' } }, filter)
    const { name } = await tenant.endpoint({ query })
    const { status, body } = await tenant.post(tenant.endpoints(`${name}/run`), {
      variables: { plan: 'pro' },
    })
    expect(status).toBe(200)
    expect(
      body.results.map(({ values }: { values: { count: number }[] }) => values.map(({ count }) => count)),
    ).toEqual(table(firsts(visits).filter(isPro)))
  })

  it('starts with any event where the entity has only the name that interfaces show', async () => {
    const targetEntity = { id: null, name: 'All events', type: 'events' }
    expect(await tableOf(retention({}, { targetEntity }))).toEqual(table(HAPPENINGS))
  })

  it.each([
    { minimumOccurrences: 0 },
    { minimumOccurrences: -5 },
    { totalIntervals: 0 },
    { totalIntervals: 101 },
  ])('rejects %j', async (filter) => {
    expect((await rejectionOf(retention({}, filter)))[0]).toBe(400)
  })

  it.each([2, 3, 8])(
    'counts at each of %i distances who returns then or at a later one of them',
    async (shown) => {
      const filter = {
        cumulative: true,
        targetEntity: { id: 'visit', type: 'events' },
        totalIntervals: shown,
      }
      const expected = DAYS.map((day, index) => {
        const starts = [...new Set(visits.filter((each) => each.day === day).map(({ who }) => who))]
        return Array.from({ length: Math.min(shown, DAYS.length - index) }, (_, distance) =>
          distance === 0
            ? starts.length
            : starts.filter((who) =>
                HAPPENINGS.some(
                  (each) =>
                    each.who === who &&
                    each.name === 'paid' &&
                    each.day >= day + distance &&
                    each.day < day + shown &&
                    DAYS.includes(each.day),
                ),
              ).length,
        )
      })
      expect(await tableOf(retention({}, filter))).toEqual(expected)
    },
  )
})

describe('funnels', () => {
  const inRange = ({ day }: Happening) => day >= 3
  const countsOf = async (query: Body) =>
    (await resultsOf(query)).map(({ count }: { count: number }) => count)
  /** People with one of these events, and those that paid within so many days after one. */
  const reached = (starts: readonly Happening[]) => {
    const began = starts.filter(inRange)
    const paid = began.filter(({ who, day }) =>
      HAPPENINGS.some(
        (each) => each.who === who && each.name === 'paid' && each.day > day && each.day <= day + 14,
      ),
    )
    return [began, paid].map((each) => new Set(each.map(({ who }) => who)).size)
  }

  it.each([
    ['total', visits.filter(isPro)],
    ['first_time_for_user', firsts(visits).filter(isPro)],
    ['first_time_for_user_with_filters', firsts(visits.filter(isPro))],
  ])('counts a step by %s', async (math, starts) => {
    expect(await countsOf(funnel(visit({ math, properties: [PRO] })))).toEqual(reached(starts))
  })
})

describe('lifecycles', () => {
  it('begin with the first whole period of an explicit range', async () => {
    const newOf = async (dateRange: Body) => {
      const lines: Body[] = await resultsOf({ kind: 'LifecycleQuery', series: [visit()], dateRange })
      return (lines[0]!.days as string[])[0]
    }
    const date_to = '2026-03-06'
    expect(await newOf({ date_from: '2026-03-03T10:00:00', date_to })).toBe('2026-03-03')
    expect(await newOf({ date_from: '2026-03-03T10:00:00', date_to, explicitDate: true })).toBe('2026-03-04')
    expect(await newOf({ date_from: '2026-03-03', date_to, explicitDate: true })).toBe('2026-03-03')
  })

  it('take shown_as of earlier queries, which changes no number', async () => {
    const lifecycle = { kind: 'LifecycleQuery', series: [visit()], dateRange: RANGE }
    const withOptions = { ...lifecycle, lifecycleFilter: { shown_as: 'Lifecycle' } }
    expect(await resultsOf(withOptions)).toEqual(await resultsOf(lifecycle))
  })
})

describe('an option without support', () => {
  const unknown = (path: string, name: string, nearest?: string) => [
    400,
    null,
    `JSON parse error - ${path}: Unknown field: ${name}${nearest ? `. Did you mean ${nearest}?` : ''}`,
  ]
  const unsupported = (option: string, kind: string) => [
    400,
    'query',
    `${option} is not supported in a ${kind}.`,
  ]

  it.each([
    [
      trends({ trendsFilter: { dispaly: 'BoldNumber' } }),
      unknown('query.trendsFilter', 'dispaly', 'display'),
    ],
    [trends({ series: [visit({ maht: 'dau' })] }), unknown('query.series.0', 'maht', 'math')],
    [
      trends({ series: [visit({ properties: [{ ...PRO, valeu: 1 }] })] }),
      unknown('query.series.0.properties.0', 'valeu', 'value'),
    ],
    [trends({ properties: [{ ...PRO, negation: true }] }), unknown('query.properties.0', 'negation')],
    [
      trends({
        properties: { type: 'AND', values: [{ type: 'OR', values: [{ ...PRO, operater: 'is_not' }] }] },
      }),
      unknown('query.properties.values.0.values.0', 'operater'),
    ],
    [trends({ trendsFilter: { nothingLikeIt: 1 } }), unknown('query.trendsFilter', 'nothingLikeIt')],
    [
      trends({ breakdownFilter: { breakdwon: 'plan' } }),
      unknown('query.breakdownFilter', 'breakdwon', 'breakdown'),
    ],
    [
      trends({ breakdownFilter: { breakdowns: [{ property: 'a', typ: 'event' }] } }),
      unknown('query.breakdownFilter.breakdowns.0', 'typ', 'type'),
    ],
    [trends({ compareFilter: { comapre: true } }), unknown('query.compareFilter', 'comapre', 'compare')],
    [
      trends({ trendsFilter: { smoothing_intervals: 2 } }),
      unknown('query.trendsFilter', 'smoothing_intervals', 'smoothingIntervals'),
    ],
    [
      trends({ trendsFilter: { display: 'Donut' } }),
      [
        400,
        null,
        expect.stringMatching(
          /^JSON parse error - query\.trendsFilter\.display: "Donut" is not a valid choice\. Valid choices: ActionsLineGraph, /,
        ),
      ],
    ],
    [
      trends({ trendsFilter: { smoothingIntervals: 0 } }),
      [
        400,
        null,
        'JSON parse error - query.trendsFilter.smoothingIntervals: Ensure this value is greater than or equal to 1.',
      ],
    ],
    [
      retention({}, { targetEntity: { id: 'visit', properteis: [] } }),
      unknown('query.retentionFilter.targetEntity', 'properteis', 'properties'),
    ],
    [
      trends({
        series: [
          visit({ math: 'sum', math_property: 'amount', math_property_revenue_currency: { static: 'EUR' } }),
        ],
      }),
      unsupported('series[0].math_property_revenue_currency', 'TrendsQuery'),
    ],
    [
      trends({ breakdownFilter: { breakdown: 'plan', breakdown_path_cleaning: true } }),
      unsupported('breakdownFilter.breakdown_path_cleaning', 'TrendsQuery'),
    ],
    [
      { kind: 'LifecycleQuery', series: [visit()], customAggregationTarget: true },
      unsupported('customAggregationTarget', 'LifecycleQuery'),
    ],
    [
      funnel(visit({ math: 'dau' })),
      [
        400,
        'query',
        "series[0].math 'dau' is not supported in a FunnelsQuery. Supported: total, first_time_for_user, first_time_for_user_with_filters.",
      ],
    ],
    [
      funnel(visit(), undefined, {
        funnelsFilter: {
          exclusions: [{ event: 'spam', math: 'first_time_for_user', funnelFromStep: 0, funnelToStep: 1 }],
        },
      }),
      [
        400,
        'query',
        "funnelsFilter.exclusions[0].math 'first_time_for_user' is not supported in a FunnelsQuery. Supported: total.",
      ],
    ],
    [
      funnel(visit(), undefined, {
        funnelsFilter: {
          exclusions: [{ event: 'spam', optionalInFunnel: true, funnelFromStep: 0, funnelToStep: 1 }],
        },
      }),
      unsupported('funnelsFilter.exclusions[0].optionalInFunnel', 'FunnelsQuery'),
    ],
    [
      retention({}, { retentionCustomBrackets: [1, 2] }),
      unsupported('retentionFilter.retentionCustomBrackets', 'RetentionQuery'),
    ],
  ])('is rejected by name: %j', async (query, expected) => {
    expect(await rejectionOf(query)).toEqual(expected)
  })

  const { HogqlQuery: _text, ...KINDS } = schemas
  const REJECTED = Object.entries(KINDS).flatMap(([kind, schema]) =>
    supportByOption(schema)
      .filter(([, support]) => support === 'rejected' || Array.isArray(support))
      .map(([path]) => [kind, path] as const),
  )

  it.each(REJECTED)('is rejected wherever the schema says so: %s %s', async (kind, path) => {
    const bases: Record<string, Body> = {
      TrendsQuery: trends(),
      LifecycleQuery: { kind, series: [visit()] },
      RetentionQuery: retention(),
      FunnelsQuery: funnel(visit()),
      StickinessQuery: { kind, series: [visit()] },
      PathsQuery: { kind },
      EventsQuery: { kind, select: ['event'] },
      ActorsQuery: { kind },
      WebOverviewQuery: { kind },
      WebStatsTableQuery: { kind, breakdownBy: 'Page' },
    }
    const [, attr, detail] = await rejectionOf(withOption(bases[kind]!, path.split('.')))
    const named = path.replace(/^series\./, 'series[0].').replace('breakdowns.', 'breakdowns[0].')
    if (attr === 'query') expect(detail).toContain(`${named} `)
    else expect(detail).toContain(`${path.split('.').at(-1)}: `)
  })
})

/** The query with a value that this option does not have by default. */
function withOption(query: Body, [name, ...rest]: readonly string[]): Body {
  const own = query[name!]
  if (rest.length > 0) {
    const inner = (Array.isArray(own) ? own[0] : own) ?? (name === 'breakdowns' ? { property: 'plan' } : {})
    const changed = withOption(inner as Body, rest)
    const isList = name === 'series' || name === 'breakdowns'
    const others = Array.isArray(own) ? own.slice(1) : []
    return { ...query, [name!]: isList ? [changed, ...others] : changed }
  }
  const values: Body = {
    retentionCustomBrackets: [1],
    aggregation_group_type_index: 1,
    actionId: 1,
    actionSteps: [{ event: 'a' }],
    source: { kind: 'FunnelsQuery' },
    funnelPathsFilter: { funnelPathType: 'funnel_path_before_step' },
    localPathCleaningFilters: [{ alias: 'a', regex: 'b' }],
    pathReplacements: true,
    math_property_revenue_currency: { static: 'EUR' },
    conversionGoal: { customEventName: 'paid' },
    display: 'BoxPlot',
    interval: 'second',
  }
  const isNumber = name!.endsWith('bin_count')
  const isSwitch = /path_cleaning|doPathCleaning|include|hideWeekends|customAggregationTarget/.test(name!)
  return { ...query, [name!]: values[name!] ?? (isNumber ? 10 : isSwitch ? true : 'other') }
}
