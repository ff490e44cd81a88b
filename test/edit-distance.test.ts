import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearestName } from '../src/edit-distance'

const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })

describe('the distance of two names', () => {
  it.each([
    ['count', 'coutn', 1],
    ['rollout', 'rolout', 1],
    ['rollout', 'rollouts', 1],
    ['active', 'aktive', 1],
    ['active', 'inactive', 2],
    ['event', 'timestamp', 3],
  ])('%s and %s: %i', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance)
  })

  it('is the same in both directions, zero for the same name, and exceeds any smaller limit', () => {
    fc.assert(
      fc.property(names, names, fc.nat(6), (a, b, max) => {
        const distance = editDistance(a, b, 100)
        expect(editDistance(b, a, 100)).toBe(distance)
        expect(distance === 0).toBe(a === b)
        if (distance <= max) expect(editDistance(a, b, max)).toBe(distance)
        else expect(editDistance(a, b, max)).toBeGreaterThan(max)
      }),
    )
  })
})

it('finds the nearest name, the first of several', () => {
  expect(nearestName('nam', ['key', 'name', 'names', 'nan'], 2)).toBe('name')
  expect(nearestName('colour', ['key', 'name'], 2)).toBeUndefined()
})
