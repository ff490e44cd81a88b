import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  jsonValue,
  oneof,
  property,
  record,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import { OPERATORS } from '../../../src/flags/filters/flag-filters'
import { type FilterFacts, validateFilters } from '../../../src/flags/filters/validate'

type Json = Record<string, unknown>

const world = (fields: Partial<FilterFacts> = {}): FilterFacts => ({
  self: { id: 1, key: 'self' },
  stored: null,
  isRemoteConfiguration: false,
  linkedToEarlyAccess: false,
  targets: new Map([
    [2, { id: 2, key: 'two', active: true, variants: ['a'], dependsOn: [3] }],
    [3, { id: 3, key: 'three', active: true, variants: [], dependsOn: [] }],
  ]),
  cohorts: new Map([
    [5, { id: 5, name: 'Five', isStatic: false, filters: { properties: { type: 'OR', values: [] } } }],
    [6, { id: 6, name: 'Six', isStatic: true, filters: null }],
  ]),
  ...fields,
})

/** Mostly what belongs there, at times anything at all. */
const mostly = (...likely: unknown[]): Arbitrary<unknown> =>
  oneof({ arbitrary: constantFrom(...likely), weight: 12 }, { arbitrary: jsonValue(), weight: 1 })

const parts = (fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> =>
  oneof(
    { arbitrary: record(fields, { requiredKeys: [] }), weight: 20 },
    { arbitrary: jsonValue(), weight: 1 },
  )

const propertyPart = parts({
  key: mostly('email', '2', 2, '3', 42),
  type: mostly('person', 'cohort', 'group', 'flag', undefined),
  operator: mostly(...OPERATORS, 'min', 'max', 'between', null),
  value: mostly('a', '(', '1.2.3', '-7d', '2026-01-01', 5, 6, ['a'], [], null, true, {}),
  group_type_index: mostly(0, 1, null),
})

const filtersPart = record(
  {
    groups: oneof(
      array(
        parts({
          properties: oneof(array(propertyPart, { maxLength: 3 }), mostly(null, [])),
          rollout_percentage: mostly(0, 50, 100, null),
          variant: mostly('a', null, ''),
          aggregation_group_type_index: mostly(0, 1, null),
          description: jsonValue(),
        }),
        { maxLength: 3 },
      ),
      mostly([], null),
    ),
    multivariate: mostly(
      null,
      { variants: [] },
      { variants: [{ key: 'a', rollout_percentage: 100 }] },
      { variants: [null] },
      {},
    ),
    payloads: mostly(null, {}, { true: '1' }, { a: { b: 1 } }, { true: 'x' }),
    aggregation_group_type_index: mostly(0, null),
    holdout: mostly(null, { id: 1, exclusion_percentage: 5 }, {}),
    early_exit: mostly(true, null),
    super_groups: jsonValue(),
    odd: oneof(jsonValue(), string()),
  },
  { requiredKeys: [] },
) as Arbitrary<Json>

/** The worlds that the rules tell apart. */
const WORLDS = [
  world(),
  world({ isRemoteConfiguration: true }),
  world({ stored: { groups: [] }, linkedToEarlyAccess: true }),
]

/** The stored form, or null for filters that are rejected. Anything but a rejection is a crash, and gets through. */
function validated(filters: Json, around: FilterFacts) {
  try {
    return validateFilters(structuredClone(filters), around)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error).toMatchObject({ status: 400, type: 'validation_error', attr: 'filters' })
    return null
  }
}

describe('filters of any content', () => {
  it('are rejected with a message or stored, and never crash', () => {
    let tried = 0
    let stored = 0
    assert(
      property(filtersPart, constantFrom(...WORLDS), (filters, around) => {
        tried += 1
        if (validated(filters, around)) stored += 1
      }),
      { numRuns: 1_000 },
    )
    expect(stored).toBeGreaterThan(tried / 30)
  })

  it('are stored in a form that is stored as it is when it is sent again', () => {
    assert(
      property(filtersPart, constantFrom(...WORLDS), (filters, around) => {
        const once = validated(filters, around)
        if (once) expect(validated(once, around)).toEqual(once)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are left as they were sent: the caller keeps the object', () => {
    assert(
      property(filtersPart, constantFrom(...WORLDS), (filters, around) => {
        const before = structuredClone(filters)
        try {
          validateFilters(filters, around)
        } catch {
          // Rejected is fine, touched is not.
        }
        expect(filters).toEqual(before)
      }),
    )
  })
})
