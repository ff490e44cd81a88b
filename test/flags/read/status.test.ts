import { describe, expect, it } from 'vitest'
import type { FlagFilters } from '../../../src/flags/filters/flag-filters'
import { statusOf, type StatusInput } from '../../../src/flags/read/status'

const NOW = new Date('2026-03-10T12:00:00Z')
const ago = (days: number, seconds = 0) =>
  new Date(NOW.getTime() - days * 86_400_000 - seconds * 1000).toISOString().replace('Z', '000Z')

const open: FlagFilters = { groups: [{ properties: [], rollout_percentage: 100 }] }
const half: FlagFilters = { groups: [{ properties: [], rollout_percentage: 50 }] }
const targeted: FlagFilters = {
  groups: [{ properties: [{ key: 'email', type: 'person', value: 'a' }], rollout_percentage: 100 }],
}
const split = (a: number, b: number, variant: string | null = null): FlagFilters => ({
  groups: [{ properties: [], rollout_percentage: 100, variant }],
  multivariate: {
    variants: [
      { key: 'a', rollout_percentage: a },
      { key: 'b', rollout_percentage: b },
    ],
  },
})

const judged = (flag: Partial<StatusInput>) => {
  const { status, reason } = statusOf(
    {
      filters: open,
      active: true,
      archived: false,
      deleted: false,
      created_at: ago(100),
      last_called_at: null,
      ...flag,
    },
    NOW,
  )
  return [status, reason]
}

describe('statusOf', () => {
  it.each<[string, Partial<StatusInput>, string, string]>([
    ['deleted', { deleted: true, archived: true, active: false }, 'deleted', 'Flag has been deleted'],
    ['archived', { archived: true, active: false }, 'archived', 'Flag has been archived'],
    [
      'disabled',
      { active: false, last_called_at: ago(100) },
      'active',
      'Flag is disabled (not evaluated for staleness)',
    ],
    ['called 31 days ago', { last_called_at: ago(31) }, 'stale', 'Flag has not been called in 31 days'],
    ['called 400 days ago', { last_called_at: ago(400, 5) }, 'stale', 'Flag has not been called in 400 days'],
    [
      'called over 30 days ago',
      { last_called_at: ago(30, 1) },
      'stale',
      'Flag has not been called in 30 days',
    ],
    ['called 30 days ago', { last_called_at: ago(30) }, 'active', 'Flag was last called 30 days ago'],
    ['called 5 days ago', { last_called_at: ago(5, 7) }, 'active', 'Flag was last called 5 days ago'],
    ['called a day ago', { last_called_at: ago(1) }, 'active', 'Flag was last called 1 day ago'],
    ['called nearly a day ago', { last_called_at: ago(1, -1) }, 'active', 'Flag was called today'],
    ['called now', { last_called_at: ago(0) }, 'active', 'Flag was called today'],
    ['called in the future', { last_called_at: ago(-1) }, 'active', 'Flag was called today'],
    ['old, override', { filters: split(100, 0, 'b') }, 'stale', 'This flag will always use the variant "b"'],
    ['old, decided', { filters: split(100, 0) }, 'stale', 'This flag will always use the variant "a"'],
    ['old, undecided', { filters: split(50, 50) }, 'active', 'Flag has no usage data yet'],
    ['old, open', {}, 'stale', 'This boolean flag will always evaluate to "true"'],
    ['old, no sets', { filters: { groups: [] } }, 'active', 'Flag has no usage data yet'],
    ['old, half', { filters: half }, 'active', 'Flag has no usage data yet'],
    ['old, targeted', { filters: targeted }, 'active', 'Flag has no usage data yet'],
    ['30 days old', { created_at: ago(30) }, 'active', 'Flag has no usage data yet'],
    [
      'over 30 days old',
      { created_at: ago(30, 1) },
      'stale',
      'This boolean flag will always evaluate to "true"',
    ],
  ])('%s', (_, flag, status, reason) => {
    expect(judged(flag)).toEqual([status, reason])
  })

  it.each<[string, FlagFilters, [boolean, boolean, number | null, boolean]]>([
    ['no sets', { groups: [] }, [false, false, null, false]],
    ['open', open, [true, false, 100, false]],
    ['half', half, [false, false, 50, false]],
    ['targeted', targeted, [false, true, 100, false]],
    ['targeted or open', { groups: [...targeted.groups, ...open.groups] }, [true, true, 100, false]],
    ['unset percentage', { groups: [{ properties: [] }] }, [false, false, 100, false]],
    [
      'null percentage',
      { groups: [{ properties: null, rollout_percentage: null }] },
      [false, false, 100, false],
    ],
    [
      'fractions',
      { groups: [{ rollout_percentage: 0.5 }, { rollout_percentage: 0 }] },
      [false, false, 0.5, false],
    ],
    ['no variants', { ...open, multivariate: { variants: [] } }, [true, false, 100, false]],
    ['undecided variants', split(50, 50), [false, false, 100, true]],
    ['decided variant', split(0, 100), [true, false, 100, true]],
    ['override', split(50, 50, 'a'), [true, false, 100, true]],
    ['variants without sets', { ...split(0, 100), groups: [] }, [false, false, null, true]],
  ])('rollout of %s', (_, filters, [full, targeting, most, multivariate]) => {
    const flag = {
      filters,
      active: false,
      archived: false,
      deleted: true,
      created_at: ago(0),
      last_called_at: null,
    }
    expect(statusOf(flag, NOW).rollout).toEqual({
      effectively_full_rollout: full,
      has_targeting_conditions: targeting,
      max_rollout_percentage: most,
      is_multivariate: multivariate,
    })
  })
})
