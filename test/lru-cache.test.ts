import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LruCache } from '../src/lru-cache'

type Step =
  | { do: 'get' | 'peek' | 'delete'; key: number }
  | { do: 'set'; key: number; value: number; weight: number }

const key = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('get' as const, 'peek' as const, 'delete' as const), key }),
  fc.record({ do: fc.constant('set' as const), key, value: fc.nat(), weight: fc.nat(12) }),
)

/** The same cache as a list, the least recently used entry first. */
function createModel(maxWeight: number) {
  let entries: { key: number; value: number; weight: number }[] = []
  const total = () => entries.reduce((sum, { weight }) => sum + weight, 0)
  const find = (wanted: number) => entries.find((entry) => entry.key === wanted)
  const without = (wanted: number) => entries.filter((entry) => entry.key !== wanted)
  return {
    entries: () => entries.map((entry) => [entry.key, entry.value]),
    weight: total,
    run(each: Step): unknown {
      const found = find(each.key)
      switch (each.do) {
        case 'peek':
          return found?.value
        case 'get':
          if (found) entries = [...without(each.key), found]
          return found?.value
        case 'delete':
          entries = without(each.key)
          return found !== undefined
        case 'set':
          entries = without(each.key)
          if (each.weight > maxWeight) return undefined
          entries.push({ key: each.key, value: each.value, weight: each.weight })
          while (total() > maxWeight) entries.shift()
          return undefined
      }
    },
  }
}

function run(cache: LruCache<number, number>, each: Step): unknown {
  return each.do === 'set' ? cache.set(each.key, each.value, each.weight) : cache[each.do](each.key)
}

describe('LruCache', () => {
  it('answers as a list of entries in order of use does', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(step, { maxLength: 60 }), (maxWeight, steps) => {
        const cache = new LruCache<number, number>(maxWeight)
        const model = createModel(maxWeight)
        for (const each of steps) {
          expect(run(cache, each)).toBe(model.run(each))
          expect([...cache]).toEqual(model.entries())
          expect(cache.weight).toBe(model.weight())
          expect(cache.weight).toBeLessThanOrEqual(maxWeight)
          expect(cache.size).toBe(model.entries().length)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('does not store a value that is heavier than all of it, and forgets the one before', () => {
    const cache = new LruCache<string, number>(10)
    cache.set('other', 1, 5)
    cache.set('grows', 1, 5)
    cache.set('grows', 2, 11)
    expect([...cache]).toEqual([['other', 1]])
  })

  it('allows deleting entries while they are walked', () => {
    const cache = new LruCache<number, number>(10)
    for (let each = 0; each < 5; each += 1) cache.set(each, each, 1)
    for (const [each] of cache) if (each % 2 === 0) cache.delete(each)
    expect([...cache]).toEqual([
      [1, 1],
      [3, 3],
    ])
  })
})
