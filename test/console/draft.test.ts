import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asKind,
  bodyOf,
  changedFields,
  type Draft,
  equalShares,
  isPercentage,
  issuesOf,
  kindOf,
  moveBy,
  namesOf,
  newDraft,
  replaceAt,
  variantsOf,
  withoutVariant,
  withVariants,
} from '../../src/console/flag/draft'

const draft = (change: Partial<Draft> = {}): Draft => ({ ...newDraft(), key: 'flag', ...change })
const withTwo = (): Draft => asKind(draft(), 'variants')

describe('a draft', () => {
  it('sends the fields that changed, and no others', () => {
    const base = draft()
    const edited = { ...base, name: 'New', tags: ['a'] }
    expect(changedFields(base, edited)).toEqual(['name', 'tags'])
    expect(bodyOf(base, edited)).toEqual({ name: 'New', tags: ['a'] })
    expect(bodyOf(base, structuredClone(base))).toEqual({})
  })

  it('is not changed by what says the same', () => {
    const base = draft({ filters: { groups: [{ properties: [], rollout_percentage: 5 }] } })
    const again = asKind(asKind(base, 'variants'), 'boolean', [base])
    expect(again.filters).toMatchObject({ multivariate: null, payloads: {} })
    expect(changedFields(base, again)).toEqual([])
    expect(changedFields(base, { ...again, filters: { ...again.filters, payloads: { true: '1' } } })).toEqual(
      ['filters'],
    )
  })

  it('changes its kind', () => {
    expect(kindOf(draft())).toBe('boolean')
    expect(kindOf(withTwo())).toBe('variants')
    const config = asKind(withTwo(), 'config')
    expect(kindOf(config)).toBe('config')
    expect(config.filters).toMatchObject({ multivariate: null, payloads: {} })
    expect(kindOf(asKind(config, 'boolean'))).toBe('boolean')
  })

  it('gives back what a look at another kind replaced', () => {
    const sets = [
      { properties: [{ key: 'plan', type: 'person', value: ['pro'] }], rollout_percentage: 5, variant: null },
    ] as Draft['filters']['groups']
    const few = draft({ filters: { groups: sets, payloads: { true: '1' } } })
    const config = asKind(few, 'config')
    expect(config.filters.groups).toEqual(sets)
    expect(asKind(config, 'boolean', [few]).filters).toMatchObject(few.filters)
    // A new remote configuration is for all people, what it was made from is not.
    const fresh = draft()
    const all = asKind(fresh, 'config')
    expect(all.filters.groups).toMatchObject([{ rollout_percentage: 100 }])
    for (const kind of ['boolean', 'variants'] as const)
      expect(asKind(all, kind, [fresh]).filters.groups).toEqual(fresh.filters.groups)
    const variants = withVariants(
      asKind({ ...few, filters: { ...few.filters, payloads: {} } }, 'variants'),
      [
        { key: 'a', rollout_percentage: 10 },
        { key: 'b', rollout_percentage: 90 },
      ],
      ['control', 'test'],
    )
    const full = {
      ...variants,
      filters: { ...variants.filters, groups: [{ ...sets[0]!, variant: 'b' }], payloads: { b: '2' } },
    }
    expect(asKind(asKind(full, 'config'), 'variants', [full]).filters).toEqual(full.filters)
    expect(asKind(asKind(full, 'boolean', [few]), 'variants', [few, full]).filters).toEqual(full.filters)
  })

  const withOverrides = (first: string, second: string): Draft => {
    const [a, b] = [first, second].map((key) => ({ key, rollout_percentage: 50 }))
    const start = withVariants(withTwo(), [a!, b!], ['control', 'test'])
    return {
      ...start,
      filters: {
        ...start.filters,
        groups: [first, second, null].map((variant) => ({ properties: [], rollout_percentage: 9, variant })),
        payloads: { [first]: '1', [second]: '2' },
      },
    }
  }

  /** The draft after the texts in the fields of two keys, one after the other. */
  function typed(start: Draft, ...texts: [index: number, text: string][]): Draft {
    let held: readonly string[] | null = null
    let now = start
    for (const [index, key] of texts) {
      held = namesOf(now, held)
      const variants = variantsOf(now.filters)
      now = withVariants(now, variants.with(index, { ...variants[index]!, key }), held)
    }
    return now
  }

  it.each<[string, Draft, [number, string][], [string, string]]>([
    ['one key', withOverrides('control', 'test'), [[1, 'b']], ['control', 'b']],
    [
      'a key past that of another variant',
      withOverrides('test', 'test2'),
      [
        [1, 'test'],
        [1, 'test-'],
        [1, 'test-b'],
      ],
      ['test', 'test-b'],
    ],
    [
      'a key past an empty field',
      withOverrides('control', 'test'),
      [
        [1, ''],
        [1, 'b'],
      ],
      ['control', 'b'],
    ],
    [
      'two keys for each other',
      withOverrides('a', 'b'),
      [
        [0, ''],
        [0, 'b'],
        [1, ''],
        [1, 'a'],
      ],
      ['b', 'a'],
    ],
  ])('keeps payloads and overrides of all variants while the user types %s', (_name, start, texts, keys) => {
    const { filters } = typed(start, ...texts)
    expect(variantsOf(filters).map(({ key }) => key)).toEqual(keys)
    expect(filters.payloads).toEqual({ [keys[0]]: '1', [keys[1]]: '2' })
    expect(filters.groups.map(({ variant }) => variant)).toEqual([...keys, null])
  })

  it('cannot be saved while a key is empty or that of another variant, and drops nothing then', () => {
    for (const text of ['', 'control']) {
      const now = typed(withOverrides('control', 'test'), [1, text])
      expect(issuesOf(now).has('variants')).toBe(true)
      expect(now.filters.payloads).toEqual({ control: '1', test: '2' })
    }
  })

  it('drops the payload and the overrides of a variant that is removed, and of no other', () => {
    const start = withOverrides('control', 'test')
    const { filters } = withoutVariant(start, 1, ['control', 'test'])
    expect(filters.payloads).toEqual({ control: '1' })
    expect(filters.groups.map(({ variant }) => variant)).toEqual(['control', null, null])
    // The second key is typed to be that of the first one, which is then removed.
    const twice = typed(start, [1, 'control'])
    const rest = withoutVariant(twice, 0, ['control', 'test']).filters
    expect(rest.payloads).toEqual({ control: '2' })
    expect(rest.groups.map(({ variant }) => variant)).toEqual([null, 'control', null])
  })

  it('takes percentages as they are typed, and shortens those of more decimals', () => {
    for (const text of ['', '5', '33.3', '33.33', '100']) expect(isPercentage(text, '')).toBe(true)
    for (const text of ['101', '33.333', '1000', 'a', '3..3']) expect(isPercentage(text, '')).toBe(false)
    expect(isPercentage('33.333', '33.3333')).toBe(true)
    expect(isPercentage('33.33333', '33.3333')).toBe(false)
  })

  it('shares 100 percent equally', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (count) => {
        const shares = equalShares(count)
        expect(shares).toHaveLength(count)
        expect(Math.round(shares.reduce((sum, share) => sum + share * 100, 0))).toBe(10_000)
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.011)
      }),
    )
  })

  it('replaces, removes and moves entries of lists', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.nat(), (list, at) => {
        const index = at % list.length
        expect(replaceAt(list, index, 7)).toEqual(list.with(index, 7))
        expect(replaceAt(list, index, null)).toEqual(list.toSpliced(index, 1))
        expect(moveBy(list, index, 1).toSorted()).toEqual(list.toSorted())
        if (index + 1 < list.length) expect(moveBy(moveBy(list, index, 1), index + 1, -1)).toEqual(list)
      }),
    )
  })

  it.each<[string, Draft, Record<string, string>]>([
    ['no key', draft({ key: '' }), { key: 'A key is needed.' }],
    ['a key with dots', draft({ key: 'a.b' }), { key: 'Use letters, digits, hyphens and underscores only.' }],
    [
      'a condition without a value',
      draft({
        filters: { groups: [{ properties: [{ key: 'a', type: 'person', operator: 'exact', value: [] }] }] },
      }),
      { 'groups.0.properties.0': 'Enter a value.' },
    ],
    [
      'shares that do not sum to 100',
      withVariants(withTwo(), [{ key: 'a', rollout_percentage: 60 }], ['control']),
      { variants: 'The shares sum to 60%. They have to sum to 100%.' },
    ],
    [
      'two variants with one key',
      withVariants(
        withTwo(),
        [
          { key: 'a', rollout_percentage: 50 },
          { key: 'a', rollout_percentage: 50 },
        ],
        ['control', 'test'],
      ),
      { variants: 'Two variants have the same key.' },
    ],
    [
      'a remote configuration without a value',
      asKind(draft(), 'config'),
      { 'payloads.true': 'A remote configuration needs a value.' },
    ],
  ])('finds %s', (_name, edited, issues) => {
    expect(Object.fromEntries(issuesOf(edited))).toEqual(issues)
  })

  it('finds payloads that are not JSON', () => {
    const edited = draft({ filters: { groups: [], payloads: { true: '{a}' } } })
    expect(issuesOf(edited).get('payloads.true')).toMatch(/^Not valid JSON\. Line 1/)
  })

  it('accepts a new flag with a key', () => expect(issuesOf(draft()).size).toBe(0))
})
