import { describe, expect, it } from 'vitest'
import type { Flag } from '../../src/console/api/client'
import { changedFields, type Draft, newDraft } from '../../src/console/flag/draft'
import { rebase } from '../../src/console/flag/merge'
import { changedSections } from '../../src/console/flag/sections'

const share = (percentage: number) => ({ properties: [], rollout_percentage: percentage, variant: null })
const variants = (...keys: string[]) => ({
  variants: keys.map((key) => ({ key, rollout_percentage: 100 / keys.length })),
})
const draft = (change: Partial<Draft> = {}, filters: Partial<Draft['filters']> = {}): Draft => ({
  ...newDraft(),
  key: 'flag',
  ...change,
  filters: { groups: [share(10), share(20)], payloads: {}, ...filters },
})
const rebased = (base: Draft, mine: Draft, theirs: Draft) => rebase(base as Flag, mine, theirs as Flag)

describe('an edit on top of another', () => {
  it.each([
    [
      'keeps the fields that only one changed',
      draft({ name: 'Mine' }),
      draft({ tags: ['theirs'] }),
      draft({ name: 'Mine', tags: ['theirs'] }),
    ],
    [
      'keeps the parts of filters that only one changed',
      draft({}, { groups: [share(15), share(20)], payloads: { true: '1' } }),
      draft({}, { groups: [share(10), share(20)], multivariate: variants('a', 'b'), early_exit: true }),
      draft(
        {},
        {
          groups: [share(15), share(20)],
          payloads: { true: '1' },
          multivariate: variants('a', 'b'),
          early_exit: true,
        },
      ),
    ],
    [
      'keeps the sets that only one changed, and those that one added',
      draft({}, { groups: [share(15), share(20)] }),
      draft({}, { groups: [share(10), share(25), share(30)] }),
      draft({}, { groups: [share(15), share(25), share(30)] }),
    ],
    [
      'removes a set that the other left alone',
      draft({}, { groups: [share(20)] }),
      draft({}, { payloads: { true: '2' } }),
      draft({}, { groups: [share(20)], payloads: { true: '2' } }),
    ],
    [
      'takes the same change once',
      draft({ name: 'Same' }, { groups: [share(50), share(20)] }),
      draft({ name: 'Same' }, { groups: [share(50), share(20)] }),
      draft({ name: 'Same' }, { groups: [share(50), share(20)] }),
    ],
  ])('%s', (_title, mine, theirs, expected) => {
    expect(rebased(draft(), mine, theirs)).toEqual({ draft: expected, collisions: [] })
  })

  it('replaces what both changed, and reports it', () => {
    const mine = draft({ name: 'Mine', active: false }, { groups: [share(15), share(20)] })
    const theirs = draft({ name: 'Theirs' }, { groups: [share(16), share(21)] })
    expect(rebased(draft(), mine, theirs)).toEqual({
      draft: draft({ name: 'Mine', active: false }, { groups: [share(15), share(21)] }),
      collisions: [
        { field: 'name', before: 'Theirs', after: 'Mine' },
        {
          field: 'filters',
          before: { groups: [share(16), share(21)], payloads: {} },
          after: { groups: [share(15), share(21)], payloads: {} },
        },
      ],
    })
  })

  it('changes nothing besides where neither has payloads', () => {
    const of = (percentage: number): Draft => ({ ...draft(), filters: { groups: [share(percentage)] } })
    const theirs = of(60)
    const { draft: result, collisions } = rebased(of(10), { ...of(10), name: 'Mine' }, theirs)
    expect(collisions).toEqual([])
    expect(changedFields(theirs, result)).toEqual(['name'])
    expect([...changedSections(theirs, rebased(of(10), of(25), theirs).draft)]).toEqual(['release'])
  })

  it('does not mix sets when both added or removed some', () => {
    const mine = draft({}, { groups: [share(20)] })
    const theirs = draft({}, { groups: [share(10)] })
    const { draft: result, collisions } = rebased(draft(), mine, theirs)
    expect(result.filters.groups).toEqual([share(20)])
    expect(collisions).toMatchObject([
      { field: 'filters', before: { groups: [share(10)] }, after: { groups: [share(20)] } },
    ])
  })
})
