// Values of breakdowns that are empty text, which are none, as those that are missing.
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendBatch } from '../../support/capture'
import { trends } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const at = (hour: number, who: string, properties: object) => ({
  ...event(who, { ...properties }, '$pageview'),
  timestamp: `2026-03-08T${hour}:00:00Z`,
})

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await sendBatch(tenant, [
    at(10, 'ada', { plan: '', amount: 1 }),
    at(11, 'bob', { amount: 2 }),
    at(12, 'cy', { plan: null, amount: 6 }),
    at(13, 'ada', { plan: 'pro', amount: 5 }),
  ])
})

const DAY = { date_from: '2026-03-08', date_to: '2026-03-08' }
const BY_PLAN = { dateRange: DAY, breakdownFilter: { breakdown: 'plan' } }

async function resultsOf(query: object, variables: object = {}) {
  const { name } = await tenant.endpoint({ query })
  const { status, body } = await tenant.post(tenant.endpoints(`${name}/run`), { variables })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.results
}

describe('empty and missing values of a breakdown', () => {
  it.each([
    ['total', {}, 3, 1],
    ['avg', { math: 'avg', math_property: 'amount' }, 3, 5],
    ['first_time_for_user', { math: 'first_time_for_user' }, 3, null],
  ])('are one line of trends, by %s', async (_, math, none, pro) => {
    const query = trends({ series: [{ kind: 'EventsNode', event: '$pageview', ...math }], ...BY_PLAN })
    const told = (lines: { label: string; breakdown_value: string | null; data: number[] }[]) =>
      lines
        .map(({ label, breakdown_value: value, data }) => [label, value, data[0]])
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    const line = ['null', null, none]
    expect(told(await resultsOf(query))).toEqual(pro === null ? [line] : [line, ['pro', 'pro', pro]])
    expect(told(await resultsOf(query, { plan: '' }))).toEqual([line])
  })

  it('are one table of a retention', async () => {
    const tables = await resultsOf({ kind: 'RetentionQuery', retentionFilter: {}, ...BY_PLAN })
    expect(
      tables.map((row: { breakdown_value: string | null; values: { count: number }[] }) => [
        row.breakdown_value,
        row.values[0]!.count,
      ]),
    ).toEqual([
      [null, 3],
      ['pro', 1],
    ])
  })

  it('are one funnel, of those who have no event with a value', async () => {
    const series = [{ event: '$pageview' }, { event: '$pageview' }]
    const funnels = await resultsOf({ kind: 'FunnelsQuery', series, ...BY_PLAN })
    expect(
      funnels.map((steps: { breakdown_value: unknown; count: number }[]) =>
        steps.map(({ breakdown_value: value, count }) => [value, count]),
      ),
    ).toEqual([
      [
        [['pro'], 1],
        [['pro'], 1],
      ],
      [
        [[null], 2],
        [[null], 0],
      ],
    ])
  })
})
