// Funnels, against attempts that are looked for in the events in TypeScript.
import { beforeAll, describe, expect, it } from 'vitest'
import { funnelResult } from '../../../src/endpoints/insights/funnels/funnels-result'
import type { FunnelsQuery } from '../../../src/endpoints/query/query-types'
import { event as eventOf, sendBatch } from '../../support/capture'
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

const EVENTS = generate({ names: ['visit', 'sign up', 'buy', 'help', 'leave'], people: 40, count: 480 })
let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await load(tenant, EVENTS)
})

type Body = Record<string, unknown>

const step = (event: string, more: Body = {}) => ({ kind: 'EventsNode', event, ...more })
const STEPS = ['visit', 'sign up', 'buy']
const HOURS = 60
const WINDOW = { funnelWindowInterval: HOURS, funnelWindowIntervalUnit: 'hour' }

const query = (funnelsFilter: Body = {}, more: Body = {}) => ({
  kind: 'FunnelsQuery',
  series: STEPS.map((name) => step(name)),
  dateRange: { date_from: dateOf(0), date_to: dateOf(9) },
  funnelsFilter: { ...WINDOW, ...funnelsFilter },
  ...more,
})

interface Rules {
  steps: readonly string[]
  order?: 'ordered' | 'strict'
  exclusions?: readonly { name: string; from: number; to: number }[]
}

/** Every list of events that goes through the steps, as far as each goes, from one first event. */
function chainsFrom(own: readonly Happening[], start: number, { steps, order }: Rules): Happening[][] {
  const end = own[start]!.time + HOURS * 3_600_000
  const extend = (chain: number[]): number[][] => {
    const last = chain.at(-1)!
    const next = steps[chain.length]
    const candidates = own.flatMap(({ name, time }, index) =>
      index > last && name === next && time <= end && (order !== 'strict' || index === last + 1)
        ? [index]
        : [],
    )
    return [chain, ...candidates.flatMap((index) => extend([...chain, index]))]
  }
  return extend([start]).map((chain) => chain.map((index) => own[index]!))
}

/** Steps of the furthest allowed chain; 0 when an excluded event ended the attempt. */
function reachOf(own: readonly Happening[], start: number, rules: Rules): number {
  const chains = chainsFrom(own, start, rules)
  const end = own[start]!.time + HOURS * 3_600_000
  const isOut = (name: string, from: number, to: number) =>
    own.some((each) => each.name === name && each.time > from && each.time < to)
  const exclusions = rules.exclusions ?? []
  const allowed = chains.filter((chain) =>
    exclusions.every(({ name, from, to }) => {
      const last = Math.min(to, chain.length - 1)
      return last <= from || !isOut(name, chain[from]!.time, chain[last]!.time)
    }),
  )
  const reach = Math.max(...allowed.map(({ length }) => length))
  const isExcluded = exclusions.some(({ name, from, to }) => {
    if (reach > to) return false
    return allowed.some((chain) => chain.length > from && isOut(name, chain[from]!.time, end + 1))
  })
  return isExcluded ? 0 : reach
}

/** The furthest reach of each person who has any. */
const reaches = (events: readonly Happening[], rules: Rules): number[] =>
  byPerson(events)
    .map((own) =>
      Math.max(
        0,
        ...own.flatMap(({ name }, index) => (name === rules.steps[0] ? [reachOf(own, index, rules)] : [])),
      ),
    )
    .filter((reach) => reach > 0)

const countsOf = (events: readonly Happening[], rules: Rules): number[] => {
  const all = reaches(events, rules)
  return rules.steps.map((_, index) => all.filter((reach) => reach > index).length)
}

const countsIn = (steps: { count: number }[]) => steps.map(({ count }) => count)

