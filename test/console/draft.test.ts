import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asKind,
  bodyOf,
  changedFields,
  type Draft,
  equalShares,
  issuesOf,
  kindOf,
  moveBy,
  newDraft,
  replaceAt,
  variantsOf,
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

  it('changes its kind', () => {
    expect(kindOf(draft())).toBe('boolean')
    expect(kindOf(withTwo())).toBe('variants')
    const config = asKind(withTwo(), 'config')
    expect(kindOf(config)).toBe('config')
    expect(config.filters).toMatchObject({ multivariate: null, payloads: {} })
    expect(kindOf(asKind(config, 'boolean'))).toBe('boolean')
  })

  it('keeps payloads and overrides when a variant is renamed, and drops them when it is removed', () => {
    const start = withTwo()
    const full: Draft = {
      ...start,
      filters: {
        ...start.filters,
        groups: [{ properties: [], rollout_percentage: 100, variant: 'test' }],
        payloads: { control: '1', test: '2' },
      },
    }
    const [control, test] = variantsOf(full.filters)
    const renamed = withVariants(full, [control!, { ...test!, key: 'b' }], ['test', 'b'])
    expect(renamed.filters.payloads).toEqual({ control: '1', b: '2' })
    expect(renamed.filters.groups[0]!.variant).toBe('b')
    const fewer = withVariants(full, [control!])
    expect(fewer.filters.payloads).toEqual({ control: '1' })
    expect(fewer.filters.groups[0]!.variant).toBeNull()
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
      withVariants(withTwo(), [{ key: 'a', rollout_percentage: 60 }]),
      { variants: 'The shares sum to 60%. They have to sum to 100%.' },
    ],
    [
      'two variants with one key',
      withVariants(withTwo(), [
        { key: 'a', rollout_percentage: 50 },
        { key: 'a', rollout_percentage: 50 },
      ]),
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
