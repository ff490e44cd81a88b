import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJsonSize, measureJson } from '../../../src/http/body/json-size'

const ANY = { maxDepth: Infinity, maxValues: Infinity }

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + valuesIn(each), 1)
    : 1
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe('measureJson', () => {
  it('counts levels and values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, space) => {
        expect(measureJson(JSON.stringify(value, null, space), ANY)).toEqual({
          depth: depthOf(value),
          values: valuesIn(value),
        })
      }),
    )
  })

  it('never throws, and stops at the first limit that is passed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ' ', '1') }),
        (text) => {
          const { depth, values } = measureJson(text, { maxDepth: 3, maxValues: 5 })
          expect(depth).toBeLessThanOrEqual(4)
          expect(values).toBeLessThanOrEqual(7)
        },
      ),
    )
    expect(measureJson('['.repeat(1_000_000), { maxDepth: 3, maxValues: 5 }).depth).toBe(4)
  })
})

describe('checkJsonSize', () => {
  const LIMITS = { maxDepth: 2, maxValues: 4 }

  it('takes values within the limits', () => {
    expect(checkJsonSize('[[1], 2]', LIMITS)).toBe(4)
    expect(checkJsonSize('[[], [], []]', LIMITS)).toBe(4)
  })

  it('rejects values over the limits', () => {
    expect(() => checkJsonSize('[[[1]]]', LIMITS)).toThrow(
      expect.objectContaining({ status: 400, message: 'JSON parse error - nested deeper than 2 levels' }),
    )
    expect(() => checkJsonSize('{"a": 1, "b": [2, 3]}', LIMITS)).toThrow(
      expect.objectContaining({
        status: 413,
        code: 'request_too_large',
        message: 'Request body exceeds the maximum of 4 JSON values.',
      }),
    )
    expect(() => checkJsonSize('[[], [], [], []]', LIMITS)).toThrow(expect.objectContaining({ status: 413 }))
  })
})
