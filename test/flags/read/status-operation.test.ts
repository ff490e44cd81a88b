// The table of docs/reference/flags.md#status over HTTP, as time goes by; its corners are in test/flags/status.test.ts.
import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

const open = { groups: [{ properties: [], rollout_percentage: 100 }] }
const full = {
  effectively_full_rollout: true,
  has_targeting_conditions: false,
  max_rollout_percentage: 100,
  is_multivariate: false,
}

describe('GET feature_flags/:id/status', () => {
  it('follows a flag through its life', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: open })
    const seen: unknown[] = []
    const look = async () => {
      const { status, body } = await tenant.get(`${tenant.flags(flag.id)}status/`)
      expect(status).toBe(200)
      expect(body.rollout).toEqual(full)
      const { body: record } = await tenant.get(tenant.flags(flag.id))
      expect(record.status).toBe(body.status.toUpperCase())
      seen.push([body.status, body.reason])
    }
    const patch = (body: object) => tenant.patch(tenant.flags(flag.id), body)

    await look()
    tenant.clock.advance({ days: 31 })
    await look()
    await patch({ last_called_at: tenant.clock.now().toISOString() })
    await look()
    tenant.clock.advance({ days: 1 })
    await look()
    tenant.clock.advance({ days: 4 })
    await look()
    tenant.clock.advance({ days: 30 })
    await look()
    await patch({ active: false })
    await look()
    await patch({ archived: true })
    await look()
    await patch({ deleted: true })
    await look()

    expect(seen).toEqual([
      ['active', 'Flag has no usage data yet'],
      ['stale', 'This boolean flag will always evaluate to "true"'],
      ['active', 'Flag was called today'],
      ['active', 'Flag was last called 1 day ago'],
      ['active', 'Flag was last called 5 days ago'],
      ['stale', 'Flag has not been called in 35 days'],
      ['active', 'Flag is disabled (not evaluated for staleness)'],
      ['archived', 'Flag has been archived'],
      ['deleted', 'Flag has been deleted'],
    ])
  })

  it('names the variant that everyone gets', async () => {
    const tenant = await createTenant()
    const variants = ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 }))
    const groups = [{ properties: [], rollout_percentage: 100, variant: 'test' }]
    const flag = await tenant.flag({ filters: { groups, multivariate: { variants } } })
    tenant.clock.advance({ days: 31 })
    expect((await tenant.get(`${tenant.flags(flag.id)}status/`)).body).toEqual({
      status: 'stale',
      reason: 'This flag will always use the variant "test"',
      rollout: { ...full, is_multivariate: true },
    })
  })

  it('responds with 404 for a flag that the project does not have', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const theirs = await other.flag()
    for (const id of [theirs.id, 999_999_999, 'key']) {
      const response = await tenant.get(`${tenant.flags(id)}status/`)
      expect(response.status).toBe(404)
      expect(response.body).toEqual({
        type: 'invalid_request',
        code: 'not_found',
        detail:
          id === 'key'
            ? 'Not found. The path takes the id of a flag, not its key: bulk_keys and the list show both.'
            : 'Not found.',
        attr: null,
      })
    }
  })
})
