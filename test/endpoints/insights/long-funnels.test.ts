// Funnels of as many steps as there may be, in a time zone whose clocks change, where their SQL is longest.
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_FUNNEL_STEPS } from '../../../src/endpoints/insights/limits'
import { projects } from '../../../drizzle'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { dateOf, generate, type Happening, load, rejectionOf, resultsOf, runOf } from './generated-events'

const HOUR = 3_600_000
const [{ time: START }] = generate({ names: ['x'], count: 1 }) as [Happening]
const STEPS = Array.from({ length: MAX_FUNNEL_STEPS }, (_, index) => `step ${index}`)
const LAST = STEPS.length - 1

const at = (who: string, name: string, hours: number): Happening => ({
  who,
  name,
  time: START + hours * HOUR,
  plan: who.length % 2 === 0 ? 'pro' : 'free',
  amount: 1,
})

/** One person for each number of steps, who takes the later half of them twice as slowly. */
const SPEED = (index: number) => (index < 10 ? index : 2 * index - 10)
const IN_ORDER = STEPS.flatMap((_, reach) =>
  STEPS.slice(0, reach + 1).map((name, index) => at(`to ${reach}`, name, SPEED(index))),
)
/** All steps, backwards; and all in order, with another event in between. */
const BACKWARDS = STEPS.map((name, index) => at('backwards', name, LAST - index))
const INTERRUPTED = [
  ...STEPS.map((name, index) => at('interrupted', name, SPEED(index))),
  at('interrupted', 'other', 4.5),
]

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await database()
    .update(projects)
    .set({ timezone: 'Europe/Berlin' })
    .where(eq(projects.id, tenant.projectId))
  await load(tenant, [...IN_ORDER, ...BACKWARDS, ...INTERRUPTED])
})

const series = STEPS.map((event) => ({ kind: 'EventsNode', event }))
const query = (funnelsFilter: object = {}, more: object = {}) => ({
  kind: 'FunnelsQuery',
  series,
  dateRange: { date_from: dateOf(0), date_to: dateOf(15) },
  funnelsFilter,
  ...more,
})

type Shown = { count: number; average_conversion_time: number | null; median_conversion_time: number | null }
const countsOf = (steps: Shown[]) => steps.map(({ count }) => count)

describe(`a funnel of ${MAX_FUNNEL_STEPS} steps`, () => {
  it('counts steps in order, with their times', async () => {
    const { results, timezone } = await runOf(tenant, query())
    const found: Shown[] = results
    expect(timezone).toBe('Europe/Berlin')
    // Backwards is as good as the first step alone.
    expect(countsOf(found)).toEqual(STEPS.map((_, index) => STEPS.length - index + (index === 0 ? 2 : 1)))
    const seconds = STEPS.map((_, index) => (index === 0 ? null : (SPEED(index) - SPEED(index - 1)) * 3600))
    expect(found.map((each) => each.average_conversion_time)).toEqual(seconds)
    expect(found.map((each) => each.median_conversion_time)).toEqual(seconds)
  })

  it('counts steps in strict order', async () => {
    const expected = STEPS.map((_, index) => STEPS.length - index + (index === 0 ? 2 : index <= 4 ? 1 : 0))
    expect(countsOf(await resultsOf(tenant, query({ funnelOrderType: 'strict' })))).toEqual(expected)
  })

  it('counts steps in any order', async () => {
    const expected = STEPS.map((_, index) => STEPS.length - index + 2)
    expect(countsOf(await resultsOf(tenant, query({ funnelOrderType: 'unordered' })))).toEqual(expected)
  })

  it('leaves out who did something else', async () => {
    const exclusions = [{ kind: 'EventsNode', event: 'other', funnelFromStep: 0, funnelToStep: LAST }]
    expect(countsOf(await resultsOf(tenant, query({ exclusions })))).toEqual(
      STEPS.map((_, index) => STEPS.length - index + (index === 0 ? 1 : 0)),
    )
  })

  it('counts the steps after something else, in any order', async () => {
    const exclusions = [{ kind: 'EventsNode', event: 'other', funnelFromStep: 0, funnelToStep: LAST }]
    expect(countsOf(await resultsOf(tenant, query({ exclusions, funnelOrderType: 'unordered' })))).toEqual(
      // Five steps of one person come before it.
      STEPS.map((_, index) => STEPS.length - index + (index < STEPS.length - 5 ? 2 : 1)),
    )
  })

  it('takes property filters in each step and a breakdown by the first touch', async () => {
    const properties = [{ key: 'amount', value: [0, 1], operator: 'exact', type: 'event' }]
    const found: Shown[][] = await resultsOf(
      tenant,
      query(
        { breakdownAttributionType: 'first_touch' },
        {
          series: series.map((node) => ({ ...node, properties })),
          breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
        },
      ),
    )
    const whole = STEPS.map((_, index) => STEPS.length - index + (index === 0 ? 2 : 1))
    expect(found).toHaveLength(2)
    expect(STEPS.map((_, index) => found.reduce((sum, steps) => sum + steps[index]!.count, 0))).toEqual(whole)
  })

  it('takes a breakdown by a later step', async () => {
    const filter = { breakdownAttributionType: 'step', breakdownAttributionValue: 15 }
    const breakdownFilter = { breakdown: 'plan', breakdown_type: 'event' }
    const found: Shown[][] = await resultsOf(tenant, query(filter, { breakdownFilter }))
    // Those with fewer steps have no event to take a value from.
    expect(found.map(countsOf)).toEqual([
      STEPS.map((_, index) => (index === 0 ? 7 : index <= 15 ? 6 : STEPS.length - index + 1)),
    ])
  })

  it('has no more', async () => {
    const more = [...series, { kind: 'EventsNode', event: 'more' }]
    expect(await rejectionOf(tenant, query({}, { series: more }))).toEqual([
      400,
      'query',
      `A FunnelsQuery has at most ${MAX_FUNNEL_STEPS} series.`,
    ])
  })
})
