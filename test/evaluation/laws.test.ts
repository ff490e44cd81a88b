// What holds for every flag and every subject.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/evaluation/compile/compile'
import type { Subject } from '../../src/evaluation/context'
import type { FlagDefinition } from '../../src/evaluation/compile/definitions'
import { explain } from '../../src/evaluation/explain/explain'
import { PROPERTY_OPERATORS } from '../../src/evaluation/matchers/operators'
import type { JsonObject, JsonValue } from '../../src/json'
import { AT_NOW, cohort, evaluateSet, flag, flagSet, group, resultOf, subject } from './support'

const percentage = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true }))
const identifier = fc.string({ unit: 'binary', maxLength: 20 })
const key = fc.constantFrom('plan', 'age', 'since', 'version', 'toString')
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom('pro', 'Pro', '', 'true', '5', '2024-01-01', '-7d', '1.2.3', '^p', null, true, false),
  fc.integer({ min: -3, max: 10 }),
  fc.constantFrom<JsonValue[]>(['pro', '5'], [1, 5], []),
)

const propertyFilter = fc.record({
  key,
  type: fc.constantFrom('person', 'person', 'group'),
  operator: fc.constantFrom(...PROPERTY_OPERATORS),
  value,
  group_type_index: fc.constantFrom(0, null),
})
const cohortFilter = fc.record({
  key: fc.constant('id'),
  type: fc.constant('cohort'),
  value: fc.constantFrom(1, 2, 3, 404),
  operator: fc.constantFrom('in', 'not_in', 'exact'),
})
/** Flags depend on flags with smaller ids, and on one that does not exist. */
const flagFilter = (id: number) =>
  fc.record({
    key: fc.integer({ min: 0, max: Math.max(id - 1, 0) }).map(String),
    type: fc.constant('flag'),
    operator: fc.constant('flag_evaluates_to'),
    value: fc.constantFrom<JsonValue>(true, false, 'a', 1),
  })

const condition = (id: number) =>
  fc.record({
    properties: fc.array(fc.oneof({ weight: 6, arbitrary: propertyFilter }, cohortFilter, flagFilter(id)), {
      maxLength: 3,
    }),
    rollout_percentage: fc.option(percentage),
    variant: fc.constantFrom(null, 'a', 'ghost'),
    aggregation_group_type_index: fc.constantFrom(null, null, 0),
  })

const definition = (id: number): fc.Arbitrary<FlagDefinition> =>
  fc
    .record({
      groups: fc.array(condition(id), { maxLength: 4 }),
      variants: fc.constantFrom<readonly number[]>([], [50, 50], [20, 30]),
      early_exit: fc.boolean(),
      holdout: fc.option(fc.record({ id: fc.constant(1), exclusion_percentage: percentage }), { freq: 4 }),
      bucketing: fc.constantFrom(null, null, 'device_id'),
    })
    .map(({ variants, bucketing, ...filters }) =>
      flag(
        `flag-${id}`,
        {
          ...filters,
          multivariate: {
            variants: variants.map((rollout_percentage, at) => ({
              key: ['a', 'b'][at] ?? 'c',
              rollout_percentage,
            })),
          },
        },
        { id, bucketing_identifier: bucketing },
      ),
    )

const definitions = fc.tuple(...[1, 2, 3, 4].map(definition))
const cohorts = [
  cohort(1, { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] }),
  cohort(2, { type: 'OR', values: [{ key: 'id', type: 'cohort', value: 1, negation: true }] }),
  cohort(3, { type: 'OR', values: [{ key: 'x', type: 'behavioral', value: 'performed_event' }] }),
]
const around = { cohorts, group_type_mapping: { '0': 'organization' } }

const who: fc.Arbitrary<Subject> = fc
  .record({
    id: identifier,
    personProperties: fc.dictionary(key, value) as fc.Arbitrary<JsonObject>,
    organization: fc.constantFrom<JsonValue>(null, 'acme', 7),
    deviceId: fc.constantFrom(null, 'phone'),
  })
  .map(({ id, personProperties, organization, deviceId }) =>
    subject(id, { personProperties, deviceId, groups: { organization } }),
  )