describe('steps', () => {
  const plain = countsOf(EVENTS, { steps: STEPS })

  it('are counted in order, and strictly', async () => {
    expect(countsIn(await resultsOf(tenant, query()))).toEqual(plain)
    const strict = countsOf(EVENTS, { steps: STEPS, order: 'strict' })
    expect(strict).not.toEqual(plain)
    expect(countsIn(await resultsOf(tenant, query({ funnelOrderType: 'strict' })))).toEqual(strict)
  })

  const exclusion = (event: string, funnelFromStep: number, funnelToStep: number) =>
    step(event, { funnelFromStep, funnelToStep })

  it.each([
    ['all steps', [{ name: 'help', from: 0, to: 2 }]],
    ['the first two', [{ name: 'help', from: 0, to: 1 }]],
    ['the last two', [{ name: 'help', from: 1, to: 2 }]],
    [
      'different ones',
      [
        { name: 'help', from: 0, to: 1 },
        { name: 'leave', from: 1, to: 2 },
      ],
    ],
    [
      'ones that begin alike',
      [
        { name: 'help', from: 0, to: 1 },
        { name: 'leave', from: 0, to: 2 },
      ],
    ],
    [
      'all pairs',
      [
        { name: 'help', from: 0, to: 1 },
        { name: 'leave', from: 0, to: 2 },
        { name: 'leave', from: 1, to: 2 },
      ],
    ],
  ])('leave out who did something else between %s', async (_, exclusions) => {
    const expected = countsOf(EVENTS, { steps: STEPS, exclusions })
    expect(expected).not.toEqual(plain)
    const sent = exclusions.map(({ name, from, to }) => exclusion(name, from, to))
    expect(countsIn(await resultsOf(tenant, query({ exclusions: sent })))).toEqual(expected)
  })

  it('leave out by property, and in strict order', async () => {
    const properties = [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }]
    const renamed = EVENTS.map((each) =>
      each.name === 'help' && each.plan === 'pro' ? { ...each, name: 'pro help' } : each,
    )
    const sent = [step('help', { funnelFromStep: 0, funnelToStep: 2, properties })]
    expect(countsIn(await resultsOf(tenant, query({ exclusions: sent })))).toEqual(
      countsOf(renamed, { steps: STEPS, exclusions: [{ name: 'pro help', from: 0, to: 2 }] }),
    )
  })

  /** Steps that directly follow each other; 0 when an excluded event directly follows one of its span. */
  const strictReach = (
    own: readonly Happening[],
    start: number,
    isExcluded: (happening: Happening, after: number) => boolean,
  ): number => {
    const end = own[start]!.time + HOURS * 3_600_000
    for (let reach = 1; ; reach += 1) {
      const next = own[start + reach]
      if (!next || next.time > end) return reach
      if (isExcluded(next, reach - 1)) return 0
      if (next.name !== STEPS[reach]) return reach
    }
  }

  it.each([
    [0, 1],
    [0, 2],
    [1, 2],
  ])(
    'leave out of strict funnels who did something else directly after a step from %i to %i',
    async (from, to) => {
      const sent = [exclusion('help', from, to)]
      const numbers = byPerson(EVENTS).map((own) =>
        Math.max(
          0,
          ...own.flatMap(({ name }, index) =>
            name === STEPS[0]
              ? [
                  strictReach(
                    own,
                    index,
                    (next, after) => next.name === 'help' && after >= from && after < to,
                  ),
                ]
              : [],
          ),
        ),
      )
      const expected = STEPS.map((_, index) => numbers.filter((number) => number > index).length)
      expect(expected).not.toEqual(countsOf(EVENTS, { steps: STEPS, order: 'strict' }))
      expect(
        countsIn(await resultsOf(tenant, query({ exclusions: sent, funnelOrderType: 'strict' }))),
      ).toEqual(expected)
    },
  )

  it.each(['ordered', 'strict'])('exclude an event that would also be the next step: %s', async (order) => {
    const own = await createTenant({ harness: tenant })
    const at = (minutes: number, who: string, name: string, plan: string) => ({
      who,
      name,
      plan,
      time: Date.parse('2026-02-23T10:00:00Z') + minutes * 60_000,
      amount: 0,
    })
    await load(own, [
      at(0, 'ada', 'visit', 'free'),
      at(1, 'ada', 'buy', 'free'),
      at(0, 'bob', 'visit', 'free'),
      at(1, 'bob', 'buy', 'trial'),
      at(0, 'cy', 'visit', 'free'),
      at(1, 'cy', 'buy', 'trial'),
      at(2, 'cy', 'visit', 'free'),
      at(3, 'cy', 'buy', 'free'),
      at(0, 'dan', 'visit', 'trial'),
    ])
    const properties = [{ key: 'plan', value: 'trial', operator: 'exact', type: 'event' }]
    const sent = [step('buy', { funnelFromStep: 0, funnelToStep: 1, properties })]
    const series = [step('visit'), step('buy')]
    const filter = { exclusions: sent, funnelOrderType: order }
    expect(countsIn(await resultsOf(own, query(filter, { series })))).toEqual([3, 2])
  })

  it.each([
    ['day', 1, '2026-02-23T10:00:00Z', 86_400],
    ['month', 1, '2026-01-31T10:00:00Z', 31 * 86_400],
    ['month', 2, '2026-01-01T10:00:00Z', 62 * 86_400],
    // A day in which clocks are put forward has 24 hours, too.
    ['day', 1, '2026-03-07T17:00:00Z', 86_400],
  ])('have a window in seconds: of %s, %i from %s', async (unit, size, from, seconds) => {
    const own = await createTenant({ harness: tenant, level: 8 })
    await own.patch(`/api/projects/${own.projectId}/`, { timezone: 'America/New_York' })
    const at = (who: string, name: string, after: number) => ({
      who,
      name,
      time: Date.parse(from) + after * 1000,
      plan: 'free',
      amount: 0,
    })
    await load(own, [
      at('ada', 'visit', 0),
      at('ada', 'buy', seconds),
      at('bob', 'visit', 0),
      at('bob', 'buy', seconds + 1),
    ])
    const filter = { funnelWindowInterval: size, funnelWindowIntervalUnit: unit }
    const dateRange = { date_from: '2026-01-01', date_to: '2026-03-10' }
    const series = [step('visit'), step('buy')]
    expect(countsIn(await resultsOf(own, query(filter, { series, dateRange })))).toEqual([2, 1])
  })

  it('have times in milliseconds, without those of steps at the same time', async () => {
    const own = await createTenant({ harness: tenant })
    const taken = async (series: Body[], more: Body = {}) => {
      const results = await resultsOf(own, query(more, { series }))
      return (
        results.map?.((each: Body) => [each.average_conversion_time, each.median_conversion_time]) ?? results
      )
    }
    const at = (who: string, name: string, time: string) => ({
      ...eventOf(who, {}, name),
      timestamp: `2026-02-23T10:00:${time}Z`,
    })
    await sendBatch(own, [
      at('ada', 'visit', '00.100'),
      at('ada', 'buy', '00.800'),
      at('bob', 'visit', '00.900'),
      at('bob', 'buy', '01.100'),
      at('cy', 'visit', '02.000'),
      at('cy', 'buy', '02.000'),
    ])
    const series = [step('visit'), step('buy')]
    expect(await taken(series)).toEqual([
      [null, null],
      [0.45, 0.45],
    ])
    expect((await taken(series, { funnelVizType: 'time_to_convert' })).average_conversion_time).toBeCloseTo(
      0.3,
      9,
    )
  })

  it('count values of an expression that are no empty texts, or groups', async () => {
    const own = await createTenant({ harness: tenant })
    const at = (minutes: number, name: string, plan: string, company?: string) => ({
      ...eventOf('server', { plan, ...(company ? { $groups: { company } } : {}) }, name),
      timestamp: new Date(Date.parse('2026-02-23T10:00:00Z') + minutes * 60_000).toISOString(),
    })
    await sendBatch(own, [
      at(0, 'visit', 'pro', 'acme'),
      at(0, 'visit', 'free'),
      at(0, 'visit', ''),
      { ...at(0, 'visit', ''), properties: {} },
      at(1, 'buy', 'pro'),
      at(1, 'buy', ''),
      { ...at(1, 'buy', ''), properties: {} },
    ])
    const series = [step('visit'), step('buy')]
    const byPlan = { funnelAggregateByHogQL: 'properties.plan -- text' }
    expect(countsIn(await resultsOf(own, query(byPlan, { series })))).toEqual([2, 1])
    const firsts = [step('visit', { math: 'first_time_for_user' }), step('buy')]
    expect(countsIn(await resultsOf(own, query(byPlan, { series: firsts })))).toEqual([2, 1])
    const byGroup = query(byPlan, { series, aggregation_group_type_index: 0 })
    expect(countsIn(await resultsOf(own, byGroup))).toEqual([1, 0])
  })

  it('leave out of unordered funnels who did something else before the last step', async () => {
    const hours = HOURS * 3_600_000
    const numbers = byPerson(EVENTS).map((own) =>
      Math.max(
        0,
        ...own.flatMap(({ name, time: began }) => {
          if (!STEPS.includes(name)) return []
          const others = STEPS.filter((each) => each !== name).map((each) =>
            own.find((next) => next.name === each && next.time > began && next.time <= began + hours),
          )
          const found = others.flatMap((each) => (each ? [each.time] : []))
          const end = found.length === 2 ? Math.max(...found) : began + hours + 1
          const isOut = own.some((each) => each.name === 'help' && each.time > began && each.time < end)
          return [isOut ? 0 : 1 + found.length]
        }),
      ),
    )
    const filter = { funnelOrderType: 'unordered', exclusions: [exclusion('help', 0, 2)] }
    expect(countsIn(await resultsOf(tenant, query(filter)))).toEqual(
      [1, 2, 3].map((reach) => numbers.filter((number) => number >= reach).length),
    )
  })

  it('may be optional', async () => {
    const required = countsOf(EVENTS, { steps: ['visit', 'buy'] })
    const series = [step('visit'), step('sign up', { optionalInFunnel: true }), step('buy')]
    const hours = HOURS * 3_600_000
    const optional = byPerson(EVENTS).filter((own) => {
      const attempts = own
        .filter(({ name }) => name === 'visit')
        .map(({ time }) => {
          const first = (name: string) =>
            own.find((each) => each.name === name && each.time > time && each.time <= time + hours)?.time
          const [sign, buy] = [first('sign up'), first('buy')]
          return { reach: buy ? 2 : 1, done: sign !== undefined && (buy === undefined || sign < buy) }
        })
      const most = Math.max(...attempts.map(({ reach }) => reach))
      return attempts.some(({ reach, done }) => reach === most && done)
    }).length
    const results: Body[] = await resultsOf(tenant, query({}, { series }))
    expect(results.map(({ name, count }) => [name, count])).toEqual([
      ['visit', required[0]],
      ['sign up', optional],
      ['buy', required[1]],
    ])
    expect(results.map(({ average_conversion_time: time }) => typeof time)).toEqual([
      'object',
      'object',
      'number',
    ])
  })

  it('may be optional at the end', async () => {
    const series = [step('visit'), step('buy'), step('sign up', { optionalInFunnel: true })]
    const [first, second, last] = countsOf(EVENTS, { steps: ['visit', 'buy', 'sign up'] })
    const counts = countsIn(await resultsOf(tenant, query({}, { series })))
    expect(counts.slice(0, 2)).toEqual([first, second])
    expect(counts[2]).toBeGreaterThanOrEqual(last!)
  })
})

