// Stickiness, against numbers that are counted from the events in TypeScript.
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../../support/tenant'
import {
  byPerson,
  dateOf,
  dayOf,
  generate,
  type Happening,
  load,
  rejectionOf,
  resultsOf,
} from './generated-events'

const EVENTS = generate({ names: ['visit', 'visit', 'paid'] })
let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await load(tenant, EVENTS, ({ who, plan }) => ({ $groups: { company: `${plan} of ${who.length}` } }))
})

type Body = Record<string, unknown>

const query = (stickinessFilter: Body = {}, more: Body = {}) => ({
  kind: 'StickinessQuery',
  series: [{ kind: 'EventsNode', event: 'visit' }],
  dateRange: { date_from: dateOf(0), date_to: dateOf(9) },
  stickinessFilter,
  ...more,
})

/** Number of actors by the number of buckets in which `isActive` holds of their events. */
function expected(
  lists: readonly Happening[][],
  count: number,
  bucketOf: (happening: Happening) => number,
  isActive: (number: number) => boolean = () => true,
): number[] {
  const numbers = lists.map((own) => {
    const buckets = [...Map.groupBy(own, bucketOf).values()]
    return buckets.filter((each) => isActive(each.length)).length
  })
  return Array.from({ length: count }, (_, index) => numbers.filter((number) => number === index + 1).length)
}

const visits = EVENTS.filter(({ name }) => name === 'visit')
const daily = ({ time }: Happening) => dayOf(time)

const dataOf = async (sent: Body): Promise<number[]> => (await resultsOf(tenant, sent))[0].data

