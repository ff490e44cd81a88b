// Lifecycle, retention and funnels: what people did one after the other.
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendBatch } from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'
import { resultsOf as resultsFor } from './generated-events'

const at = (timestamp: string, who: string, name: string, properties: Record<string, unknown> = {}) => ({
  ...event(who, properties, name),
  timestamp,
})

/** Three people over five days: ada comes daily and buys, grace misses a day, edsger comes once. */
const EVENTS = [
  at('2026-03-02T10:00:00Z', 'ada', 'visit', { source: 'ads' }),
  at('2026-03-02T10:10:00Z', 'ada', 'sign up', { source: 'ads' }),
  at('2026-03-02T10:20:00Z', 'ada', 'visit'),
  at('2026-03-03T10:00:00Z', 'ada', 'visit'),
  at('2026-03-03T11:10:00Z', 'ada', 'buy'),
  at('2026-03-04T10:00:00Z', 'ada', 'visit'),
  at('2026-03-03T09:00:00Z', 'grace', 'visit', { source: 'friend' }),
  at('2026-03-05T09:00:00Z', 'grace', 'visit'),
  at('2026-03-05T09:30:00Z', 'grace', 'sign up'),
  at('2026-03-04T08:00:00Z', 'edsger', 'sign up', { source: 'friend' }),
  at('2026-03-04T09:00:00Z', 'edsger', 'visit', { source: 'friend' }),
]

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const { status } = await sendBatch(tenant, EVENTS)
  if (status !== 200) throw new Error('events were not taken')
})

type Body = Record<string, unknown>

const step = (name: string, more: Body = {}) => ({ kind: 'EventsNode', event: name, ...more })
const DAYS = { date_from: '2026-03-02', date_to: '2026-03-05' }

const resultsOf = (query: Body, sent?: Body) => resultsFor(tenant, query, sent)

async function rejectionOf(query: Body): Promise<string> {
  const { body } = await tenant.post(tenant.endpoints(), { name: 'refused', query })
  return body.detail
}

describe('a LifecycleQuery', () => {
  it('counts new, returning, resurrecting and dormant actors', async () => {
    const lines: Body[] = await resultsOf({
      kind: 'LifecycleQuery',
      series: [step('visit')],
      dateRange: DAYS,
    })
    expect(lines.map(({ status, data }) => [status, data])).toEqual([
      ['new', [1, 1, 1, 0]],
      ['returning', [0, 1, 1, 0]],
      ['resurrecting', [0, 0, 0, 1]],
      ['dormant', [0, 0, -1, -2]],
    ])
    expect(lines[0]).toMatchObject({
      label: 'visit - new',
      count: 3,
      days: ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'],
      labels: ['2-Mar-2026', '3-Mar-2026', '4-Mar-2026', '5-Mar-2026'],
      action: { id: 'visit', type: 'events', order: 0 },
    })
  })

  it('counts a person as new in the period in which they were first seen', async () => {
    await sendBatch(tenant, [at('2026-03-10T10:00:00Z', 'newcomer', 'arrived')])
    const lines: Body[] = await resultsOf({
      kind: 'LifecycleQuery',
      series: [step('arrived')],
      dateRange: { date_from: '2026-03-09', date_to: '2026-03-10' },
    })
    expect(lines.map(({ status, data }) => [status, data])).toEqual([
      ['new', [0, 1]],
      ['returning', [0, 0]],
      ['resurrecting', [0, 0]],
      ['dormant', [0, 0]],
    ])
  })

  it('counts a person whose record is younger than their events as new in the first of the periods only', async () => {
    // The record is as old as the event that came first, which is not the earliest.
    await sendBatch(tenant, [at('2026-02-10T10:00:00Z', 'imported', 'imported')])
    await sendBatch(tenant, [
      at('2026-02-09T10:00:00Z', 'imported', 'imported'),
      at('2026-02-11T10:00:00Z', 'imported', 'imported'),
    ])
    const of = async (date_from: string) => {
      const dateRange = { date_from, date_to: '2026-02-11' }
      const query = { kind: 'LifecycleQuery', series: [step('imported')], dateRange }
      return (await resultsOf(query)).map(({ status, data }: Body) => [status, data])
    }
    expect(await of('2026-02-08')).toEqual([
      ['new', [0, 0, 0, 0]],
      ['returning', [0, 0, 1, 1]],
      ['resurrecting', [0, 1, 0, 0]],
      ['dormant', [0, 0, 0, 0]],
    ])
    // Only the period before the range is read.
    expect(await of('2026-02-11')).toEqual([
      ['new', [0]],
      ['returning', [1]],
      ['resurrecting', [0]],
      ['dormant', [0]],
    ])
  })

  it.each([false, 'false'])(
    'leaves out events without a profile: $process_person_profile %j',
    async (value) => {
      const name = `anonymous ${typeof value}`
      const plain = { $process_person_profile: true }
      await sendBatch(tenant, [
        at('2026-02-16T10:00:00Z', `hidden ${typeof value}`, name, { $process_person_profile: value }),
        at('2026-02-16T10:00:00Z', `shown ${typeof value}`, name, plain),
        at('2026-02-16T11:00:00Z', `plain ${typeof value}`, name),
      ])
      const dateRange = { date_from: '2026-02-16', date_to: '2026-02-16' }
      const lines: Body[] = await resultsOf({ kind: 'LifecycleQuery', series: [step(name)], dateRange })
      expect(lines.map(({ data }) => data)).toEqual([[2], [0], [0], [0]])
    },
  )

  it('has one series', async () => {
    expect(await rejectionOf({ kind: 'LifecycleQuery', series: [step('a'), step('b')] })).toBe(
      'A LifecycleQuery has exactly one series.',
    )
  })
})

