// The flags that `active=STALE` lists: docs/reference/flags.md#stale-flags-in-the-list.
import { describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../../support/tenant'

const staleOf = async (tenant: Tenant) => (await tenant.get(`${tenant.flags()}?active=STALE&order=key`)).body

const open = { properties: [], rollout_percentage: 100 }
const half = { properties: [], rollout_percentage: 50 }
const targeted = {
  properties: [{ key: 'email', type: 'person', operator: 'exact', value: 'a@example.com' }],
  rollout_percentage: 100,
}
const variants = (...shares: number[]) => ({
  variants: shares.map((share, at) => ({ key: `v${at}`, rollout_percentage: share })),
})

/** Flags by key, with whether the list counts them once they are older than 30 days and were never called. */
const CASES: [key: string, body: Record<string, unknown>, stale: boolean][] = [
  ['open', { filters: { groups: [open] } }, true],
  ['one-open-set-of-two', { filters: { groups: [targeted, open] } }, true],
  ['empty-variants', { filters: { groups: [open], multivariate: { variants: [] } } }, true],
  ['decided-variant', { filters: { groups: [open], multivariate: variants(0, 100) } }, true],
  ['override', { filters: { groups: [{ ...open, variant: 'v1' }], multivariate: variants(50, 50) } }, true],
  ['undecided-variants', { filters: { groups: [open], multivariate: variants(50, 50) } }, false],
  ['decided-but-targeted', { filters: { groups: [targeted], multivariate: variants(100, 0) } }, false],
  [
    'override-on-half',
    { filters: { groups: [{ ...half, variant: 'v1' }], multivariate: variants(50, 50) } },
    false,
  ],
  ['half', { filters: { groups: [half] } }, false],
  ['almost', { filters: { groups: [{ properties: [], rollout_percentage: 99.9 }] } }, false],
  ['unset-rollout', { filters: { groups: [{ properties: [] }] } }, false],
  ['targeted', { filters: { groups: [targeted] } }, false],
  ['no-sets', {}, false],
  ['disabled', { active: false, filters: { groups: [open] } }, false],
  ['archived', { active: false, archived: true, filters: { groups: [open] } }, false],
]

describe('list filter active=STALE', () => {
  it('lists old flags that were never called and are the same for everyone', async () => {
    const tenant = await createTenant()
    for (const [key, body] of CASES) await tenant.flag({ key, ...body })
    tenant.clock.advance({ days: 30 })
    expect((await staleOf(tenant)).results).toEqual([])

    tenant.clock.advance({ seconds: 1 })
    const { count, results } = await staleOf(tenant)
    const expected = CASES.filter(([, , stale]) => stale).map(([key]) => key)
    expect(results.map(({ key }: { key: string }) => key)).toEqual(expected.sort())
    expect(count).toBe(expected.length)
    for (const flag of results) expect(flag.status).toBe('STALE')
  })

  it('lists flags that were last called over 30 days ago, with any filters', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'called-long-ago', last_called_at: '2026-02-01T00:00:00Z' })
    await tenant.flag({ key: 'called-30-days-ago', last_called_at: '2026-02-08T12:00:00Z' })
    await tenant.flag({ key: 'called-31-days-ago', last_called_at: '2026-02-07T12:00:00Z' })
    await tenant.flag({
      key: 'open-but-called',
      created_at: '2025-01-01T00:00:00Z',
      last_called_at: '2026-03-09T12:00:00Z',
      filters: { groups: [open] },
    })
    await tenant.flag({ key: 'disabled', active: false, last_called_at: '2026-02-01T00:00:00Z' })
    const { results } = await staleOf(tenant)
    expect(results.map(({ key }: { key: string }) => key)).toEqual(['called-31-days-ago', 'called-long-ago'])
    for (const flag of results) expect(flag.status).toBe('STALE')
  })

  it('follows a flag whose filters change', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'opened', created_at: '2025-01-01T00:00:00Z' })
    expect((await staleOf(tenant)).count).toBe(0)
    await tenant.patch(tenant.flags(flag.id), { filters: { groups: [open] } })
    expect((await staleOf(tenant)).count).toBe(1)
    await tenant.patch(tenant.flags(flag.id), { filters: { groups: [half] } })
    expect((await staleOf(tenant)).count).toBe(0)
  })
})