/** Seconds from step to step, from the first event of each: of the attempt of one person that came furthest first, the one that began last. */
function secondsOf(own: readonly Happening[], from: number, to: number): number | null {
  const attempts = own.flatMap(({ name, time }) => {
    if (name !== STEPS[0]) return []
    const times = [time]
    for (const next of STEPS.slice(1)) {
      const found = own.find((each) => each.name === next && each.time > times.at(-1)!)
      if (!found || found.time > time + HOURS * 3_600_000) break
      times.push(found.time)
    }
    return [times]
  })
  const most = Math.max(0, ...attempts.map(({ length }) => length))
  if (most <= to) return null
  const [first] = attempts
    .filter(({ length }) => length === most)
    .toSorted((one, other) => one.at(-1)! - other.at(-1)! || other[0]! - one[0]!)
  return (first![to]! - first![from]!) / 1000
}

describe('time to convert', () => {
  it.each([
    [0, 2, null],
    [0, 1, 4],
    [1, 2, 500],
  ])('has bins from step %i to %i, %j of them', async (from, to, binCount) => {
    const seconds = byPerson(EVENTS).flatMap((own) => secondsOf(own, from, to) ?? [])
    expect(seconds.length).toBeGreaterThan(5)
    const bins = binCount === null ? Math.ceil(Math.cbrt(seconds.length)) : Math.min(binCount, 90)
    const low = Math.floor(Math.min(...seconds))
    const width = Math.ceil((Math.ceil(Math.max(...seconds)) - low) / bins)
    const { average_conversion_time: average, ...result } = await resultsOf(
      tenant,
      query({ funnelVizType: 'time_to_convert', funnelFromStep: from, funnelToStep: to, binCount }),
    )
    expect(result).toEqual({
      bins: Array.from({ length: bins + 1 }, (_, bin) => [
        low + bin * width,
        seconds.filter((value) => Math.floor((value - low) / width) === bin).length,
      ]),
    })
    expect(average).toBeCloseTo(seconds.reduce((sum, value) => sum + value, 0) / seconds.length, 6)
  })

  it('is empty without conversions', async () => {
    const series = [step('visit'), step('never')]
    expect(await resultsOf(tenant, query({ funnelVizType: 'time_to_convert' }, { series }))).toEqual({
      bins: [
        [0, 0],
        [60, 0],
      ],
      average_conversion_time: null,
    })
  })
})

