// Restoring many flags is the reverse of a bulk delete, and follows the rules of single restorations.
import { describe, expect, it } from 'vitest'
import { dependsOn, variants, where } from '../../support/filters'
import { manyFlags } from '../../support/database/rows'
import { seen } from '../../support/responses'
import { createTenant, type Tenant } from '../../support/tenant'

const bulkRestore = async (tenant: Tenant, body: unknown) =>
  seen(await tenant.post(tenant.flags('bulk_restore'), body))
const bulkDelete = (tenant: Tenant, ids: number[]) => tenant.post(tenant.flags('bulk_delete'), { ids })

describe('POST bulk_restore', () => {
  it('restores what a bulk delete deleted, flags that others depend on first', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: variants({ a: 100, b: 0 }) })
    const middle = await tenant.flag({ key: 'middle', filters: where(dependsOn(base.id)) })
    const top = await tenant.flag({ key: 'top', filters: where(dependsOn(middle.id)), tags: ['x'] })
    const ids = [top.id, middle.id, base.id]
    await bulkDelete(tenant, ids)
    expect(await bulkRestore(tenant, { ids })).toEqual({
      status: 200,
      body: {
        restored: [
          { id: base.id, key: 'base', rollout_state: 'fully_rolled_out', active_variant: 'a' },
          { id: middle.id, key: 'middle', rollout_state: 'partial', active_variant: null },
          { id: top.id, key: 'top', rollout_state: 'partial', active_variant: null },
        ],
        errors: [],
      },
    })
    const { body } = await tenant.get(tenant.flags(top.id))
    expect(body).toEqual({ ...top, version: 3, updated_at: body.updated_at })
    const activity = (await tenant.get(tenant.flags(`${top.id}/activity`))).body.results
    expect(activity.map((entry: { activity: string }) => entry.activity)).toEqual([
      'restored',
      'deleted',
      'created',
    ])
  })

  it('lists what it cannot restore, with the reason', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const theirs = await other.flag({ key: 'theirs' })
    await bulkDelete(other, [theirs.id])
    const live = await tenant.flag({ key: 'live' })
    const base = await tenant.flag({ key: 'base' })
    const top = await tenant.flag({ key: 'top', filters: where(dependsOn(base.id)) })
    await bulkDelete(tenant, [base.id, top.id])
    expect(await bulkRestore(tenant, { ids: [String(top.id), live.id, theirs.id, 'x', top.id] })).toEqual({
      status: 200,
      body: {
        restored: [],
        errors: [
          { id: null, key: 'x', reason: 'Invalid flag ID format' },
          { id: theirs.id, key: '', reason: 'Flag not found' },
          { id: live.id, key: 'live', reason: 'This feature flag is not deleted.' },
          {
            id: top.id,
            key: 'top',
            reason:
              `Cannot restore this feature flag because it depends on deleted flags: base (ID: ${base.id}). ` +
              'Please restore the dependency flags first, or change the conditions in the same request.',
          },
        ],
      },
    })
    expect((await other.get(other.flags(theirs.id))).body).toMatchObject({ deleted: true })
  })

  it('names its limit for more ids than other bodies may have values', async () => {
    const tenant = await createTenant()
    const ids = Array.from({ length: 100_001 }, (_, id) => id)
    const { status, body } = await tenant.post(tenant.flags('bulk_restore'), { ids })
    expect([status, body]).toEqual([
      400,
      { error: 'At most 500 flags can be restored at once. Got: 100001.' },
    ])
  })

  it.each([
    [{}, 'ids must be a list of one or more ids'],
    [{ ids: [] }, 'ids must be a list of one or more ids'],
    [{ ids: '5' }, 'ids must be a list of one or more ids'],
    [{ ids: [5], filters: { active: true } }, 'Unknown keys: filters'],
    [
      { ids: Array.from({ length: 501 }, (_, id) => id) },
      'At most 500 flags can be restored at once. Got: 501.',
    ],
    [[5], 'Invalid data. Expected an object, but got a list.'],
  ])('rejects %j with {error}', async (body, error) => {
    expect(await bulkRestore(await createTenant(), body)).toEqual({ status: 400, body: { error } })
  })

  it('restores 100 flags in as many batches as they need, and publishes them', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 100)
    await bulkDelete(tenant, ids)
    const { body } = await bulkRestore(tenant, { ids })
    expect(body.restored.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect((await tenant.get(`${tenant.flags()}?limit=1`)).body.count).toBe(100)
  })
})
