// When a recurring change runs again.
import { expect, it } from 'vitest'
import { nextOccurrence, type RecurrenceInterval } from '../../../src/flags/scheduled/recurrence'

const next = (firstAt: string, interval: RecurrenceInterval, now: string, endDate: string | null = null) =>
  nextOccurrence({ firstAt, interval, endDate }, new Date(now))

it.each([
  ['daily', '2026-03-01T09:00:00.000000Z', '2026-03-01T09:00:00Z', '2026-03-02T09:00:00.000000Z'],
  // Europe changes its clocks on 29 March: the time in UTC stays.
  ['daily', '2026-03-28T09:00:00.000000Z', '2026-03-28T09:00:01Z', '2026-03-29T09:00:00.000000Z'],
  // Occurrences that were missed are left out.
  ['weekly', '2026-03-01T09:00:00.000000Z', '2026-03-20T00:00:00Z', '2026-03-22T09:00:00.000000Z'],
  ['monthly', '2026-01-31T09:00:00.000000Z', '2026-01-31T09:00:00Z', '2026-02-28T09:00:00.000000Z'],
  ['monthly', '2026-01-31T09:00:00.000000Z', '2026-02-28T09:00:00Z', '2026-03-31T09:00:00.000000Z'],
  ['monthly', '2026-01-15T09:00:00.000000Z', '2026-11-15T08:59:59Z', '2026-11-15T09:00:00.000000Z'],
  ['yearly', '2024-02-29T09:00:00.000000Z', '2024-02-29T09:00:00Z', '2025-02-28T09:00:00.000000Z'],
  ['yearly', '2024-02-29T09:00:00.000000Z', '2027-12-01T00:00:00Z', '2028-02-29T09:00:00.000000Z'],
] as const)('finds the next %s occurrence of %s after %s', (interval, first, now, expected) => {
  expect(next(first, interval, now)).toBe(expected)
})

it('has no occurrence after the end', () => {
  const at = ['2026-03-01T09:00:00.000000Z', 'daily', '2026-03-01T09:00:00Z'] as const
  expect(next(...at, '2026-03-02T09:00:00.000000Z')).toBe('2026-03-02T09:00:00.000000Z')
  expect(next(...at, '2026-03-02T08:59:59.000000Z')).toBeNull()
})
