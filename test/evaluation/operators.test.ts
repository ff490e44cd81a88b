import { beforeAll, describe, expect, it } from 'vitest'
import { PROPERTY_OPERATORS } from '../../src/evaluation/matchers/operators'
import { loadEngines, matches } from './support'

beforeAll(loadEngines)

describe('an absent property', () => {
  const satisfied = new Set([
    'is_not',
    'not_icontains',
    'not_icontains_multi',
    'not_starts_with',
    'not_ends_with',
    'not_regex',
    'not_between',
    'is_not_set',
  ])

  it.each(PROPERTY_OPERATORS.map((operator) => [operator] as const))('under %s', (operator) => {
    const value = operator.endsWith('between') ? [1, 2] : '1.0.0'
    expect(matches(operator, value, {})).toBe(satisfied.has(operator))
  })

  it('is what an inherited name is', () => {
    expect(matches('is_set', undefined, {})).toBe(false)
    expect(matches(undefined, 'x', { toString: 'x' } as never)).toBe(false)
  })
})

describe('a filter value of null', () => {
  it.each(PROPERTY_OPERATORS.filter((operator) => !operator.endsWith('_set')))(
    'never matches under %s',
    (operator) => {
      for (const value of [null, undefined]) {
        expect(matches(operator, value, { p: 'x' })).toBe(false)
        expect(matches(operator, value, {})).toBe(false)
      }
    },
  )
})

describe('exact', () => {
  it('compares text, ignoring the case of every script', () => {
    expect(matches(undefined, 'ÉCOLE', { p: 'école' })).toBe(true)
    expect(matches('exact', '5', { p: 5 })).toBe(true)
    expect(matches('exact', '1.50', { p: 1.5 })).toBe(false)
    expect(matches('exact', 'STRASSE', { p: 'straße' })).toBe(false)
    expect(matches('is_not', 'x', { p: null })).toBe(true)
  })

  it('takes any element of a list, but never membership of a property', () => {
    expect(matches('exact', ['a', 'B'], { p: 'b' })).toBe(true)
    expect(matches('exact', ['a'], { p: ['a'] })).toBe(false)
    expect(matches('exact', [['a']], { p: ['a'] })).toBe(true)
  })

  it('compares truth in legacy filters only', () => {
    expect(matches('exact', false, { p: 'banana' })).toBe(true)
    expect(matches('exact', false, { p: 'banana' }, { version: 2 })).toBe(false)
    expect(matches('exact', ['true', 'false'], { p: 'false' })).toBe(true)
    expect(matches('exact', ['true', 'false'], { p: 'true' })).toBe(false)
    expect(matches('exact', ['true', 'false'], { p: 'true' }, { version: 2 })).toBe(true)
    expect(matches('exact', [], { p: [] }, { version: 2 })).toBe(true)
    expect(matches('exact', [], { p: 'x' }, { version: 2 })).toBe(false)
  })
})

describe('text operators', () => {
  it('ignore the case of ASCII only', () => {
    expect(matches('icontains', '@EXAMPLE', { p: 'Bob@example.com' })).toBe(true)
    expect(matches('starts_with', 'bob', { p: 'BOB' })).toBe(true)
    expect(matches('ends_with', '.COM', { p: 'x.com' })).toBe(true)
    expect(matches('icontains', 'É', { p: 'é' })).toBe(false)
    expect(matches('not_ends_with', '.com', { p: 'x.COM' })).toBe(false)
  })

  it('match everything with an empty filter', () => {
    for (const operator of ['icontains', 'starts_with', 'ends_with']) {
      expect(matches(operator, '', { p: 'x' })).toBe(true)
      expect(matches(operator, '', { p: '' })).toBe(true)
      expect(matches(`not_${operator}`, '', { p: 'x' })).toBe(false)
    }
  })

  it('look for any of many', () => {
    expect(matches('icontains_multi', ['foo', 'BAR'], { p: 'xbarx' })).toBe(true)
    expect(matches('icontains_multi', [], { p: 'x' })).toBe(false)
    expect(matches('not_icontains_multi', [], { p: 'x' })).toBe(true)
  })
})

describe('regex', () => {
  it('searches the text of any value', () => {
    expect(matches('regex', '^1.5$', { p: 1.5 })).toBe(true)
    expect(matches('regex', 5, { p: '152' })).toBe(true)
    expect(matches('not_regex', '^null$', { p: null })).toBe(false)
  })

  it('matches neither way when the pattern is rejected', () => {
    for (const pattern of ['[unclosed', '(a', 'a(?=b){1001}']) {
      expect(matches('regex', pattern, { p: 'aa' })).toBe(false)
      expect(matches('not_regex', pattern, { p: 'aa' })).toBe(false)
    }
  })
})

describe('numbers', () => {
  it('compare numbers and texts that spell them', () => {
    expect(matches('gt', '5', { p: '1e2' })).toBe(true)
    expect(matches('lte', 5, { p: 5 })).toBe(true)
    expect(matches('gte', 5, { p: true })).toBe(false)
    expect(matches('lt', 5, { p: '' })).toBe(false)
    expect(matches('gt', [5], { p: 6 })).toBe(false)
    expect(matches('gte', 'nan', { p: 'nan' })).toBe(false)
  })

  it('lie between two bounds, ends included', () => {
    expect(matches('between', ['1', 5], { p: '5' })).toBe(true)
    expect(matches('not_between', [1, 5], { p: 6 })).toBe(true)
    expect(matches('not_between', [1, 5], { p: 'abc' })).toBe(true)
    expect(matches('not_between', [1, 5], { p: 'NaN' })).toBe(false)
    for (const bounds of [[5, 1], [1], [1, 2, 3], ['a', 5], '1,5']) {
      expect(matches('between', bounds, { p: 3 })).toBe(false)
      expect(matches('not_between', bounds, { p: 3 })).toBe(false)
    }
  })
})

describe('dates', () => {
  it('read numbers, and texts that spell them, as Unix seconds', () => {
    expect(matches('is_date_exact', '2024-01-01', { p: 1_704_067_200 })).toBe(true)
    expect(matches('is_date_after', '2024-01-01', { p: '1704067200.5' })).toBe(true)
    expect(matches('is_date_before', '2000-01-01', { p: '2022' })).toBe(true)
  })

  it('are instants, read in the project’s zone', () => {
    const berlin = { timezone: 'Europe/Berlin' }
    expect(matches('is_date_exact', '2024-01-01', { p: '2023-12-31T23:00:00Z' }, berlin)).toBe(true)
    expect(matches('is_date_before', '-1h', { p: '2026-03-31T11:34:56.788Z' })).toBe(true)
    expect(matches('is_date_after', '2024-01-01', { p: '-7d' })).toBe(true)
  })

  it('match nothing when either side is not a date', () => {
    expect(matches('is_date_before', 1_704_067_200, { p: '2020-01-01' })).toBe(false)
    expect(matches('is_date_before', '2024-02-30', { p: '2020-01-01' })).toBe(false)
    expect(matches('is_date_after', '2024-01-01', { p: true })).toBe(false)
  })
})

describe('versions', () => {
  it('match nothing when either side is not a version, inequality included', () => {
    expect(matches('semver_neq', '1.2.3', { p: 'abc' })).toBe(false)
    expect(matches('semver_neq', 'abc', { p: '1.2.3' })).toBe(false)
    expect(matches('semver_gte', '1.8.0', { p: '1.08' })).toBe(true)
    expect(matches('semver_eq', '1.2', { p: 1.2 })).toBe(true)
  })
})
