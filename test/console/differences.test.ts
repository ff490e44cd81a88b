import { describe, expect, it } from 'vitest'
import { differencesOf } from '../../src/console/flag/differences'
import { relativeTime } from '../../src/time/relative-time'
import { filterCount, parseFlagSearch, tagsOf, tagsText } from '../../src/console/flags/search'

describe('differences', () => {
  it.each([
    ['active', true, false, [{ what: 'Enabled', before: 'yes', after: 'no' }]],
    ['tags', [], ['a', 'b'], [{ what: 'Tags', before: null, after: 'a, b' }]],
    ['name', 'same', 'same', []],
    ['name', null, '', []],
    ['tags', ['a, b'], ['a', 'b'], [{ what: 'Tags', before: '["a, b"]', after: '["a","b"]' }]],
    [
      'filters',
      { properties: { type: 'AND', values: [{ key: 'n', type: 'person', operator: 'exact', value: '1' }] } },
      { properties: { type: 'AND', values: [{ key: 'n', type: 'person', operator: 'exact', value: 1 }] } },
      [
        {
          what: 'Filters',
          before:
            '{"properties":{"type":"AND","values":[{"key":"n","type":"person","operator":"exact","value":"1"}]}}',
          after:
            '{"properties":{"type":"AND","values":[{"key":"n","type":"person","operator":"exact","value":1}]}}',
        },
      ],
    ],
    ['some_new_field', 1, { a: 1 }, [{ what: 'some new field', before: '1', after: '{"a":1}' }]],
  ])('of %s', (field, before, after, expected) => {
    expect(differencesOf({ field, before, after })).toEqual(expected)
  })

  it('of filters, part by part', () => {
    const before = { groups: [{ properties: [], rollout_percentage: 10 }], payloads: { true: '1' } }
    const after = {
      groups: [{ properties: [], rollout_percentage: 20, variant: 'a' }, { properties: [] }],
      multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] },
      payloads: {},
      early_exit: true,
    }
    expect(differencesOf({ field: 'filters', before, after })).toEqual([
      { what: 'Condition set 1', before: '10 % of everyone', after: '20 % of everyone, variant a' },
      { what: 'Condition set 2', before: null, after: 'everyone' },
      { what: 'Variant a', before: null, after: '100 %' },
      { what: 'Payload', before: '1', after: null },
      { what: 'Stop at the first set that matches', before: null, after: 'yes' },
    ])
    expect(differencesOf({ field: 'filters', before: null, after: { groups: [] } })).toEqual([])
  })

  const among = (...values: unknown[]) => ({ key: 'plan', type: 'person', operator: 'exact', value: values })
  const isIn = (id: number, name?: string) => ({
    key: 'id',
    type: 'cohort',
    operator: 'in',
    value: id,
    ...(name && { cohort_name: name }),
  })
  const sets = (...groups: object[]) => ({ groups })

  it.each([
    [
      'a value beyond those of a summary',
      sets({ properties: [among('a', 'b', 'c', 'd', 'e')] }),
      sets({ properties: [among('a', 'b', 'c', 'x', 'e')] }),
      [['Condition set 1', 'plan is a or b or c or d or e', 'plan is a or b or c or x or e']],
    ],
    [
      'the type of groups',
      sets({ properties: [], aggregation_group_type_index: 0 }),
      sets({ properties: [], aggregation_group_type_index: 1 }),
      [['Condition set 1', 'every group of type company', 'every group of type site']],
    ],
    [
      'the type of a value',
      sets({ properties: [among(1)] }),
      sets({ properties: [among('1')] }),
      [
        [
          'Condition set 1',
          '{"properties":[{"key":"plan","type":"person","operator":"exact","value":[1]}]}',
          '{"properties":[{"key":"plan","type":"person","operator":"exact","value":["1"]}]}',
        ],
      ],
    ],
    [
      'a cohort',
      sets({ properties: [isIn(1, 'Testers')] }),
      sets({ properties: [isIn(2, 'Staff')] }),
      [['Condition set 1', 'is in cohort Testers', 'is in cohort Staff']],
    ],
    [
      'the order of variants',
      { ...sets(), multivariate: { variants: [{ key: 'a' }, { key: 'b' }] } },
      { ...sets(), multivariate: { variants: [{ key: 'b' }, { key: 'a' }] } },
      [['Order of variants', 'a, b', 'b, a']],
    ],
    ['another member', sets(), { ...sets(), new_member: [1] }, [['new member', null, '1']]],
    ['names that reads add', sets({ properties: [isIn(1)] }), sets({ properties: [isIn(1, 'T')] }), null],
    [
      'the order of members, and those that are null',
      { ...sets({ properties: [], variant: null, rollout_percentage: 5 }), multivariate: null },
      sets({ rollout_percentage: 5, properties: [] }),
      null,
    ],
  ])('of filters: %s', (_what, before, after, expected) => {
    const differences = differencesOf(
      { field: 'filters', before, after },
      (index) => ['company', 'site'][index]!,
    )
    expect(differences.map((each) => [each.what, each.before, each.after])).toEqual(expected ?? [])
  })
})

describe('times', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  it.each([
    ['2026-03-01T11:59:57Z', 'just now'],
    ['2026-03-01T11:59:20Z', '40 seconds ago'],
    ['2026-03-01T11:05:00Z', '55 minutes ago'],
    ['2026-02-28T12:00:00Z', 'yesterday'],
    ['2026-01-05T12:00:00Z', 'Jan 5, 2026'],
  ])('%s: %s', (at, words) => expect(relativeTime(at, now)).toBe(words))
})

describe('the address of the list', () => {
  it('keeps known parameters, and drops the rest', () => {
    const search = parseFlagSearch({ active: true, type: 'nonsense', search: 5, tags: ['a'], other: 1 })
    expect(search).toEqual({ active: 'true', search: '5', tags: '["a"]' })
    expect(filterCount({ ...search, order: '-key' })).toBe(3)
  })

  it('reads tags as the API does', () => {
    expect(tagsOf(tagsText(['a', 'b,c']))).toEqual(['a', 'b,c'])
    expect(tagsOf('a,b')).toEqual(['a', 'b'])
    expect(tagsOf(undefined)).toEqual([])
    expect(tagsText([])).toBeUndefined()
  })
})