// Of the week and the month that the range ends in, they count what came after its last day.
describe.each([
  ['week', '2026-02-24'],
  ['month', '2026-02-10'],
])('a range that ends within a %s', (interval, date_to) => {
  const name = `done within a ${interval}`
  beforeAll(async () => {
    await sendBatch(tenant, [
      at('2026-01-20T10:00:00Z', 'ida', name),
      at('2026-02-16T10:00:00Z', 'ida', name),
      at('2026-02-26T10:00:00Z', 'ida', name),
    ])
  })
  const dateRange = { date_from: interval === 'week' ? '2026-02-17' : '2026-01-31', date_to }

  it('has the whole of it in lifecycle', async () => {
    const lines: Body[] = await resultsOf({
      kind: 'LifecycleQuery',
      interval,
      series: [step(name)],
      dateRange,
    })
    const data = Object.fromEntries(lines.map((line) => [line.status, line.data]))
    expect([data.returning, data.dormant]).toEqual([
      [0, 1],
      [0, 0],
    ])
  })

  it('has the whole of it in retention', async () => {
    const entity = { id: name, type: 'events' }
    const retentionFilter = {
      period: interval === 'week' ? 'Week' : 'Month',
      targetEntity: entity,
      returningEntity: entity,
    }
    const rows: { values: { count: number }[] }[] = await resultsOf({
      kind: 'RetentionQuery',
      dateRange,
      retentionFilter,
    })
    expect(rows.map(({ values }) => values.map(({ count }) => count))).toEqual([[1, 1], [1]])
  })
})

describe('a RetentionQuery', () => {
  const retention = (filter: Body, more: Body = {}) => ({
    kind: 'RetentionQuery',
    dateRange: DAYS,
    retentionFilter: {
      targetEntity: { id: 'visit', type: 'events' },
      returningEntity: { id: 'visit', type: 'events' },
      totalIntervals: 4,
      ...filter,
    },
    ...more,
  })
  const table = (rows: { date: string; label: string; values: { count: number; label: string }[] }[]) =>
    rows.map(({ label, values }) => [label, values.map(({ count }) => count)])

  it('counts returning actors, day by day', async () => {
    const rows = await resultsOf(retention({}))
    expect(table(rows)).toEqual([
      ['Day 0', [1, 1, 1, 0]],
      ['Day 1', [2, 1, 1]],
      ['Day 2', [2, 0]],
      ['Day 3', [1]],
    ])
    expect(rows[0]).toEqual({
      date: '2026-03-02T00:00:00Z',
      label: 'Day 0',
      values: [
        { count: 1, label: 'Day 0' },
        { count: 1, label: 'Day 1' },
        { count: 1, label: 'Day 2' },
        { count: 0, label: 'Day 3' },
      ],
    })
  })

  it('counts from the first time only', async () => {
    expect(table(await resultsOf(retention({ retentionType: 'retention_first_time' })))).toEqual([
      ['Day 0', [1, 1, 1, 0]],
      ['Day 1', [1, 0, 1]],
      ['Day 2', [1, 0]],
      ['Day 3', [0]],
    ])
  })

  it('supports other periods, another event to return by, and counts cumulatively', async () => {
    expect(table(await resultsOf(retention({ returningEntity: { id: 'buy', type: 'events' } })))).toEqual([
      ['Day 0', [1, 1, 0, 0]],
      ['Day 1', [2, 0, 0]],
      ['Day 2', [2, 0]],
      ['Day 3', [1]],
    ])
    expect(table(await resultsOf(retention({ cumulative: true })))[0]).toEqual(['Day 0', [1, 1, 1, 0]])
    expect(
      table(
        await resultsOf(
          retention({ period: 'Week', totalIntervals: 2 }, { dateRange: { date_to: '2026-03-05' } }),
        ),
      ),
    ).toEqual([
      ['Week 0', [0, 0]],
      ['Week 1', [3]],
    ])
  })

  it.each([
    ['retention_first_ever_occurrence', ['friend', 'ads']],
    ['retention_first_time', ['friend', null, 'ads']],
  ])(
    'breaks down by a property of the first event, of all or of its value: %s',
    async (retentionType, values) => {
      const rows: Body[] = await resultsOf(
        retention(
          { retentionType, totalIntervals: 2 },
          { breakdownFilter: { breakdown: 'source', breakdown_type: 'event' } },
        ),
      )
      expect([...new Set(rows.map(({ breakdown_value }) => breakdown_value))]).toEqual(values)
    },
  )
})

