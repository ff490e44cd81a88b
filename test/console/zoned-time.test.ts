// Times of a zone, and the moments that they are.
import { expect, it } from 'vitest'
import { localTime, momentOf, zonedText } from '../../src/console/schedule/zoned-time'

it.each([
  ['UTC', '2026-04-03T09:00', '2026-04-03T09:00:00.000Z'],
  ['Europe/Berlin', '2026-04-03T09:00', '2026-04-03T07:00:00.000Z'],
  ['Europe/Berlin', '2026-01-03T00:30', '2026-01-02T23:30:00.000Z'],
  ['America/New_York', '2026-03-08T12:00', '2026-03-08T16:00:00.000Z'],
  ['Asia/Kathmandu', '2026-04-03T09:00', '2026-04-03T03:15:00.000Z'],
  // Shown twice: the first.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
])('finds the moment at which clocks in %s show %s', (zone, local, moment) => {
  expect(momentOf(local, zone)).toBe(moment)
  expect(localTime(Date.parse(moment), zone)).toBe(local)
})

it.each([
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
  ['Pacific/Apia', '2011-12-30T10:00', '2011-12-30T20:00:00.000Z'],
])('moves a time that the clocks of %s skip as far as they are put forward', (zone, local, moment) => {
  expect(momentOf(local, zone)).toBe(moment)
})

it('rejects other text', () => {
  expect(momentOf('', 'UTC')).toBeNull()
})

it('shows a time with its zone', () => {
  expect(zonedText('2026-04-03T07:00:00Z', 'Europe/Berlin')).toBe('Fri, Apr 3, 2026, 09:00 GMT+2')
})
