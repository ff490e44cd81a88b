import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIds } from '../src/clock'

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const NOW = Date.parse('2026-03-10T12:00:00Z')

const millisOf = (uuid: string) => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

describe('ids', () => {
  it('are UUIDs of version 7 with their time of creation', () => {
    const uuid = createIds().uuid(new Date(NOW))
    expect(uuid).toMatch(UUID_V7)
    expect(millisOf(uuid)).toBe(NOW)
  })

  it('sort in the order of creation, also when the clock goes back', () => {
    const steps = array(integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 200 })
    assert(
      property(steps, (moves) => {
        const ids = createIds()
        let at = NOW
        const made = moves.map((move) => ids.uuid(new Date((at += move))))
        expect(made.toSorted()).toEqual(made)
        expect(new Set(made).size).toBe(made.length)
        for (const uuid of made) expect(uuid).toMatch(UUID_V7)
      }),
    )
  })

  it('sort also when a millisecond holds more of them than it has numbers', () => {
    const ids = createIds()
    const made = Array.from({ length: 10_000 }, () => ids.uuid(new Date(NOW)))
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
    expect(millisOf(made.at(-1)!) - NOW).toBeLessThan(5)
  })

  it('of two sources differ', () => {
    const made = Array.from({ length: 1000 }, () => createIds().uuid(new Date(NOW)))
    expect(new Set(made).size).toBe(made.length)
  })
})

describe('secrets', () => {
  it.each([
    [1, 2],
    [16, 22],
    [32, 43],
  ])('of %i bytes are %i characters of base62', (bytes, length) => {
    for (let round = 0; round < 200; round += 1) {
      expect(createIds().secret(bytes)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
    }
  })

  it('are never the same', () => {
    const made = Array.from({ length: 1000 }, () => createIds().secret(16))
    expect(new Set(made).size).toBe(made.length)
  })
})
