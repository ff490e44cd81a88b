import { describe, expect, it } from 'vitest'
import { exportRow } from '../../src/console/activity/export'
import {
  type ActivityRead,
  completeFrom,
  entriesOf,
  firstPages,
  mayFollow,
  nextPages,
  pageAt,
  type Scope,
} from '../../src/console/activity/merge'
import { parseActivitySearch, scopesOf } from '../../src/console/activity/search'

const HOUR = 3_600_000
const START = Date.parse('2026-03-10T12:00:00Z')

/** An entry of some hours ago. */
const entry = (scope: Scope, hours: number, email: string | null = 'ada@example.com') => ({
  id: `${scope} ${hours}`,
  user:
    email === null ? { first_name: 'System', email, is_system: true as const } : { first_name: 'Ada', email },
  activity: 'updated' as const,
  scope,
  item_id: '1',
  detail: {
    id: '1',
    changes: [{ type: scope, action: 'changed' as const, field: 'name', before: 'a', after: 'b' }],
    trigger: null,
    type: null,
    name: 'item',
    short_id: null,
    merge: null,
  },
  created_at: new Date(START - hours * HOUR).toISOString().replace('.000Z', 'Z'),
})

const read = (
  scope: Scope,
  page: number,
  hours: number[],
  isLast = false,
): ActivityRead['pages'][number] => ({
  scope,
  page,
  limit: 2,
  entries: hours.map((each) => entry(scope, each)),
  next: isLast ? null : { scope, page: page + 1, limit: 2 },
})

const idsOf = (reads: ActivityRead[], filter = {}) => entriesOf(reads, filter).map(({ id }) => id)

describe('the activity of several kinds', () => {
  const first: ActivityRead = { pages: [read('FeatureFlag', 1, [1, 2]), read('Cohort', 1, [3, 30])] }
  const second: ActivityRead = { pages: [read('FeatureFlag', 2, [2, 5], true)] }

  it('is shown as far as each kind is read', () => {
    expect(idsOf([first])).toEqual(['FeatureFlag 1', 'FeatureFlag 2'])
    expect(nextPages([first])).toEqual([{ scope: 'FeatureFlag', page: 2, limit: 2 }])
    expect(completeFrom([first])).toBe(START - 2 * HOUR)
  })

  it('goes on with the kinds that hold it up, and has overlapping entries once', () => {
    expect(idsOf([first, second])).toEqual([
      'FeatureFlag 1',
      'FeatureFlag 2',
      'Cohort 3',
      'FeatureFlag 5',
      'Cohort 30',
    ])
    expect(nextPages([first, second])).toEqual([{ scope: 'Cohort', page: 2, limit: 2 }])
    const last = { pages: [read('Cohort', 2, [], true)] }
    expect(nextPages([first, second, last])).toBeNull()
    expect(completeFrom([first, second, last])).toBe(Number.NEGATIVE_INFINITY)
  })

  it('is filtered by user and day, and read no further than the first day', () => {
    const system = { ...read('Cohort', 1, [], true), entries: [entry('Cohort', 1, null)] }
    expect(idsOf([{ pages: [system] }], { user: 'system' })).toEqual(['Cohort 1'])
    expect(idsOf([{ pages: [system] }], { user: 'ada@example.com' })).toEqual([])
    const day = (hours: number) => {
      const at = new Date(START - hours * HOUR)
      const two = (part: number) => String(part).padStart(2, '0')
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
    }
    expect(idsOf([first, second], { to: day(30) })).toEqual(['Cohort 30'])
    expect(idsOf([first, second], { from: day(1) })).not.toContain('Cohort 30')
    expect(mayFollow([first, second], { from: day(1) })).toBe(false)
    expect(mayFollow([first, second], { from: day(100) })).toBe(true)
  })

  it('follows the addresses of pages', () => {
    expect(pageAt('Cohort', null)).toBeNull()
    expect(pageAt('Cohort', 'https://x/?scope=Cohort&page=7&limit=25')).toEqual({
      scope: 'Cohort',
      page: 7,
      limit: 25,
    })
    expect(firstPages(['Cohort'])).toEqual([{ scope: 'Cohort', page: 1, limit: 50 }])
  })

  it('has its filters in the address', () => {
    expect(
      parseActivitySearch({ kind: 'cohorts', user: 'a@b.c', from: '2026-01-31', to: 'x', more: 1 }),
    ).toEqual({ kind: 'cohorts', user: 'a@b.c', from: '2026-01-31' })
    expect(scopesOf('cohorts')).toEqual(['Cohort'])
    expect(scopesOf(undefined)).toHaveLength(9)
  })

  it('is exported', () => {
    expect(exportRow(entry('Cohort', 1, null))).toEqual([
      '2026-03-10T11:00:00Z',
      'Halyard',
      null,
      'updated',
      'Cohort',
      '1',
      'item',
      [{ field: 'name', before: 'a', after: 'b' }],
    ])
  })
})