describe('trends', () => {
  const rates = (events: readonly Happening[], from: number, to: number) =>
    Array.from({ length: 10 }, (_, day) => {
      const most = byPerson(events).map((own) =>
        Math.max(
          0,
          ...own.flatMap(({ name, time }, index) =>
            name === 'visit' && dayOf(time) === day ? [reachOf(own, index, { steps: STEPS })] : [],
          ),
        ),
      )
      const [entered, converted] = [from, to].map((index) => most.filter((reach) => reach > index).length)
      return entered === 0 ? 0 : Math.round((converted! / entered!) * 10_000) / 100
    })

  it('show conversion by the day of the first step', async () => {
    const data = rates(EVENTS, 0, 2)
    expect(new Set(data).size).toBeGreaterThan(2)
    expect(await resultsOf(tenant, query({ funnelVizType: 'trends' }))).toEqual([
      {
        count: 10,
        data,
        days: Array.from({ length: 10 }, (_, day) => dateOf(day)),
        labels: expect.arrayContaining(['23-Feb-2026', '4-Mar-2026']),
      },
    ])
    const [line] = await resultsOf(
      tenant,
      query({ funnelVizType: 'trends', funnelFromStep: 1, funnelToStep: 2 }),
    )
    expect(line.data).toEqual(rates(EVENTS, 1, 2))
  })

  it('are broken down', async () => {
    const lines: Body[] = await resultsOf(
      tenant,
      query(
        { funnelVizType: 'trends', breakdownAttributionType: 'all_events' },
        { breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } },
      ),
    )
    expect(new Map(lines.map(({ breakdown_value: value, data }) => [String(value), data]))).toEqual(
      new Map(
        ['free', 'pro', 'team'].map((plan) => [
          plan,
          rates(
            EVENTS.filter((each) => each.plan === plan),
            0,
            2,
          ),
        ]),
      ),
    )
  })
})

