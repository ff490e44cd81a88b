// The widths of nested functions: no value exceeds its width. functions.test.ts covers each function by itself.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { exceededBounds } from './bounds'
import { propertyRuns } from '../../support/property-runs'

/** A text of HogQL. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const { text } = fc.letrec<{ text: string; list: string; leaf: string }>((tie) => {
  const count = fc.integer({ min: 0, max: 12 })
  const of = (format: (...args: (string | number)[]) => string, ...args: fc.Arbitrary<string | number>[]) =>
    fc.tuple(...args).map((all) => format(...all))
  return {
    leaf: fc
      .string({ unit: fc.constantFrom('a', 'ß', '€', '😀', '"', '\\', "'", ',', ' ', '\n'), maxLength: 6 })
      .map(quoted),
    text: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      of((one, other) => `concat(${one}, ${other})`, tie('text'), tie('text')),
      of((one, times) => `repeat(${one}, ${times})`, tie('text'), count),
      of(
        (one, pattern, other) => `replaceAll(${one}, ${pattern}, ${other})`,
        tie('text'),
        tie('leaf'),
        tie('text'),
      ),
      of(
        (one, pattern, other) => `replaceOne(${one}, ${pattern}, ${other})`,
        tie('text'),
        tie('leaf'),
        tie('text'),
      ),
      of((one, length, other) => `leftPad(${one}, ${length}, ${other})`, tie('text'), count, tie('leaf')),
      of((one, length) => `rightPad(${one}, ${length})`, tie('text'), count),
      of((one) => `upper(${one})`, tie('text')),
      of((one) => `reverse(${one})`, tie('text')),
      of((one) => `toJSONString(${one})`, tie('text')),
      of(
        (one, from, length) => `substring(${one}, ${from}, ${length})`,
        tie('text'),
        fc.integer({ min: 1, max: 9 }),
        count,
      ),
      of((one, other) => `arrayStringConcat(${one}, ${other})`, tie('list'), tie('text')),
      of((one) => `toString(${one})`, tie('list')),
    ),
    list: fc.oneof(
      { maxDepth: 3 },
      of((one, other) => `[${one}, ${other}]`, tie('text'), tie('text')),
      of((separator, one) => `splitByString(${separator}, ${one})`, tie('leaf'), tie('text')),
      of((end, one) => `arrayMap(x -> concat(toString(x), ${one}), range(${end}))`, count, tie('text')),
      of((one, other) => `arrayConcat(${one}, ${other})`, tie('list'), tie('list')),
      of((one, other) => `arrayMap(x -> concat(x, ${other}), ${one})`, tie('list'), tie('text')),
      of((one) => `arrayDistinct(${one})`, tie('list')),
      of((one) => `arrayReverse(arraySort(${one}))`, tie('list')),
      of((one, length) => `arraySlice(${one}, 1, ${length})`, tie('list'), fc.integer({ min: 1, max: 9 })),
    ),
  }
})

const RUNS = propertyRuns(20, 60)

describe('widths of nested functions', () => {
  it('hold for all functions that lengthen texts', async () => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(text, async (expression) => {
        try {
          expect(await exceededBounds(parseHogql(`SELECT ${expression}`))).toEqual([])
          tried += 1
        } catch (error) {
          // Some are too deep for the database, or may become too large for it.
          if (!(error instanceof HogqlError) && !/too large|too complex|TOOBIG|too deep/.test(String(error)))
            throw error
        }
      }),
      { numRuns: RUNS },
    )
    expect(tried).toBeGreaterThan(RUNS / 2)
  }, 60_000)

  it.each([
    ['of a lambda', 'arrayMap(x -> range(300), [1])'],
    ['that is added', 'arrayPushBack([[1]], range(300))'],
  ])('hold for an array %s', async (_, arrays) => {
    const sql = `SELECT arrayElement(arrayMap(y -> toString(y), ${arrays}), -1)`
    expect(await exceededBounds(parseHogql(sql))).toEqual([])
  })
})
