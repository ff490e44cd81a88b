import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConditionSet, PropertyFilter } from '../../src/console/api/client'
import { countsOf, reachFrom } from '../../src/console/flag/reach'

const has = (key: string): PropertyFilter => ({ key, type: 'person', operator: 'is_set', value: 'is_set' })

const setOf = (keys: readonly string[], rollout: number): ConditionSet => ({
  properties: keys.map(has),
  rollout_percentage: rollout,
})

/** A person with properties, at a percentage of the flag's rollout. */
interface Person {
  properties: readonly string[]
  place: number
}

const matches = ({ properties }: Person, wanted: readonly PropertyFilter[]) =>
  wanted.every(({ key }) => properties.includes(key))

/** Whether a flag matches a person, as flags are evaluated: set by set. */
function isReached(person: Person, sets: readonly ConditionSet[], stopsAtFirst: boolean): boolean {
  for (const set of sets) {
    if (!matches(person, set.properties ?? [])) continue
    if (person.place < (set.rollout_percentage ?? 100)) return true
    if (stopsAtFirst) return false
  }
  return false
}

const KEYS = ['a', 'b', 'c']

/** Each combination of properties at each percent: counts are exact. */
const PEOPLE: readonly Person[] = Array.from({ length: 8 }, (_, bits) =>
  KEYS.filter((_key, index) => bits & (1 << index)),
).flatMap((properties) => Array.from({ length: 100 }, (_, place) => ({ properties, place })))

describe('the reach of a flag', () => {
  it('is the union of its sets, also when they overlap', () => {
    const set = fc
      .tuple(fc.subarray(KEYS), fc.constantFrom(0, 1, 25, 50, 100))
      .map(([keys, rollout]) => setOf(keys, rollout))
    fc.assert(
      fc.property(fc.array(set, { maxLength: 3 }), fc.boolean(), (sets, stopsAtFirst) => {
        const counts = countsOf(sets, stopsAtFirst)!
        const affected = counts.map(
          ({ properties }) => PEOPLE.filter((person) => matches(person, properties)).length,
        )
        const reached = PEOPLE.filter((person) => isReached(person, sets, stopsAtFirst)).length
        expect(reachFrom(counts, affected, PEOPLE.length)).toBe(reached)
      }),
    )
  })

  it('takes one count for a set of everyone with the largest share', () => {
    const sets = [setOf(['a'], 30), setOf([], 60), setOf(['b'], 60), setOf(['c'], 10)]
    expect(countsOf(sets, false)).toEqual([{ properties: [], weight: 0.6 }])
  })

  it('is not counted where it needs too many counts', () => {
    expect(
      countsOf(
        KEYS.concat('d').map((key) => setOf([key], 50)),
        false,
      ),
    ).toBeNull()
  })
})