it('sorts values of several breakdowns by all of them, whatever the order of the rows', () => {
  const rows = ['2', '1', null, '3'].map((amount) => ['pro', amount, 5, 1, 60, 60])
  const breakdownFilter = { breakdowns: [{ property: 'plan' }, { property: 'amount' }] }
  const funnel = {
    kind: 'FunnelsQuery',
    series: [{ event: 'visit' }, { event: 'buy' }],
    breakdownFilter,
  } as const
  const shown = (given: readonly unknown[][]) =>
    (funnelResult(funnel as unknown as FunnelsQuery, given) as { breakdown: unknown[] }[][]).map(
      ([first]) => first!.breakdown[1],
    )
  expect(shown(rows)).toEqual(['1', '2', '3', null])
  expect(shown(rows.toReversed())).toEqual(shown(rows))
})

it('sorts values by the last step, then by the one before', () => {
  const series = ['a', 'b', 'c'].map((event) => ({ event }))
  const funnel = { kind: 'FunnelsQuery', series, breakdownFilter: { breakdown: 'plan' } }
  const rows = [
    ['first', 9, 1, 0],
    ['second', 5, 2, 0],
    ['last', 3, 3, 1],
  ]
  const shown = funnelResult(funnel as unknown as FunnelsQuery, rows) as { breakdown: unknown[] }[][]
  expect(shown.map(([first]) => first!.breakdown)).toEqual([['last'], ['second'], ['first']])
})

