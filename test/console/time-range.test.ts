// Time ranges of queries, in words.
import { expect, it } from 'vitest'
import { timeRangeWords } from '../../src/console/design/fields/time-range'

it.each([
  ['-24h', null, 'Last 24 hours'],
  ['-14d', null, 'Last 14 days'],
  ['-1w', null, 'Last 1 week'],
  ['-12m', null, 'Last 12 months'],
  ['-2q', null, 'Last 2 quarters'],
  ['-1y', null, 'Last 1 year'],
  ['all', null, 'All time'],
  ['dStart', null, 'Today'],
  ['mStart', null, 'This month'],
  ['yStart', null, 'This year'],
  ['2026-01-01', null, 'From 2026-01-01'],
  ['2026-01-01', '2026-01-31', 'From 2026-01-01 to 2026-01-31'],
  ['-14d', '-7d', 'From -14d to -7d'],
  ['', '2026-01-31', 'To 2026-01-31'],
  ['-1dStart', null, 'From -1dStart'],
  ['', null, null],
])('from %s to %s: %s', (from, to, words) => {
  expect(timeRangeWords({ from, to })).toBe(words)
})
