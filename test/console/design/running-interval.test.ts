import { expect, it } from 'vitest'
import { isLastRunning } from '../../../src/console/design/running-interval'

it.each([
  [['2026-11-28', '2026-11-29', '2026-11-30'], true],
  [['2026-11-28', '2026-11-29'], false],
  [['2026-11-30T01:00:00Z', '2026-11-30T02:00:00Z'], true],
  [['2026-11-30T00:00:00Z', '2026-11-30T01:00:00Z'], false],
  [['2026-11-30T01:12:31Z', '2026-11-30T02:01:07Z'], false],
  [['2026-11-30'], false],
  [[], false],
])('the last of %j is an unfinished interval: %s', (times, isRunning) => {
  expect(isLastRunning(times, Date.parse('2026-11-30T02:10:00Z'), 'UTC')).toBe(isRunning)
})

it.each([
  ['2026-11-30T05:50:00Z', true],
  ['2026-11-30T11:00:00Z', false],
])('days are those of the project: at %s, that of the evening before is unfinished: %s', (now, isRunning) => {
  const days = ['2026-11-28', '2026-11-29']
  expect(isLastRunning(days, Date.parse(now), 'Pacific/Pago_Pago')).toBe(isRunning)
})
