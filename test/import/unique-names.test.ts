// Keys of items whose names need not be unique.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { uniqueNames } from '../../src/import/posthog/names'

it('gives each name a key of its own, and the first of each name that name', () => {
  const name = fc
    .tuple(fc.constantFrom('A', 'B'), fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }))
    .map(([first, numbers]) => [first, ...numbers.map((number) => `(${number})`)].join(' '))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const keys = uniqueNames(names)
      expect(new Set(keys).size).toBe(names.length)
      for (const each of names) expect(keys[names.indexOf(each)]).toBe(each)
    }),
  )
})