describe('a FunnelsQuery', () => {
  const funnel = (series: Body[], filter: Body = {}, more: Body = {}) => ({
    kind: 'FunnelsQuery',
    dateRange: DAYS,
    series,
    funnelsFilter: filter,
    ...more,
  })
  const reached = (steps: { count: number }[]) => steps.map(({ count }) => count)

  it('counts the actors of each step, and how long it took', async () => {
    expect(await resultsOf(funnel([step('visit'), step('sign up'), step('buy')]))).toEqual([
      {
        action_id: 'visit',
        name: 'visit',
        custom_name: null,
        order: 0,
        people: [],
        count: 3,
        type: 'events',
        average_conversion_time: null,
        median_conversion_time: null,
      },
      // ada after 10 minutes, grace after half an hour from the last of the visits that led as far.
      {
        action_id: 'sign up',
        name: 'sign up',
        custom_name: null,
        order: 1,
        people: [],
        count: 2,
        type: 'events',
        average_conversion_time: (600 + 1_800) / 2,
        median_conversion_time: (600 + 1_800) / 2,
      },
      {
        action_id: 'buy',
        name: 'buy',
        custom_name: null,
        order: 2,
        people: [],
        count: 1,
        type: 'events',
        average_conversion_time: 90_000,
        median_conversion_time: 90_000,
      },
    ])
  })

  it('respects the conversion window', async () => {
    const filter = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' }
    expect(reached(await resultsOf(funnel([step('visit'), step('sign up'), step('buy')], filter)))).toEqual([
      3, 2, 0,
    ])
  })

  it('requires a later event for a repeated step', async () => {
    expect(
      reached(
        await resultsOf(funnel([step('visit'), step('visit'), step('visit'), step('visit'), step('visit')])),
      ),
    ).toEqual([3, 2, 1, 1, 0])
  })

  it('can be strict, and without order', async () => {
    expect(
      reached(await resultsOf(funnel([step('visit'), step('buy')], { funnelOrderType: 'ordered' }))),
    ).toEqual([3, 1])
    expect(
      reached(
        await resultsOf(funnel([step('sign up'), step('visit'), step('buy')], { funnelOrderType: 'strict' })),
      ),
    ).toEqual([3, 2, 0])
    expect(
      reached(await resultsOf(funnel([step('visit'), step('sign up')], { funnelOrderType: 'unordered' }))),
    ).toEqual([3, 3])
  })

  it('breaks down by the first touch', async () => {
    const groups: { breakdown_value: unknown; count: number }[][] = await resultsOf(
      funnel(
        [step('visit'), step('sign up')],
        {},
        { breakdownFilter: { breakdown: 'source', breakdown_type: 'event' } },
      ),
    )
    expect(groups.map((steps) => [steps[0]!.breakdown_value, reached(steps)])).toEqual([
      [['friend'], [2, 1]],
      [['ads'], [1, 1]],
    ])
  })

  it('rejects unsupported settings', async () => {
    expect(await rejectionOf(funnel([step('visit')]))).toBe('A FunnelsQuery needs at least two series.')
    expect(await rejectionOf(funnel([step('a'), step('b')], { funnelVizType: 'flow' }))).toBe(
      'JSON parse error - query.funnelsFilter.funnelVizType: "flow" is not a valid choice. Valid choices: steps, time_to_convert, trends.',
    )
  })
})