describe('the attribution of a breakdown', () => {
  /** Many events lack one of the properties or both, and persons have several values. */
  const touchOf = ({ plan, amount }: Happening): Body => ({
    ...(amount % 3 === 0 ? { source: plan } : amount % 3 === 1 ? { source: '' } : {}),
    ...(amount % 4 === 0 ? { medium: amount % 8 === 0 ? 'ads' : 'mail' } : {}),
  })
  let touched: Tenant
  beforeAll(async () => {
    touched = await createTenant()
    await load(touched, EVENTS, touchOf)
  })

  it.each([
    ['first_touch', ['source']],
    ['last_touch', ['source']],
    ['first_touch', ['source', 'medium']],
    ['last_touch', ['medium', 'source']],
    ['all_events', ['source', 'medium']],
  ])('%s of %j is that of an event with a value', async (type, properties) => {
    const valuesOf = (each: Happening) =>
      properties.map((property) => (touchOf(each)[property] as string | undefined) || null)
    const keyOf = (values: readonly unknown[]) => JSON.stringify(values)
    const groups = new Map<string, Happening[]>()
    for (const own of byPerson(EVENTS.filter(({ name }) => STEPS.includes(name)))) {
      const withValue = own.filter((each) => valuesOf(each).some((value) => value !== null))
      const chosen = (type === 'first_touch' ? withValue[0] : withValue.at(-1)) ?? own[0]!
      for (const each of own) {
        const key = keyOf(valuesOf(type === 'all_events' ? each : chosen))
        groups.set(key, [...(groups.get(key) ?? []), each])
      }
    }
    const found: { breakdown: unknown[]; count: number }[][] = await resultsOf(
      touched,
      query(
        { breakdownAttributionType: type },
        { breakdownFilter: { breakdowns: properties.map((property) => ({ property })) } },
      ),
    )
    expect(groups.size).toBeGreaterThan(3)
    expect(
      new Map(
        found.map((steps) => [keyOf(steps[0]!.breakdown.map((value) => value || null)), countsIn(steps)]),
      ),
    ).toEqual(
      new Map(
        [...groups]
          .map(([key, events]) => [key, countsOf(events, { steps: STEPS })] as const)
          .filter(([, counts]) => counts[0] !== 0),
      ),
    )
  })

  it.each([
    ['ordered', 0, ['source']],
    ['ordered', 1, ['source']],
    ['ordered', 2, ['source', 'medium']],
    ['strict', 0, ['source', 'medium']],
    ['strict', 1, ['source']],
  ] as const)(
    'to a step of %s funnels is that of the event of step %i, of %j',
    async (order, own, properties) => {
      const valueOf = (each: Happening) =>
        JSON.stringify(properties.map((property) => (touchOf(each)[property] as string | undefined) || null))
      const isOwn = (each: Happening) => each.name === STEPS[own]
      const values = [...new Set(EVENTS.filter(isOwn).map(valueOf))]
      const expected = values.map((value) => {
        const events = byPerson(EVENTS)
          .filter((all) => all.some((each) => isOwn(each) && valueOf(each) === value))
          .flatMap((all) =>
            all.map((each) => (isOwn(each) && valueOf(each) !== value ? { ...each, name: 'another' } : each)),
          )
        return [value, countsOf(events, { steps: STEPS, order })] as const
      })
      const found: { breakdown: unknown[]; count: number }[][] = await resultsOf(
        touched,
        query(
          { breakdownAttributionType: 'step', breakdownAttributionValue: own, funnelOrderType: order },
          { breakdownFilter: { breakdowns: properties.map((property) => ({ property })) } },
        ),
      )
      expect(values.length).toBeGreaterThan(3)
      expect(new Map(found.map((steps) => [JSON.stringify(steps[0]!.breakdown), countsIn(steps)]))).toEqual(
        new Map(expected.filter(([, counts]) => counts[0] !== 0)),
      )
    },
  )

  it('to the first step of unordered funnels is that of the first event of the attempt', async () => {
    const reached = new Map<string | null, number[]>()
    for (const own of byPerson(EVENTS)) {
      const furthest = new Map<string | null, number>()
      for (const { name, time: began, ...rest } of own.filter((each) => STEPS.includes(each.name))) {
        const others = STEPS.filter(
          (each) =>
            each !== name &&
            own.some(
              (next) => next.name === each && next.time >= began && next.time <= began + HOURS * 3_600_000,
            ),
        )
        const value = (touchOf({ name, time: began, ...rest })['source'] as string | undefined) || null
        furthest.set(value, Math.max(furthest.get(value) ?? 0, 1 + others.length))
      }
      for (const [value, reach] of furthest) reached.set(value, [...(reached.get(value) ?? []), reach])
    }
    const found: { breakdown: unknown[]; count: number }[][] = await resultsOf(
      touched,
      query(
        {
          breakdownAttributionType: 'step',
          breakdownAttributionValue: 0,
          funnelOrderType: 'unordered',
        },
        { breakdownFilter: { breakdown: 'source', breakdown_type: 'event' } },
      ),
    )
    expect(new Map(found.map((steps) => [steps[0]!.breakdown[0], countsIn(steps)]))).toEqual(
      new Map(
        [...reached].map(([value, all]) => [
          value,
          STEPS.map((_, index) => all.filter((reach) => reach > index).length),
        ]),
      ),
    )
  })
})

