import { assert, date, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTimestamp, toApiTimestamp, toApiTimestampOrNull, toStoredTimestamp } from '../src/timestamps'

describe('parseTimestamp', () => {
  it.each([
    ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00.000000Z'],
    ['2026-03-10t12:00:00z', '2026-03-10T12:00:00.000000Z'],
    ['2026-03-10T12:00:00', '2026-03-10T12:00:00.000000Z'],
    ['2026-03-10 12:00', '2026-03-10T12:00:00.000000Z'],
    ['2026-03-10', '2026-03-10T00:00:00.000000Z'],
    [' 2026-03-10T12:00:00Z ', '2026-03-10T12:00:00.000000Z'],
    ['2026-03-10T12:00:00.5Z', '2026-03-10T12:00:00.500000Z'],
    ['2026-03-10T12:00:00,123Z', '2026-03-10T12:00:00.123000Z'],
    ['2026-03-10T12:00:00.123456789Z', '2026-03-10T12:00:00.123456Z'],
    ['2026-03-10T12:00:00+02:00', '2026-03-10T10:00:00.000000Z'],
    ['2026-03-10T00:30:00.25+0100', '2026-03-09T23:30:00.250000Z'],
    ['2026-03-10T12:00:00-05', '2026-03-10T17:00:00.000000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('reads %j', (text, moment) => {
    expect(parseTimestamp(text)).toBe(moment)
  })

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-03',
    '2026-3-10',
    '10.03.2026',
    '2026-13-01',
    '2026-00-10',
    '2026-02-29',
    '2026-02-30',
    '2026-03-32',
    '2026-03-10T24:00:00Z',
    '2026-03-10T12:60:00Z',
    '2026-03-10T12:00:60Z',
    '2026-03-10T12Z',
    '2026-03-10T12:00:00+24:00',
    '2026-03-10T12:00:00+02:60',
    '2026-03-10T12:00:00.Z',
    '2026-03-10Z',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-03-10T12:00:00Z2026-03-10T12:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })

  const moments = date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })

  it('parses stored and shown timestamps', () => {
    assert(
      property(moments, (moment) => {
        const at = toStoredTimestamp(moment)
        expect(parseTimestamp(at)).toBe(at)
        expect(parseTimestamp(toApiTimestamp(at))).toBe(at)
        expect(new Date(at).getTime()).toBe(moment.getTime())
      }),
    )
  })

  it('reads the same moment under any offset', () => {
    const near = date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    assert(
      property(near, integer({ min: -23 * 60, max: 23 * 60 }), (moment, minutes) => {
        const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
        const local = new Date(moment.getTime() + minutes * 60_000).toISOString().replace('Z', offset)
        expect(parseTimestamp(local)).toBe(toStoredTimestamp(moment))
      }),
    )
  })

  it('keeps the order of moments in the order of texts', () => {
    assert(
      property(moments, moments, (a, b) => {
        expect(toStoredTimestamp(a) < toStoredTimestamp(b)).toBe(a.getTime() < b.getTime())
      }),
    )
  })
})

describe('shown', () => {
  it('drops a fraction of zero, and no other', () => {
    expect(toApiTimestamp('2026-03-10T12:00:00.000000Z')).toBe('2026-03-10T12:00:00Z')
    expect(toApiTimestamp('2026-03-10T12:00:00.000001Z')).toBe('2026-03-10T12:00:00.000001Z')
    expect(toApiTimestamp('2026-03-10T12:00:00.100000Z')).toBe('2026-03-10T12:00:00.100000Z')
    expect(toApiTimestamp('2026-03-10T12:00:00Z')).toBe('2026-03-10T12:00:00Z')
    expect(toApiTimestampOrNull(null)).toBeNull()
  })
})
