import { describe, expect, it } from 'vitest'
import { exportRow } from '../../src/console/activity/export'
import {
  type ActivityRead,
  entriesOf,
  firstPages,
  isRestorable,
  nextPages,
  pageAt,
  type Scope,
} from '../../src/console/activity/merge'
import type { ActivityEntry } from '../../src/console/api/client'
import { changesIn, nameIn, verbWords } from '../../src/console/activity/words'
import { filterOf, parseActivitySearch, scopesOf } from '../../src/console/activity/search'

const HOUR = 3_600_000
const START = Date.parse('2026-03-10T12:00:00Z')

/** An entry of some hours ago. */
const entry = (scope: Scope, hours: number, email: string | null = 'ada@example.com') => ({
  id: `${scope} ${hours}`,
  user:
    email === null ? { first_name: 'System', email, is_system: true as const } : { first_name: 'Ada', email },
  was_impersonated: false,
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

const idsOf = (reads: ActivityRead[]) => entriesOf(reads).map(({ id }) => id)

describe('an entry', () => {
  const of = (
    activity: ActivityEntry['activity'],
    detail: { name?: string; context?: { version: number }; changes?: { field: string }[] } = {},
  ) => ({ activity, detail: { changes: [], ...detail } }) as never as ActivityEntry

  it.each([
    [of('updated'), 'updated'],
    [of('version_created', { context: { version: 2 } }), 'created version 2 of'],
    [of('version_updated'), 'updated a version of'],
    [of('materialization_enabled', { context: { version: 1 } }), 'enabled materialization of version 1 of'],
    [of('persons_added_manually'), 'added people to'],
  ])('%j is described as %s', (each, words) => {
    expect(verbWords(each)).toBe(words)
  })

  const ofMember = (activity: string, changes: object[], email = 'ada@example.com') =>
    ({
      scope: 'OrganizationMembership',
      activity,
      user: { email },
      detail: { name: 'bob@example.com', changes },
    }) as never as ActivityEntry

  it.each([
    [ofMember('updated', [{ field: 'invite', before: null, after: 0 }]), 'invited'],
    [ofMember('updated', [{ field: 'invite', before: 0, after: null }]), 'withdrew the invite of'],
    [ofMember('updated', [{ field: 'level', before: 1, after: 8 }]), 'updated member'],
    [ofMember('created', [{ field: 'level', before: null, after: 1 }], 'bob@example.com'), 'joined as'],
    [ofMember('deleted', []), 'removed member'],
    [ofMember('deleted', [], 'bob@example.com'), 'left as'],
  ])('about a member %j is described as %s', (each, words) => {
    expect(verbWords(each)).toBe(words)
  })

  it('names the query of a materialization', () => {
    expect(nameIn(of('materialization_disabled', { name: 'orders_v2_v1' }))).toBe('orders_v2')
    expect(nameIn(of('created', { name: 'orders_v2' }))).toBe('orders_v2')
  })

  it('of a deletion has only what changed besides', () => {
    const changes = [{ field: 'deleted' }, { field: 'name' }, { field: 'version' }]
    expect(changesIn(of('deleted', { changes }))).toEqual([{ field: 'name' }])
    expect(changesIn(of('updated', { changes }))).toEqual([{ field: 'deleted' }, { field: 'name' }])
  })
})

describe('the activity of several kinds', () => {
  const first: ActivityRead = { pages: [read('FeatureFlag', 1, [1, 2]), read('Cohort', 1, [3, 30])] }
  const second: ActivityRead = { pages: [read('FeatureFlag', 2, [2, 5], true)] }

  it('is shown as far as each kind is loaded', () => {
    expect(idsOf([first])).toEqual(['FeatureFlag 1', 'FeatureFlag 2'])
    expect(nextPages([first])).toEqual([{ scope: 'FeatureFlag', page: 2, limit: 2 }])
  })

  it('continues with the kinds that limit it, and has overlapping entries once', () => {
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
  })

  it.each(['FeatureFlag', 'Cohort', 'Dashboard'] as const)(
    'offers to restore a %s that was edited after its deletion',
    (scope) => {
      const deleted = { ...entry(scope, 2), activity: 'deleted' as const }
      const restored = { ...entry(scope, 1), activity: 'restored' as const }
      expect(isRestorable(deleted, [entry(scope, 1), deleted, entry(scope, 3)])).toBe(true)
      expect(isRestorable(deleted, [restored, deleted])).toBe(false)
      expect(isRestorable(deleted, [{ ...deleted, id: 'later' }, restored, deleted])).toBe(false)
      expect(isRestorable(entry(scope, 1), [entry(scope, 1)])).toBe(false)
    },
  )

  it('leaves out the dashboard that each new flag has', () => {
    const created = { ...entry('Dashboard', 1), activity: 'created' as const }
    const named = (name: string) => ({ ...created, detail: { ...created.detail, name } })
    const listed = (name: string) =>
      entriesOf([{ pages: [{ ...read('Dashboard', 1, [], true), entries: [named(name)] }] }])
    expect(listed('Generated Dashboard: beta Usage')).toEqual([])
    expect(listed('Sales')).toHaveLength(1)
  })

  it('follows the addresses of pages', () => {
    expect(pageAt(null)).toBeNull()
    expect(pageAt('https://x/?scope=Cohort&page=7&limit=25')).toEqual({ page: 7, limit: 25 })
    expect(firstPages(['Cohort'])).toEqual([{ scope: 'Cohort', page: 1, limit: 50 }])
  })

  it('has its filters in the address', () => {
    expect(
      parseActivitySearch({ kind: 'cohorts', user: 'a@b.c', from: '2026-01-31', to: 'x', more: 1 }),
    ).toEqual({ kind: 'cohorts', user: 'a@b.c', from: '2026-01-31' })
    expect(parseActivitySearch({ from: '2026-13-01', to: '2026-12-01' })).toEqual({ to: '2026-12-01' })
    expect(scopesOf('cohorts')).toEqual(['Cohort'])
    expect(scopesOf(undefined)).toHaveLength(18)
  })

  it('requests whole days in the time zone of the browser', () => {
    expect(filterOf({ kind: 'cohorts' })).toEqual({})
    const {
      user,
      start_date: from,
      end_date: to,
    } = filterOf({ user: 'a@b.c', from: '2026-01-31', to: '2026-01-31' })
    expect(user).toBe('a@b.c')
    expect(new Date(from!)).toEqual(new Date(2026, 0, 31))
    expect(to).toMatch(/\.999999Z$/)
    expect(new Date(to!).getTime()).toBe(new Date(2026, 1, 1).getTime() - 1)
  })

  it('is exported', () => {
    expect(exportRow(entry('Cohort', 1, null))).toEqual([
      '2026-03-10T11:00:00Z',
      'Halyard',
      null,
      false,
      'updated',
      'Cohort',
      '1',
      'item',
      null,
      [{ field: 'name', before: 'a', after: 'b' }],
    ])
  })
})
