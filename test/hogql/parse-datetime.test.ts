import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate, isDate, parseDatetime } from '../../src/hogql/parse-datetime'

describe('parseDatetime', () => {
  it.each([
    ['2026-01-31', 'UTC', '2026-01-31T00:00:00.000000Z'],
    ['2026-01-31 10:20', 'UTC', '2026-01-31T10:20:00.000000Z'],
    ['2026-01-31T10:20:30.123456789Z', 'UTC', '2026-01-31T10:20:30.123456Z'],
    ['2026-01-31 10:20:30+02:00', 'America/New_York', '2026-01-31T08:20:30.000000Z'],
    ['2026-01-31 10:20:30 -0530', 'UTC', '2026-01-31T15:50:30.000000Z'],
    ['2026-01-31', 'America/New_York', '2026-01-31T05:00:00.000000Z'],
    ['2026-07-31 23:30', 'Asia/Kolkata', '2026-07-31T18:00:00.000000Z'],
    // Skipped and doubled by the clocks of Berlin.
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000000Z'],
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000000Z'],
  ])('reads %s in %s', (text, timezone, moment) => {
    expect(parseDatetime(text, timezone)).toBe(moment)
  })

  it.each(['', 'abc', '2026-02-30', '2026-13-01', '2026-01-31T25:00', '31/01/2026', '-7d', '2026-01-31junk'])(
    'finds no moment in %o',
    (text) => {
      expect(parseDatetime(text, 'UTC')).toBeNull()
      expect(parseDate(text, 'UTC')).toBeNull()
      expect(isDate(text)).toBe(false)
    },
  )

  it('parses the stored form in every zone', () => {
    const moments = fc.date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
        (moment, timezone) => {
          const stored = moment.toISOString().replace('Z', '000Z')
          expect(parseDatetime(stored, timezone)).toBe(stored)
        },
      ),
    )
  })
})

describe('parseDate', () => {
  it.each([
    ['2026-01-31', 'America/New_York', '2026-01-31'],
    ['2026-01-31T02:00:00Z', 'America/New_York', '2026-01-30'],
    ['2026-01-31 23:00', 'America/New_York', '2026-01-31'],
  ])('is the day of %s in %s', (text, timezone, day) => {
    expect(parseDate(text, timezone)).toBe(day)
  })
})
