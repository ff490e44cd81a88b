import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

const dependingOn = (...ids: number[]) => ({
  groups: ids.map((id) => ({
    properties: [{ key: String(id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
    rollout_percentage: 100,
  })),
})

describe('GET feature_flags/:id/dependent_flags', () => {
  it('lists the active flags that look at the flag, by key', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const other = await tenant.flag({ key: 'other' })
    const named = await tenant.flag({ key: 'zz', name: 'Named', filters: dependingOn(other.id, base.id) })
    const unnamed = await tenant.flag({ key: 'aa', filters: dependingOn(base.id) })
    await tenant.flag({ key: 'indirect', filters: dependingOn(unnamed.id) })
    await tenant.flag({ key: 'disabled', active: false, filters: dependingOn(base.id) })
    const deleted = await tenant.flag({ key: 'deleted', filters: dependingOn(base.id) })
    await tenant.patch(tenant.flags(deleted.id), { deleted: true })

    const response = await tenant.get(`${tenant.flags(base.id)}dependent_flags/`)
    expect(response.status).toBe(200)
    expect(response.body).toEqual([
      { id: unnamed.id, key: 'aa', name: 'aa' },
      { id: named.id, key: 'zz', name: 'Named' },
    ])
  })

  it('follows the conditions as they change', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const dependent = await tenant.flag({ key: 'dependent', filters: dependingOn(base.id) })
    const path = `${tenant.flags(base.id)}dependent_flags/`
    await tenant.patch(tenant.flags(dependent.id), { filters: { groups: [] } })
    expect((await tenant.get(path)).body).toEqual([])
    await tenant.patch(tenant.flags(dependent.id), { filters: dependingOn(base.id) })
    expect((await tenant.get(path)).body).toEqual([{ id: dependent.id, key: 'dependent', name: 'dependent' }])
  })

  it('answers an empty array when nothing depends on it, a deleted flag among it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect((await tenant.get(`${tenant.flags(flag.id)}dependent_flags/`)).body).toEqual([])
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    expect(await tenant.get(`${tenant.flags(flag.id)}dependent_flags/`)).toMatchObject({
      status: 200,
      body: [],
    })
  })

  it('responds with 404 for a flag that the project does not have', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const theirs = await other.flag()
    for (const id of [theirs.id, 999_999_999, 'key']) {
      const response = await tenant.get(`${tenant.flags(id)}dependent_flags/`)
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
