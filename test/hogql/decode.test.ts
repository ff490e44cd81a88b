import { describe, expect, it } from 'vitest'
import { decoderOf } from '../../src/hogql/decode'
import * as types from '../../src/hogql/types'

const decode = (type: types.Type, value: unknown, timezone = 'UTC') => {
  const decoder = decoderOf(type, timezone, 'sqlite')
  return decoder ? decoder(value) : value
}

describe('datetimes', () => {
  it.each([
    ['UTC', '2026-01-31T12:00:00.000000Z', '2026-01-31T12:00:00Z'],
    ['UTC', '2026-01-31T12:00:00.120000Z', '2026-01-31T12:00:00.120000Z'],
    ['UTC', '2026-01-31T12:00:00.000001Z', '2026-01-31T12:00:00.000001Z'],
    ['Europe/Amsterdam', '2026-01-31T12:00:00.000000Z', '2026-01-31T13:00:00+01:00'],
    ['Europe/Amsterdam', '2026-03-29T00:59:59.999999Z', '2026-03-29T01:59:59.999999+01:00'],
    ['Europe/Amsterdam', '2026-03-29T01:00:00.000000Z', '2026-03-29T03:00:00+02:00'],
    ['America/New_York', '2026-01-01T02:00:00.500000Z', '2025-12-31T21:00:00.500000-05:00'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00.000000Z', '2026-01-01T05:45:00+05:45'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59.000000Z', '2026-04-05T01:59:59+11:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00.000000Z', '2026-04-05T01:30:00+10:30'],
    ['Europe/London', '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00Z'],
  ])('in %s shows %s as %s', (timezone, stored, shown) => {
    expect(decode(types.DATETIME, stored, timezone)).toBe(shown)
  })
})

describe('decoderOf', () => {
  it('has nothing to do for values that are shown as they come', () => {
    for (const type of [
      types.INTEGER,
      types.FLOAT,
      types.STRING,
      types.DATE,
      types.JSON_DOCUMENT,
      types.NULL,
    ]) {
      expect(decoderOf(type, 'UTC', 'sqlite')).toBe(null)
    }
  })

  it('keeps NULL', () => {
    for (const type of [
      types.BOOLEAN,
      types.DATETIME,
      types.arrayOf(types.STRING),
      types.tupleOf(types.STRING),
    ]) {
      expect(decode(types.nullable(type), null)).toBe(null)
    }
  })

  it('reads booleans, arrays and tuples, and what is in them', () => {
    expect(decode(types.BOOLEAN, 1)).toBe(true)
    expect(decode(types.BOOLEAN, 0)).toBe(false)
    expect(decode(types.arrayOf(types.STRING), '["a","b"]')).toEqual(['a', 'b'])
    expect(decode(types.arrayOf(types.nullable(types.BOOLEAN)), '[1,0,null]')).toEqual([true, false, null])
    expect(decode(types.arrayOf(types.arrayOf(types.BOOLEAN)), '[[1],[0,1]]')).toEqual([
      [true],
      [false, true],
    ])
    expect(
      decode(
        types.tupleOf(types.DATETIME, types.BOOLEAN, types.STRING),
        '["2026-01-31T12:00:00.000000Z",0,"x"]',
        'Europe/Amsterdam',
      ),
    ).toEqual(['2026-01-31T13:00:00+01:00', false, 'x'])
  })
})
