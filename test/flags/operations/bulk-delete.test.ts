import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

describe('POST bulk_delete', () => {
  it('deletes by ids and says what each flag was', async () => {
    const tenant = await createTenant()
    const open = await tenant.flag({ key: 'open', filters: { groups: [{ rollout_percentage: 100 }] } })
    const off = await tenant.flag({ key: 'off', filters: { groups: [{ rollout_percentage: 0 }] } })
    const answer = await tenant.post(tenant.flags('bulk_delete'), { ids: [open.id, String(off.id), 'x', 999_999_999] })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      deleted: [
        { id: open.id, key: 'open', rollout_state: 'fully_rolled_out', active_variant: null },
        { id: off.id, key: 'off', rollout_state: 'not_rolled_out', active_variant: null },
      ],
      errors: [
        { id: 'x', reason: 'Invalid flag ID format' },
        { id: 999_999_999, reason: 'Flag not found' },
      ],
    })
    expect((await tenant.get(tenant.flags(open.id))).body).toMatchObject({ deleted: true, version: 1, key: 'open' })
    const activity = await tenant.get(tenant.flags(`${open.id}/activity`))
    expect(activity.body.results.map((entry: { activity: string; detail: object }) => [entry.activity, entry.detail])).toEqual([
      ['deleted', { changes: [], trigger: null, type: null, name: 'open', short_id: null }],
      ['created', { changes: [], trigger: null, type: null, name: 'open', short_id: null }],
    ])
  })
})
