import { array, assert, constantFrom, integer, property, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import {
  checkKey,
  freeKey,
  type KeyHolder,
  originalKey,
  planTombstone,
  tombstoneKey,
} from '../../../src/flags/keys/key'

/** What a call throws, as an error body. */
function refusalOf(call: () => unknown) {
  try {
    call()
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, detail: error.detail, attr: error.attr }
    throw error
  }
  return null
}

const holder = (fields: Partial<KeyHolder> = {}): KeyHolder => ({
  id: 7,
  deleted: true,
  experiments: '[]',
  features: '[]',
  ...fields,
})

const keys = stringMatching(/^[A-Za-z0-9_-]{1,20}$/)

describe('checkKey', () => {
  it('takes letters, digits, hyphens and underscores', () => {
    assert(property(keys, (key) => refusalOf(() => checkKey(key, undefined, false)) === null))
  })

  it.each(['', ' ', 'a b', 'a.b', 'a/b', 'a:b', 'é', 'ａ', '١', 'a\n', '\na', 'a\u0000'])(
    'rejects %j',
    (key) => {
      expect(refusalOf(() => checkKey(key, undefined, false))).toEqual({
        code: 'invalid_key',
        detail: 'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
        attr: 'key',
      })
    },
  )

  it('rejects the key of a flag that is not deleted, however it is spelt', () => {
    for (const key of ['a', 'a b']) {
      expect(refusalOf(() => checkKey(key, holder({ deleted: false }), false))).toEqual({
        code: 'unique',
        detail: 'There is already a feature flag with this key.',
        attr: 'key',
      })
    }
    expect(refusalOf(() => checkKey('a', holder(), false))).toBeNull()
  })
})

describe('planTombstone', () => {
  const trial = (id: number, deleted: 0 | 1) => ({ id, name: `Trial ${id}`, deleted })
  const experiments = (...all: object[]) => JSON.stringify(all)

  it('does nothing for a free key', () => {
    expect(planTombstone('a', undefined)).toEqual({ kind: 'none' })
  })

  it('removes a deleted flag that nothing refers to', () => {
    expect(planTombstone('a', holder())).toEqual({ kind: 'remove', id: 7 })
  })

  it('renames a deleted flag that deleted experiments refer to', () => {
    expect(planTombstone('a', holder({ experiments: experiments(trial(1, 1)) }))).toEqual({
      kind: 'rename',
      id: 7,
      to: 'a:deleted:7',
    })
  })

  it('names everything that lives and refers to a deleted flag', () => {
    const held = holder({
      experiments: experiments(trial(1, 1), trial(2, 0), trial(3, 0)),
      features: JSON.stringify([{ id: 'f', name: 'Beta' }]),
    })
    expect(refusalOf(() => planTombstone('a', held))).toEqual({
      code: 'invalid_input',
      detail:
        "Cannot reuse key 'a': a soft-deleted flag with this key is still referenced by " +
        'experiment "Trial 2" (ID: 2), experiment "Trial 3" (ID: 3), early access feature "Beta" (ID: f). ' +
        'Please contact support.',
      attr: null,
    })
  })
})

describe('originalKey', () => {
  it('undoes tombstoneKey', () => {
    assert(property(keys, integer({ min: 1 }), (key, id) => originalKey(tombstoneKey(key, id), id) === key))
  })

  it('leaves alone what carries no tombstone of that flag', () => {
    for (const key of ['a', 'a:deleted:8', 'a:deleted:77', 'a:deleted:7:x', ':deleted']) {
      expect(originalKey(key, 7)).toBe(key)
    }
  })
})

describe('freeKey', () => {
  it.each([
    [[], 'a'],
    [['b'], 'a'],
    [['a'], 'a-2'],
    [['a', 'a-2', 'a-3'], 'a-4'],
    [['a', 'a-3'], 'a-2'],
    [['a-2'], 'a'],
  ])('beside %j is %s', (taken, free) => {
    expect(freeKey('a', new Set(taken))).toBe(free)
  })

  it('is never one that is taken', () => {
    const some = array(constantFrom<string>('a', 'a-2', 'a-3', 'a-4', 'b'))
    assert(property(some, (taken) => !taken.includes(freeKey('a', new Set(taken)))))
  })
})
