import { describe, expect, it } from 'vitest'
import { relativeTime } from '../../src/time/relative-time'
import { hiddenCount, parseFlagSearch, tagsOf, tagsText } from '../../src/console/flags/search'

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
    expect(hiddenCount({ ...search, order: '-key' })).toBe(1)
  })

  it('reads tags as the API does', () => {
    expect(tagsOf(tagsText(['a', 'b,c']))).toEqual(['a', 'b,c'])
    expect(tagsOf('a,b')).toEqual(['a', 'b'])
    expect(tagsOf(undefined)).toEqual([])
    expect(tagsText([])).toBeUndefined()
  })
})
