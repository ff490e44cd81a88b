// What an import says of its items.
import { describe, expect, it } from 'vitest'
import { reportOf } from '../../src/cli/import/report'
import type { Action, Step } from '../../src/import/plan'
import { keysOfFeatures } from '../../src/import/unleash/keys'

const step = (action: Action, key: string): Step =>
  ({
    action,
    fields: ['filters'],
    item: { kind: 'flag', key, value: {}, changes: [`is another ${key}`], problem: null },
  }) as never

describe('the report of an import', () => {
  it('has the changes of items that are written, and none of those that stay', () => {
    expect(reportOf([step('create', 'new'), step('update', 'old'), step('same', 'stays')])).toEqual([
      'Flags: 1 to create, 1 to update, 1 the same',
      '  updates old: filters',
      '  changes new: is another new',
      '  changes old: is another old',
    ])
  })
})

describe('keysOfFeatures', () => {
  it('keeps names that are keys, and proposes one of its own for each other', () => {
    const names = ['a-b', 'a.b', 'a~b', 'a b', 'Zürich.neu', '鸽子', '...', 'flag', 'new_1']
    const features = names.map((name) => ({ name }))
    expect(Object.fromEntries(keysOfFeatures({ features }))).toEqual({
      'a-b': 'a-b',
      flag: 'flag',
      new_1: 'new_1',
      '...': 'flag-2',
      'Zürich.neu': 'Zurich-neu',
      'a b': 'a-b-2',
      'a.b': 'a-b-3',
      'a~b': 'a-b-4',
      鸽子: 'flag-3',
    })
    expect([...keysOfFeatures({ features: features.toReversed() })].toSorted()).toEqual(
      [...keysOfFeatures({ features })].toSorted(),
    )
  })
})
