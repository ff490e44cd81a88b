import {
  anything,
  array,
  assert,
  boolean,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diff } from '../../src/activity/diff'
import { sameJson } from '../../src/json'

const FIELDS = ['name', 'filters', 'active', 'version', 'note'] as const
type State = Record<(typeof FIELDS)[number], unknown>

const change = (action: string, field: string, before: unknown, after: unknown) => ({
  type: 'FeatureFlag',
  action,
  field,
  before,
  after,
})

const one = (before: unknown, after: unknown) =>
  diff('FeatureFlag', ['field'], { field: before }, { field: after })

describe('diff', () => {
  it.each([
    [null, 'a', 'created', null, 'a'],
    [undefined, 'a', 'created', null, 'a'],
    ['', 'a', 'created', null, 'a'],
    [[], [1], 'created', null, [1]],
    [{}, { a: 1 }, 'created', null, { a: 1 }],
    [null, false, 'created', null, false],
    [null, 0, 'created', null, 0],
    ['a', null, 'deleted', 'a', null],
    ['a', '', 'deleted', 'a', null],
    [[1], [], 'deleted', [1], null],
    [{ a: 1 }, {}, 'deleted', { a: 1 }, null],
    [false, null, 'deleted', false, null],
    ['a', 'b', 'changed', 'a', 'b'],
    [true, false, 'changed', true, false],
    [0, 1, 'changed', 0, 1],
    [1, '1', 'changed', 1, '1'],
    [{ a: { b: 1 } }, { a: { b: 2 } }, 'changed', { a: { b: 1 } }, { a: { b: 2 } }],
  ])('from %j to %j is %s', (before, after, action, shownBefore, shownAfter) => {
    expect(one(before, after)).toEqual([change(action, 'field', shownBefore, shownAfter)])
  })

  it.each([
    ['a', 'a'],
    [null, undefined],
    [null, ''],
    ['', []],
    [[], {}],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
  ])('from %j to %j is nothing', (before, after) => {
    expect(one(before, after)).toEqual([])
  })

  it('goes by the given fields, in their order', () => {
    const [before, after] = [
      { a: 1, b: 1, c: 1 },
      { a: 2, b: 2, c: 2 },
    ]
    expect(diff('FeatureFlag', ['c', 'a'], before, after).map(({ field }) => field)).toEqual(['c', 'a'])
  })

  const value = oneof(jsonValue(), constantFrom(null, '', [], {}, 0, false), string(), boolean(), integer())
  const state = record(
    Object.fromEntries(FIELDS.map((field) => [field, value])) as Record<keyof State, typeof value>,
  )

  /** The log shows every kind of nothing as null. */
  const shown = (each: unknown) =>
    each === '' || (typeof each === 'object' && Object.keys(each ?? {}).length === 0) ? null : each

  it('leads from the state before to the state after', () => {
    assert(
      property(state, state, (before, after) => {
        const changes = diff<State>('FeatureFlag', FIELDS, before, after)
        const applied = { ...before, ...Object.fromEntries(changes.map((each) => [each.field, each.after])) }
        const undone = { ...after, ...Object.fromEntries(changes.map((each) => [each.field, each.before])) }
        for (const field of FIELDS) {
          expect(shown(applied[field])).toEqual(shown(after[field]))
          expect(shown(undone[field])).toEqual(shown(before[field]))
        }
      }),
    )
  })

  it('is empty between a state and itself', () => {
    assert(
      property(state, (each) => {
        expect(diff<State>('FeatureFlag', FIELDS, each, structuredClone(each))).toEqual([])
      }),
    )
  })
})

describe('sameJson', () => {
  it('distinguishes JSON values, in any order of keys', () => {
    const shuffled = dictionary(string(), oneof(jsonValue(), array(integer())))
    assert(
      property(shuffled, (object) => {
        expect(sameJson(object, Object.fromEntries(Object.entries(object).toReversed()))).toBe(true)
        expect(sameJson(object, { ...object, 'one more': 1 })).toBe(
          Object.hasOwn(object, 'one more') && object['one more'] === 1,
        )
      }),
    )
  })

  it('is symmetric', () => {
    const json = oneof(jsonValue(), anything({ maxDepth: 1, values: [constantFrom(0, 1, '', 'a', null)] }))
    assert(
      property(json, json, (a, b) => {
        expect(sameJson(a, b)).toBe(sameJson(b, a))
      }),
    )
  })

  it.each([
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: undefined }, { b: undefined }],
    [null, {}],
    ['1', 1],
    [{ toString: 1 }, { a: 1 }],
    [[1], { 0: 1 }],
  ])('distinguishes %j and %j', (a, b) => {
    expect(sameJson(a, b)).toBe(false)
  })
})
