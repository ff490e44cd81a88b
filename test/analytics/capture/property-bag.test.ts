import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../src/json-bytes'
import { MAX_PROPERTIES_BYTES, mergeHistory, PropertyBag } from '../../../src/analytics/capture/property-bag'
import type { PropertyChanges } from '../../../src/analytics/capture/property-changes'

type Properties = Record<string, never>

/** The rule, without care for what it costs: `set` overrides `setOnce`, and `unset` both. */
function applied(before: Properties, { set, setOnce, unset }: PropertyChanges): Properties {
  const entries = Object.entries({ ...setOnce, ...before, ...set })
  return Object.fromEntries(entries.filter(([name]) => !unset.includes(name))) as Properties
}

const name = fc.constantFrom('a', 'b', 'é"', '__proto__', '1')
const large = fc.constantFrom(100_000, 240_000, 260_000).map((length) => 'x'.repeat(length))
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), large)
const properties = fc.dictionary(name, value) as fc.Arbitrary<Properties>
const changes: fc.Arbitrary<PropertyChanges> = fc.record({
  set: properties,
  setOnce: properties,
  unset: fc.array(name, { maxLength: 3 }),
})
const fits = (bag: Properties) => jsonBytes(bag) <= MAX_PROPERTIES_BYTES
const text = (bag: object) => JSON.stringify(Object.entries(bag).toSorted(([a], [b]) => (a < b ? -1 : 1)))

describe('properties that events change', () => {
  it('follow the rule, keep their limit to the byte, and name what changed', () => {
    fc.assert(
      fc.property(properties.filter(fits), fc.array(changes, { maxLength: 6 }), (stored, history) => {
        const bag = new PropertyBag(stored)
        let expected = stored
        for (const each of history) {
          const next = applied(expected, each)
          const outcome = bag.change(each)
          if (!fits(next)) {
            expect(outcome).toEqual({ kind: 'too large' })
            continue
          }
          const names = [...new Set([...Object.keys(expected), ...Object.keys(next)])]
          const valueOf = (of: Properties, key: string) =>
            Object.hasOwn(of, key) ? JSON.stringify(of[key]) : undefined
          const changed = names.filter((key) => valueOf(expected, key) !== valueOf(next, key))
          expect(outcome.kind === 'applied' && outcome.changed.toSorted()).toEqual(changed.toSorted())
          expected = next
        }
        expect(text(bag.toJson())).toBe(text(expected))
      }),
    )
  })

  it('take precedence over those of a merged person, whichever are more', () => {
    fc.assert(
      fc.property(properties.filter(fits), properties.filter(fits), changes, (mine, theirs, later) => {
        const bag = new PropertyBag(mine)
        const merged = { ...theirs, ...mine }
        const outcome = bag.absorb(new PropertyBag(theirs))
        expect(outcome).toBe(fits(merged) ? 'applied' : 'too large')
        const before = fits(merged) ? merged : mine
        const after = applied(before, later)
        // The size is right after a merge, too.
        expect(bag.change(later).kind).toBe(fits(after) ? 'applied' : 'too large')
        expect(text(bag.toJson())).toBe(text(fits(after) ? after : before))
      }),
    )
  })

  it('are the same when a history is applied to nothing', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 6 }), (history) => {
        expect(text(mergeHistory(history))).toBe(text(history.reduce(applied, {})))
      }),
    )
  })

  it('cannot be changed when they were not read', () => {
    const unread = new PropertyBag(null)
    expect(unread.change({ set: {}, setOnce: {}, unset: [] })).toEqual({ kind: 'applied', changed: [] })
    expect(() => unread.change({ set: { a: 1 }, setOnce: {}, unset: [] })).toThrow(
      'properties that were not read',
    )
    expect(() => new PropertyBag({}).absorb(unread)).toThrow('properties that were not read')
  })
})
