// How many rows a run gives (docs/reference/endpoints.md#pages-of-a-run), tried against what the words say.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { removeExtraRow, pageWindowOf } from '../../../src/endpoints/run/hogql-run'

const count = fc.nat({ max: 60_000 })

describe('a window', () => {
  it('selects the page of the rows within LIMIT, for any numbers', () => {
    const numbers = fc.record({
      rows: count,
      ceiling: fc.option(count),
      own: fc.nat({ max: 5 }),
      limit: fc.option(fc.integer({ min: 1, max: 60_000 })),
      offset: count,
    })
    fc.assert(
      fc.property(numbers, ({ rows, ceiling, own, limit, offset }) => {
        const asked = { limit, offset: limit === null ? null : offset }
        const window = pageWindowOf({ ceiling, offset: own, pageable: true }, asked)
        // What the engine would give of so many rows.
        const all = Array.from({ length: rows }, (_, n) => [n])
        const given = all.slice(window.offset, window.offset + window.limit)
        const hasMore = removeExtraRow(given, window)

        const within = all.slice(own, own + (ceiling ?? Infinity)).slice(asked.offset ?? 0)
        const kept = Math.min(limit ?? ceiling ?? 100, 50_000)
        expect(given).toEqual(within.slice(0, kept))
        const more = within.length > kept
        expect(hasMore).toBe(more)
      }),
      { numRuns: 300 },
    )
  })
})
