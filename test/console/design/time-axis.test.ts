import { expect, it } from 'vitest'
import { partsFor, stepsOf } from '../../../src/console/design/time-axis'

const SECOND = 1_000
const DAY = 86_400 * SECOND

it.each([
  ['two seconds', 2 * SECOND, '00:00:00, 00:00:01, 00:00:02'],
  ['five minutes', 300 * SECOND, '00:00:00, 00:00:01, 00:00:02'],
  ['ten minutes', 600 * SECOND, '00:00, 00:01, 00:02'],
  ['an hour', 3_600 * SECOND, '00:00, 00:01, 00:02'],
  ['two days', 2 * DAY, 'Nov 30, 00:00, Nov 30, 00:01, Nov 30, 00:02'],
  ['three days', 3 * DAY, 'Nov 30, Dec 1, Dec 2'],
])('labels of an axis of %s differ', (_span, length, labels) => {
  const start = Date.parse('2026-11-30T00:00:00Z')
  const days = [start, start + length].map((time) => new Date(time).toISOString())
  const [step] = stepsOf(days)
  const texts = [0, 1, 2].map((count) =>
    new Date(start + count * step! * SECOND).toLocaleString('en', { timeZone: 'UTC', ...partsFor(days) }),
  )
  expect(texts.join(', ')).toBe(labels)
})