describe('a StickinessQuery', () => {
  it('counts actors by the number of days on which they are active', async () => {
    const data = expected(byPerson(visits), 10, daily)
    expect(data.filter((value) => value > 0).length).toBeGreaterThan(2)
    expect(await resultsOf(tenant, query())).toEqual([
      {
        count: 12,
        data,
        days: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        label: 'visit',
        labels: ['1 day', ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((days) => `${days} days`)],
        action: { order: 0, type: 'events', name: 'visit', custom_name: null, id: 'visit' },
      },
    ])
  })

  it('counts cumulatively', async () => {
    const data = expected(byPerson(visits), 10, daily)
    const [line] = await resultsOf(tenant, query({ computedAs: 'cumulative' }))
    expect(line.data).toEqual(
      data.map((_, index) => data.slice(index).reduce((sum, value) => sum + value, 0)),
    )
    expect([line.count, line.labels[0], line.labels[1]]).toEqual([12, '1 day or more', '2 days or more'])
  })

  it.each([
    ['gte', 2, (number: number) => number >= 2],
    ['lte', 1, (number: number) => number <= 1],
    ['exact', 2, (number: number) => number === 2],
  ] as const)('takes days with %s %i events', async (operator, value, isActive) => {
    expect(await dataOf(query({ stickinessCriteria: { operator, value } }))).toEqual(
      expected(byPerson(visits), 10, daily, isActive),
    )
  })

  it('counts weeks, and spans of several days', async () => {
    // Weeks start on Sunday: the range has those of 22 February and of 1 March.
    const weekly = ({ time }: Happening) => (dayOf(time) < 6 ? 0 : 1)
    expect(await dataOf(query({}, { interval: 'week' }))).toEqual(expected(byPerson(visits), 2, weekly))
    // A range that begins within a week has a part of it, and one that begins within a month the whole month.
    const later = (interval: string) =>
      query({}, { interval, dateRange: { date_from: dateOf(4), date_to: dateOf(9) } })
    const lateVisits = visits.filter((each) => daily(each) >= 4)
    expect(await dataOf(later('week'))).toEqual(expected(byPerson(lateVisits), 2, weekly))
    const monthly = ({ time }: Happening) => (dayOf(time) < 6 ? 0 : 1)
    expect(await dataOf(later('month'))).toEqual(expected(byPerson(visits), 2, monthly))
    // With a number of weeks or months, they are counted back from the end of the range.
    const sevenDays = ({ time }: Happening) => Math.floor((9 - dayOf(time)) / 7)
    const often = { stickinessCriteria: { operator: 'gte', value: 6 } }
    const [counted, calendar] = [sevenDays, weekly].map((bucketOf) =>
      expected(byPerson(visits), 2, bucketOf, (number) => number >= 6),
    )
    expect(counted).not.toEqual(calendar)
    expect(await dataOf(query(often, { interval: 'week', intervalCount: 1 }))).toEqual(counted)
    expect(await dataOf(query(often, { interval: 'week' }))).toEqual(calendar)
    expect(await dataOf(query({}, { interval: 'week', intervalCount: 2 }))).toEqual(
      expected(byPerson(visits), 1, () => 0),
    )
    expect(await dataOf(query({}, { interval: 'month', intervalCount: 1 }))).toEqual(
      expected(byPerson(visits), 2, () => 0),
    )
    const spans = ({ time }: Happening) => Math.floor((9 - dayOf(time)) / 4)
    expect(await dataOf(query({}, { intervalCount: 4 }))).toEqual(expected(byPerson(visits), 3, spans))
  })

  it('counts groups, and values of an expression', async () => {
    const byPlan = [...Map.groupBy(visits, ({ plan }) => plan).values()]
    const byGroup = [...Map.groupBy(visits, ({ plan, who }) => `${plan} of ${who.length}`).values()]
    const counted = (node: Body) =>
      dataOf(query({}, { series: [{ kind: 'EventsNode', event: 'visit', ...node }] }))
    expect(await counted({ math: 'hogql', math_hogql: 'properties.plan' })).toEqual(
      expected(byPlan, 10, daily),
    )
    expect(await counted({ math: 'unique_group', math_group_type_index: 0 })).toEqual(
      expected(byGroup, 10, daily),
    )
  })

  it('counts an empty text of an expression as an actor, and NULL as none', async () => {
    const own = await createTenant({ harness: tenant })
    const at = (day: number, plan: string) => ({
      who: 'ada',
      name: 'visit',
      time: Date.parse(dateOf(day)),
      plan,
      amount: 0,
    })
    await load(own, [at(0, 'pro'), at(0, ''), at(0, 'none'), at(1, 'none')], ({ plan }) => ({
      plan: plan === 'none' ? null : plan,
    }))
    const series = [{ event: 'visit', math: 'hogql', math_hogql: 'properties.plan -- text' }]
    const dateRange = { date_from: dateOf(0), date_to: dateOf(2) }
    expect((await resultsOf(own, query({}, { series, dateRange })))[0].data).toEqual([2, 0, 0])
  })

  it('filters events, compares with the range before, and counts several series', async () => {
    const lines: Body[] = await resultsOf(
      tenant,
      query(
        {},
        {
          series: [{ event: 'visit', properties: [{ key: 'plan', value: 'pro', type: 'event' }] }, {}],
          properties: [{ key: 'amount', operator: 'lt', value: 50, type: 'event' }],
          dateRange: { date_from: dateOf(5), date_to: dateOf(9) },
          compareFilter: { compare: true },
        },
      ),
    )
    const some = EVENTS.filter(({ amount }) => amount < 50)
    const pro = some.filter(({ name, plan }) => name === 'visit' && plan === 'pro')
    const half = (events: readonly Happening[], index: number) =>
      expected(byPerson(events.filter((each) => Math.floor(daily(each) / 5) === index)), 5, daily)
    expect(lines.map(({ label, compare_label: range, data }) => [label, range, data])).toEqual([
      ['visit', 'current', half(pro, 1)],
      ['All events', 'current', half(some, 1)],
      ['visit', 'previous', half(pro, 0)],
      ['All events', 'previous', half(some, 0)],
    ])
  })

  it('starts the range all with the first event', async () => {
    const [line] = await resultsOf(tenant, query({}, { dateRange: { date_from: 'all', date_to: dateOf(9) } }))
    expect(line.data).toEqual(expected(byPerson(visits), 10, daily))
  })

  it('can only be computed with a series, and with actors', async () => {
    expect(await rejectionOf(tenant, query({}, { series: [] }))).toEqual([
      400,
      'query',
      'A StickinessQuery needs at least one series.',
    ])
    expect(await rejectionOf(tenant, query({}, { series: [{ math: 'sum' }] }))).toEqual([
      400,
      'query',
      "series[0].math 'sum' is not supported in a StickinessQuery. Supported: total, dau, unique_group, hogql.",
    ])
    expect(await rejectionOf(tenant, query({}, { series: [{ math: 'unique_group' }] }))).toEqual([
      400,
      'query',
      "math 'unique_group' needs a math_group_type_index from 0 to 4.",
    ])
  })
})