describe('a cohort', () => {
  it('is a breakdown of steps and of trends', async () => {
    const people = ['person 1', 'person 2', 'person 3', 'person 5', 'person 8', 'person 13']
    const rows = await resultsOf(tenant, {
      kind: 'HogQLQuery',
      query: `SELECT DISTINCT distinct_id, person_id FROM events WHERE distinct_id IN (${people.map((name) => `'${name}'`).join()})`,
    })
    const ids = rows.map(([, id]: string[]) => id)
    const { body: cohort } = await tenant.post(`/api/projects/${tenant.projectId}/cohorts/`, {
      name: 'Some',
      is_static: true,
      _create_static_person_ids: ids,
    })
    const breakdownFilter = { breakdown: [cohort.id, 'all'], breakdown_type: 'cohort' }
    const groups: { breakdown_value: unknown; count: number }[][] = await resultsOf(
      tenant,
      query({}, { breakdownFilter }),
    )
    const members = EVENTS.filter(({ who }) => people.includes(who))
    expect(groups.map((steps) => [steps[0]!.breakdown_value, countsIn(steps)])).toEqual([
      ['all', countsOf(EVENTS, { steps: STEPS })],
      [cohort.id, countsOf(members, { steps: STEPS })],
    ])
    const lines: Body[] = await resultsOf(tenant, query({ funnelVizType: 'trends' }, { breakdownFilter }))
    expect(lines.map(({ breakdown_value: value }) => value)).toEqual(['all', cohort.id])
  })
})

describe('trends up to a step', () => {
  it('do not count the steps after it, nor what is excluded there', async () => {
    const own = await createTenant({ harness: tenant })
    const at = (minutes: number, who: string, name: string) => ({
      ...eventOf(who, {}, name),
      timestamp: new Date(Date.parse('2026-02-23T10:00:00Z') + minutes * 60_000).toISOString(),
    })
    await sendBatch(own, [
      at(0, 'ada', 'visit'),
      at(1, 'ada', 'buy'),
      at(0, 'bob', 'visit'),
      at(1, 'bob', 'sign up'),
      at(2, 'bob', 'help'),
    ])
    const dateRange = { date_from: '2026-02-23', date_to: '2026-02-23' }
    const rates = async (filter: Body) =>
      (await resultsOf(own, query({ funnelVizType: 'trends', funnelToStep: 1, ...filter }, { dateRange })))[0]
        .data
    const exclusions = [step('help', { funnelFromStep: 0, funnelToStep: 2 })]
    expect(await rates({ funnelOrderType: 'unordered' })).toEqual([50])
    expect(await rates({ funnelOrderType: 'unordered', exclusions })).toEqual([50])
    expect(await rates({ exclusions })).toEqual([50])
    expect(await rates({ exclusions: [step('help', { funnelFromStep: 1, funnelToStep: 2 })] })).toEqual([50])
  })
})

