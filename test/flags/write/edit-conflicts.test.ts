import { assert, constantFrom, dictionary, integer, jsonValue, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import { hasOriginal, settleConflicts } from '../../../src/flags/write/edit-conflicts'
import type { FlagRecord, UpdateFlagBody } from '../../../src/flags/schema'

type Json = Record<string, unknown>

const ADA = { email: 'ada@example.com' }

/** What is left of a body against the stored fields; `409` and the text of a conflict. */
function settle(body: Json, stored: Json) {
  const current = { version: 5, last_modified_by: ADA, ...stored } as unknown as FlagRecord
  try {
    return settleConflicts(body as UpdateFlagBody, current)
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, detail: error.detail }
    throw error
  }
}

const since = (original: Json, changes: Json) => ({ ...changes, version: 4, original_flag: original })
const conflictWith = (who: string) => ({
  status: 409,
  detail: `The feature flag was updated by ${who} since you started editing it. Please refresh and try again.`,
})

describe('settleConflicts', () => {
  it.each([
    ['without a version', { name: 'mine', original_flag: { name: 'old' } }],
    ['with the version -1', { name: 'mine', version: -1, original_flag: { name: 'old' } }],
    ['without an original', { name: 'mine', version: 4 }],
    ['with an empty original', { name: 'mine', version: 4, original_flag: {} }],
    ['with null for an original', { name: 'mine', version: 4, original_flag: null }],
  ])('is not called for a body %s', (_, body) => {
    expect(hasOriginal(body)).toBe(false)
  })

  //   original, mine, stored → what is left
  it.each([
    ['nobody changed it', 'a', 'a', 'a', {}],
    ['I changed it', 'a', 'b', 'a', { name: 'b' }],
    ['they changed it', 'a', 'a', 'c', {}],
    ['both changed it alike', 'a', 'b', 'b', { name: 'b' }],
    ['both changed it', 'a', 'b', 'c', conflictWith(ADA.email)],
    ['I emptied what they changed', 'a', null, 'c', conflictWith(ADA.email)],
    ['they emptied what I changed', 'a', 'b', null, conflictWith(ADA.email)],
  ])('%s', (_, original, mine, stored, left) => {
    expect(settle(since({ name: original }, { name: mine }), { name: stored })).toEqual(left)
  })

  it('compares at the current version, too', () => {
    const body = { name: 'mine', version: 5, original_flag: { name: 'old' } }
    expect(settle(body, { name: 'theirs' })).toEqual(conflictWith(ADA.email))
    expect(settle(body, { name: 'old' })).toEqual({ name: 'mine' })
  })

  it.each<[string, unknown, unknown]>([
    [
      'filters',
      { groups: [{ properties: [{ key: 5, type: 'person', operator: 'min', value: 1 }] }] },
      undefined,
    ],
    [
      'filters',
      { groups: [], payloads: { true: { a: 1 } } },
      { groups: [], payloads: { true: '{"a":1}' }, aggregation_group_type_index: null },
    ],
    ['tags', [' B', 'a', 'A'], ['a', 'b']],
    ['evaluation_contexts', ['Web'], ['web']],
    ['analytics_dashboards', ['2', 1, 1], [1, 2]],
    ['last_called_at', '2026-03-10T12:00:00Z', '2026-03-10T12:00:00.000000Z'],
  ])('compares %s as they are stored: a repeated update is no conflict', (field, sent, stored) => {
    const made = stored ?? {
      groups: [
        {
          properties: [{ key: '5', type: 'person', operator: 'gte', value: 1 }],
          aggregation_group_type_index: null,
        },
      ],
      aggregation_group_type_index: null,
    }
    expect(settle(since({ [field]: null }, { [field]: sent }), { [field]: made })).toEqual({ [field]: sent })
  })

  it('keeps a field that the original does not have', () => {
    expect(settle(since({ key: 'k' }, { name: 'mine' }), { name: 'theirs' })).toEqual({ name: 'mine' })
  })

  it('does not take what an object inherits for a field of the original', () => {
    expect(settle(since({ key: 'k' }, { toString: 'mine' }), { name: 'theirs' })).toEqual({
      toString: 'mine',
    })
  })

  it('compares objects with any order of keys, and sets with any order of members', () => {
    const original = {
      filters: { a: 1, groups: [] },
      tags: ['a', 'b'],
      last_called_at: '2026-03-10T12:00:00Z',
    }
    const echo = {
      filters: { groups: [], a: 1 },
      tags: ['b', 'a'],
      last_called_at: '2026-03-10T12:00:00.000000Z',
    }
    const stored = { filters: { groups: [1] }, tags: [], last_called_at: null }
    expect(settle(since(original, echo), stored)).toEqual({})
  })

  it('does not compare lists of objects as sets', () => {
    const [one, two] = [{ a: 1 }, { a: 2 }]
    expect(
      settle(since({ rollback_conditions: [one, two] }, { rollback_conditions: [two, one] }), {
        rollback_conditions: [one],
      }),
    ).toEqual(conflictWith(ADA.email))
  })

  it('names no user when none is known', () => {
    expect(settle(since({ name: 'a' }, { name: 'b' }), { name: 'c', last_modified_by: null })).toEqual(
      conflictWith('another user'),
    )
  })

  const fields = dictionary(constantFrom('name', 'tags', 'filters', 'active'), jsonValue(), { minKeys: 1 })

  it('drops unchanged fields, also after other changes', () => {
    assert(
      property(fields, fields, (original, stored) => {
        expect(settle(since(original, original), stored)).toEqual({})
      }),
    )
  })

  it('never conflicts where nothing changed since', () => {
    assert(
      property(fields, fields, integer({ min: 0, max: 4 }), (original, mine, version) => {
        const left = settle({ ...mine, version, original_flag: original }, original)
        for (const [field, value] of Object.entries(left)) expect(value).toEqual(mine[field])
        expect(left).not.toHaveProperty('status')
      }),
    )
  })
})
