// Each way to spoil a value, at each of its places.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soundBodies, spoiledBodies } from './bodies'
import { spoil, type Spoiling, spoilings } from './spoil'

const VALUE = { ids: [1, 2], name: 'a' }

/** What a change makes of each place in turn: the whole, `ids`, its members, `name`. */
const everywhere = (change: Omit<Spoiling, 'at'>) =>
  [0, 1, 2, 3, 4].map((at) => spoil(VALUE, { at, ...change } as Spoiling))

describe('spoil', () => {
  it('replaces', () => {
    expect(everywhere({ how: 'replace', by: null } as Spoiling)).toEqual([
      null,
      { ids: null, name: 'a' },
      { ids: [null, 2], name: 'a' },
      { ids: [1, null], name: 'a' },
      { ids: [1, 2], name: null },
    ])
  })

  it('removes', () => {
    expect(everywhere({ how: 'remove' })).toEqual([
      undefined,
      { name: 'a' },
      { ids: [2], name: 'a' },
      { ids: [1], name: 'a' },
      { ids: [1, 2] },
    ])
  })

  it('adds a member with any name', () => {
    const [whole, list] = everywhere({ how: 'add', name: '__proto__', value: { a: 1 } } as Spoiling)
    expect(JSON.stringify(whole)).toBe('{"ids":[1,2],"name":"a","__proto__":{"a":1}}')
    expect(list).toEqual({ ids: { a: 1 }, name: 'a' })
  })

  it('repeats', () => {
    expect(everywhere({ how: 'repeat', times: 2 } as Spoiling)).toEqual([
      [VALUE, VALUE],
      { ids: [1, 2, 1, 2], name: 'a' },
      { ids: [[1, 1], 2], name: 'a' },
      { ids: [1, [2, 2]], name: 'a' },
      { ids: [1, 2], name: 'aa' },
    ])
  })

  it('wraps', () => {
    expect(spoil(VALUE, { at: 4, how: 'wrap' })).toEqual({ ids: [1, 2], name: ['a'] })
  })

  it('writes a value as another type', () => {
    expect(everywhere({ how: 'retype' })).toEqual([
      '{"ids":[1,2],"name":"a"}',
      { ids: '[1,2]', name: 'a' },
      { ids: ['1', 2], name: 'a' },
      { ids: [1, '2'], name: 'a' },
      { ids: [1, 2], name: 1 },
    ])
  })

  it('puts another piece into a text, and another number in place of one', () => {
    const mangle = (at: number, place: number) => spoil(VALUE, { at, how: 'mangle', place, by: '(' })
    expect([mangle(4, 0), mangle(4, 1), mangle(2, 0), mangle(2, 3), mangle(1, 0)]).toEqual([
      { ids: [1, 2], name: '(' },
      { ids: [1, 2], name: 'a(' },
      { ids: [-1, 2], name: 'a' },
      { ids: [1.5, 2], name: 'a' },
      { ids: '[1,2]', name: 'a' },
    ])
  })

  it('does not change its input, and keeps undefined', () => {
    const before = structuredClone(VALUE)
    for (const spoiling of fc.sample(spoilings, { numRuns: 200, seed: 1 })) {
      spoil(VALUE, spoiling)
      expect(spoil(undefined, spoiling)).toBe(undefined)
    }
    expect(VALUE).toEqual(before)
    expect({}).not.toHaveProperty('isAdmin')
  })
})

const sampled = <T>(bodies: fc.Arbitrary<T>) => fc.sample(bodies, { numRuns: 1_000, seed: 1 })

describe('bodies', () => {
  it('are the JSON that was given, when they are sound', () => {
    for (const { type, text } of sampled(soundBodies(fc.constant(VALUE)))) {
      expect({ type, value: JSON.parse(text) as unknown }).toEqual({ type: 'application/json', value: VALUE })
    }
  })

  it('are hardly ever, when they are spoiled', () => {
    const bodies = sampled(spoiledBodies(fc.constant(VALUE)))
    const same = bodies.filter(
      ({ type, text }) => type === 'application/json' && text === JSON.stringify(VALUE),
    )
    expect(same.length).toBeLessThan(100)
    expect(bodies.some(({ type }) => type !== 'application/json')).toBe(true)
    expect(bodies.some(({ text }) => text.length > 1024 * 1024)).toBe(true)
  })
})
