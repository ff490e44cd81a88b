// The moments that clients write.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDatetime } from '../../../src/analytics/capture/parse-datetime'
import { toStoredTimestamp } from '../../../src/timestamps'

const NOON = '2026-03-10T12:00:00.000000Z'

describe('parseDatetime', () => {
  it.each([
    ['2026-03-10T12:00:00.123456Z', '2026-03-10T12:00:00.123456Z'],
    [' 2026-03-10 14:00+02 ', NOON],
    // Leap seconds.
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31 23:59:60.25Z', '2017-01-01T00:00:00.250000Z'],
    ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000000Z'],
    // Since 1970.
    [1_773_144_000, NOON],
    [1_773_144_000_000, NOON],
    ['1773144000', NOON],
    ['1773144000000', NOON],
    [1_773_144_000.5, '2026-03-10T12:00:00.500000Z'],
    ['1773144000.5', '2026-03-10T12:00:00.500000Z'],
    [0, '1970-01-01T00:00:00.000000Z'],
    [-1, '1969-12-31T23:59:59.000000Z'],
    // RFC 2822.
    ['Tue, 10 Mar 2026 12:00:00 GMT', NOON],
    ['Tue, 10 Mar 2026 12:00:00 +0000', NOON],
    ['10 mar 2026 12:00 ut', NOON],
    ['Tue, 10 Mar 2026 08:00:00 EDT', NOON],
    ['Tue, 10 Mar 2026 07:00:00 -0500 (EST)', NOON],
    ['1 Jan 2017 00:59:60 +0100', '2017-01-01T00:00:00.000000Z'],
  ])('reads %j', (written, moment) => {
    expect(parseDatetime(written)).toBe(moment)
  })

  it.each([
    'yesterday',
    '',
    '2026-02-30T12:00:00Z',
    '2026-03-10T12:00:61Z',
    '2026-03-10T12:60:60Z',
    '9999-12-31T23:59:60Z',
    'Mon, 30 Feb 2026 12:00:00 GMT',
    '10 Foo 2026 12:00:00 GMT',
    '10 Mar 2026 12:00:00 XYZ',
    '10 Mar 2026 12:00:00',
    '1e9',
    '12:00',
    1e20,
    -1e18,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    {},
    [1_773_144_000],
  ])('does not read %j', (written) => {
    expect(parseDatetime(written)).toBeNull()
  })

  it('reads what Date writes', () => {
    const years = { min: new Date('1975-01-01'), max: new Date('4999-01-01'), noInvalidDate: true }
    fc.assert(
      fc.property(fc.date(years), (moment) => {
        const second = new Date(Math.floor(moment.getTime() / 1000) * 1000)
        expect(parseDatetime(moment.getTime())).toBe(toStoredTimestamp(moment))
        expect(parseDatetime(moment.toISOString())).toBe(toStoredTimestamp(moment))
        expect(parseDatetime(second.toUTCString())).toBe(toStoredTimestamp(second))
        expect(parseDatetime(second.getTime() / 1000)).toBe(toStoredTimestamp(second))
      }),
    )
  })
})
