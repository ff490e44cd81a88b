import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonParameters, MAX_PARAMETER_BYTES, chunksOf } from '../../src/storage/json-parameters'

describe('cutting a list', () => {
  it('keeps every item, in order, in runs that are not too large', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 50 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5 }), (items, most) => {
        const runs = chunksOf(items, (size) => size, 10, most)
        expect(runs.flat()).toEqual(items)
        for (const run of runs) {
          expect(run.length).toBeLessThanOrEqual(most)
          const size = run.reduce((sum, each) => sum + each, 0)
          // One item that is too large by itself has nobody beside it.
          expect(size <= 10 || run.length === 1).toBe(true)
        }
      }),
    )
  })

  it('makes parameters by bytes, not characters', () => {
    const items = Array.from({ length: 10 }, () => 'é'.repeat(100_000))
    const parameters = jsonParameters(items)
    expect(parameters).toHaveLength(3)
    expect(parameters.flatMap((json) => JSON.parse(json))).toEqual(items)
    for (const json of parameters) {
      expect(new TextEncoder().encode(json).byteLength).toBeLessThanOrEqual(MAX_PARAMETER_BYTES)
    }
  })

  it('makes no parameter of nothing', () => {
    expect(jsonParameters([])).toEqual([])
  })
})
