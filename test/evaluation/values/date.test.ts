import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDateText, parseDate } from '../../../src/evaluation/values/date'
import { NOW } from '../support'

const iso = (text: string, zone = 'UTC', now = NOW): string | null => {
  const at = parseDate(text, now, zone)
  return at === null ? null : new Date(at).toISOString()
}

describe('relative dates', () => {
  it.each([
    ['-7d', '2026-03-24T12:34:56.789Z'],
    ['7d', '2026-03-24T12:34:56.789Z'],
    ['-0d', '2026-03-31T12:34:56.789Z'],
    ['6h', '2026-03-31T06:34:56.789Z'],
    ['-002w', '2026-03-17T12:34:56.789Z'],
    ['-1m', '2026-02-28T12:34:56.789Z'],
    ['-2m', '2026-01-28T12:34:56.789Z'],
    ['-13m', '2025-02-28T12:34:56.789Z'],
    ['-1y', '2025-03-31T12:34:56.789Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it('clamps only 29 February when it steps back a year', () => {
    expect(iso('1y', 'UTC', Date.UTC(2024, 1, 29))).toBe('2023-02-28T00:00:00.000Z')
    expect(iso('4y', 'UTC', Date.UTC(2024, 1, 29))).toBe('2020-02-28T00:00:00.000Z')
  })

  it('clamps the day at every step, however many there are', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01Z'), max: new Date('2200-01-01Z'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('m', 'y'),
        (from, count, unit) => {
          let expected = iso(`0${unit}`, 'UTC', from.getTime())!
          for (let step = 0; step < count; step += 1) expected = iso(`1${unit}`, 'UTC', Date.parse(expected))!
          expect(iso(`${count}${unit}`, 'UTC', from.getTime())).toBe(expected)
        },
      ),
    )
  })

  it('keeps the wall time across a change of clocks', () => {
    // Berlin went from UTC+1 to UTC+2 on 29 March 2026.
    expect(iso('3d', 'Europe/Berlin')).toBe('2026-03-28T13:34:56.789Z')
  })

  it.each(['-10000d', '-7D', '-1.5d', '-1q', '--7d', '+7d', 'd', '-7 d', ''])('%j is not a date', (text) => {
    expect(isDateText(text)).toBe(false)
  })
})

describe('absolute dates', () => {
  it.each([
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-1-5', '2024-01-05T00:00:00.000Z'],
    ['2024-01-01 10:00', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:30.5', '2024-01-01T10:00:30.500Z'],
    ['2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00.000Z'],
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00Z', '2024-01-01T10:00:00.000Z'],
    ['Fri, 05 Jan 2024 10:00:00 +0100', '2024-01-05T09:00:00.000Z'],
    ['January 5, 2024 3:00 PM', '2024-01-05T15:00:00.000Z'],
    ['5 Jan 2024', '2024-01-05T00:00:00.000Z'],
    ['2024/01/05', '2024-01-05T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  it('keeps fractions of a millisecond', () => {
    expect(parseDate('2024-01-01T00:00:00.123456Z', NOW, 'UTC')).toBe(1_704_067_200_123.456)
  })

  it('reads texts without an offset in the project’s zone', () => {
    expect(iso('2024-07-01', 'America/New_York')).toBe('2024-07-01T04:00:00.000Z')
    expect(iso('2024-01-01 10:00', 'Asia/Kathmandu')).toBe('2024-01-01T04:15:00.000Z')
  })

  it('takes the earlier of two instants that the clocks show, and none that they skip', () => {
    expect(iso('2024-10-27 02:30', 'Europe/Berlin')).toBe('2024-10-27T00:30:00.000Z')
    expect(iso('2024-03-31 02:30', 'Europe/Berlin')).toBeNull()
  })

  it.each(['2024-02-30', '2023-02-29', '2024-13-01', '2024-01-01 24:00', '1704067200', 'garbage', '2024'])(
    '%s is not a date',
    (text) => {
      expect(iso(text)).toBeNull()
    },
  )

  it('rejects a long text immediately', () => {
    expect(isDateText(`5 Jan 2024 ${' '.repeat(1_000_000)}x`)).toBe(false)
  })
})