describe('rollout', () => {
  it('keeps included persons as the percentage grows', () => {
    fc.assert(
      fc.property(identifier, fc.string(), percentage, percentage, (id, name, one, other) => {
        const at = (share: number) =>
          resultOf(flag(name, { groups: [group([], { rollout_percentage: share })] }), subject(id)).enabled
        expect(at(Math.max(one, other)) || !at(Math.min(one, other))).toBe(true)
      }),
    )
  })

  it('includes about its share', () => {
    const third = flag('share', { groups: [group([], { rollout_percentage: 33 })] })
    const set = compile(flagSet([third]))
    const included = Array.from({ length: 5_000 }, (_, at) =>
      explain(set, 'share', subject(`user-${at}`), AT_NOW),
    )
    const share = included.filter((each) => each?.result.enabled).length / included.length
    expect(share).toBeGreaterThan(0.31)
    expect(share).toBeLessThan(0.35)
  })
})

describe('variants', () => {
  it('give everyone exactly one variant when they sum to 100 %', () => {
    fc.assert(
      fc.property(identifier, fc.integer({ min: 0, max: 100 }), (id, share) => {
        const variants = [
          { key: 'a', rollout_percentage: share },
          { key: 'b', rollout_percentage: 100 - share },
        ]
        const { variant } = resultOf(
          flag('f', { groups: [group([])], multivariate: { variants } }),
          subject(id),
        )
        expect(['a', 'b']).toContain(variant)
      }),
    )
  })

  it('move no person between unchanged variants', () => {
    fc.assert(
      fc.property(identifier, fc.integer({ min: 0, max: 40 }), (id, share) => {
        const split = (middle: number) => {
          const variants = [
            { key: 'a', rollout_percentage: share },
            { key: 'b', rollout_percentage: middle },
            { key: 'c', rollout_percentage: 100 - share - middle },
          ]
          return resultOf(flag('f', { groups: [group([])], multivariate: { variants } }), subject(id)).variant
        }
        expect(split(10) === 'a').toBe(split(50) === 'a')
        expect(split(10) === 'b' && split(50) !== 'b').toBe(false)
      }),
    )
  })
})

describe('a set of flags', () => {
  it('has the same result in any order of definition', () => {
    fc.assert(
      fc.property(definitions, fc.nat(), who, (flags, seed, person) => {
        const shuffled = flags.toSorted(
          (left, right) => ((left.id * 7 + seed) % 5) - ((right.id * 7 + seed) % 5),
        )
        const one = evaluateSet(flagSet(flags, around), person)
        const other = evaluateSet(flagSet(shuffled, around), person)
        for (const [name, result] of one.flags) expect(other.flags.get(name)).toEqual(result)
        expect(other.errorsWhileComputingFlags).toBe(one.errorsWhileComputingFlags)
      }),
    )
  })

  it('answers a flag the same alone as with the others', () => {
    fc.assert(
      fc.property(definitions, who, (flags, person) => {
        const { flags: results } = evaluateSet(flagSet(flags, around), person)
        for (const [name, result] of results) {
          expect(evaluateSet(flagSet(flags, around), person, { flagKeys: [name] }).flags.get(name)).toEqual(
            result,
          )
        }
      }),
    )
  })

  it('answers the same when it is asked again', () => {
    fc.assert(
      fc.property(definitions, who, who, (flags, person, other) => {
        const set = compile(flagSet(flags, around))
        const first = explain(set, 'flag-4', person, AT_NOW)
        explain(set, 'flag-4', other, AT_NOW)
        expect(explain(set, 'flag-4', person, AT_NOW)).toEqual(first)
      }),
    )
  })
})

describe('an explanation', () => {
  it('agrees with the result', () => {
    fc.assert(
      fc.property(definitions, who, (flags, person) => {
        const set = compile(flagSet(flags, around))
        for (const each of set.flags) {
          const explained = explain(set, each.key, person, AT_NOW)
          if (explained === null) throw new Error('not evaluated')
          const { result, conditions } = explained
          const winners = conditions.filter((one) => one.matched)
          const byCondition = result.reason.code === 'condition_match'
          expect(winners.map((one) => one.index)).toEqual(byCondition ? [result.reason.condition_index] : [])
          for (const one of conditions) {
            expect(one.properties_matched).toBe(one.properties.every((property) => property.matched))
            if (one.matched) expect([one.properties_matched, one.rollout_excluded]).toEqual([true, false])
          }
          if (result.reason.code === 'no_condition_match') {
            expect(conditions.some((one) => one.properties_matched && one.rollout_excluded)).toBe(false)
          }
        }
      }),
    )
  })
})
