// Results that repeat what a breakdown or a name has: they are refused before they are built, because they could fill the memory of an isolate.
import { expect, it } from 'vitest'
import { funnelResult } from '../../../src/endpoints/insights/funnels/funnels-result'
import { retentionKind } from '../../../src/endpoints/insights/retention/retention-result'
import { ApiError } from '../../../src/errors'

const CONTEXT = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'UTC' }
const breakdownFilter = { breakdown: 'plan', breakdown_type: 'event' as const }

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

const funnel = (steps: number, rows: number, { value = '', name = 'opened' }) =>
  codeOf(() =>
    funnelResult(
      {
        kind: 'FunnelsQuery',
        series: Array.from({ length: steps }, () => ({
          kind: 'EventsNode',
          event: 'opened',
          custom_name: name,
        })),
        breakdownFilter,
      },
      Array.from({ length: rows }, (_, index) => [
        `${index}${value}`,
        ...Array.from({ length: steps }, () => 1),
      ]),
    ),
  )

const retention = (groups: number, value: string) =>
  codeOf(() =>
    retentionKind.result(
      {
        kind: 'RetentionQuery',
        retentionFilter: { totalIntervals: 40 },
        breakdownFilter,
      },
      Array.from({ length: groups }, (_, index) => ['2026-03-01 00:00:00', 0, `${index}${value}`, 1]),
      CONTEXT,
    ),
  )

it.each([
  ['many steps', funnel(20, 5_000, {})],
  ['long values', funnel(20, 40, { value: 'x'.repeat(20_000) })],
  ['long names', funnel(2, 100, { name: 'x'.repeat(100_000) })],
])('refuses a funnel of many values with %s', (_, code) => {
  expect(code).toBe('query_too_large')
})

it('refuses a retention table of many long values', () => {
  expect(retention(20, 'x'.repeat(100_000))).toBe('query_too_large')
})

it('takes values, steps and names of ordinary size', () => {
  expect([funnel(20, 2_000, {}), funnel(3, 20_000, {}), retention(500, 'x'.repeat(100))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