describe('a funnel of five steps', () => {
  it('is computed with an exclusion, and its times to convert', async () => {
    const names = Array.from({ length: 5 }, (_, index) => ['visit', 'sign up', 'buy', 'leave'][index % 4]!)
    const exclusions = [step('help', { funnelFromStep: 0, funnelToStep: 1 })]
    const series = names.map((name) => step(name))
    const expected = countsOf(EVENTS, {
      steps: names,
      exclusions: [{ name: 'help', from: 0, to: 1 }],
    })
    expect(countsIn(await resultsOf(tenant, query({ exclusions }, { series })))).toEqual(expected)
    const filter = { funnelVizType: 'time_to_convert', funnelToStep: 1, exclusions }
    const { bins } = await resultsOf(tenant, query(filter, { series }))
    expect(bins.reduce((sum: number, [, number]: number[]) => sum + number!, 0)).toBe(expected[1])
  })
})

describe('a funnel', () => {
  const rejected = (detail: string) => [400, 'query', detail]
  const exclusion = (event: string, funnelFromStep: number, funnelToStep: number) =>
    step(event, { funnelFromStep, funnelToStep })

  it.each([
    [
      query({ exclusions: [exclusion('help', 1, 1)] }),
      'funnelsFilter.exclusions[0]: funnelFromStep and funnelToStep are numbers of steps from 0 to 2, the first one smaller.',
    ],
    [
      query({ exclusions: [exclusion('buy', 0, 2)] }),
      'funnelsFilter.exclusions[0]: the event is a step of the funnel itself.',
    ],
    [
      query({ exclusions: [exclusion('help', 0, 1)], funnelOrderType: 'unordered' }),
      'funnelsFilter.exclusions[0]: in an unordered FunnelsQuery, exclusions are from step 0 to 2.',
    ],
    [
      query({}, { series: [step('visit', { optionalInFunnel: true }), step('buy')] }),
      'series[0].optionalInFunnel: the first step is never optional.',
    ],
    [
      query(
        { funnelOrderType: 'strict' },
        { series: [step('visit'), step('help', { optionalInFunnel: true }), step('buy')] },
      ),
      "series[1].optionalInFunnel needs the funnelOrderType 'ordered'.",
    ],
    [
      query({ funnelVizType: 'trends', funnelFromStep: 2, funnelToStep: 1 }),
      'funnelsFilter.funnelFromStep and funnelToStep are numbers of steps from 0 to 2, the first one smaller.',
    ],
    [
      query({ funnelVizType: 'time_to_convert' }, { breakdownFilter: { breakdown: 'plan' } }),
      "breakdownFilter is not supported with the funnelVizType 'time_to_convert'.",
    ],
    [
      query({ breakdownAttributionType: 'step' }, { breakdownFilter: { breakdown: 'plan' } }),
      "funnelsFilter.breakdownAttributionValue is the number of a step from 0 to 2 with the breakdownAttributionType 'step'.",
    ],
    [
      query(
        { breakdownAttributionType: 'step', breakdownAttributionValue: 1, funnelOrderType: 'unordered' },
        { breakdownFilter: { breakdown: 'plan' } },
      ),
      "funnelsFilter.breakdownAttributionValue is 0 with the funnelOrderType 'unordered': only the first step has a place.",
    ],
    [
      query(
        { breakdownAttributionType: 'step', breakdownAttributionValue: 1 },
        {
          series: [step('visit'), step('help', { optionalInFunnel: true }), step('buy')],
          breakdownFilter: { breakdown: 'plan' },
        },
      ),
      'funnelsFilter.breakdownAttributionValue must not be an optional step.',
    ],
    [
      query({ funnelWindowInterval: 0 }),
      'funnelsFilter.funnelWindowInterval is a number from 1, and at most 10 years.',
    ],
    [
      query({ funnelWindowInterval: 100_000, funnelWindowIntervalUnit: 'month' }),
      'funnelsFilter.funnelWindowInterval is a number from 1, and at most 10 years.',
    ],
    [
      query({}, { breakdownFilter: { breakdown: 'Some', breakdown_type: 'cohort' } }),
      "Breakdown 'Some' is not a cohort: use its id, or 'all'.",
    ],
  ])('is rejected with the name of the option: %j', async (sent, detail) => {
    expect(await rejectionOf(tenant, sent)).toEqual(rejected(detail))
  })
})
