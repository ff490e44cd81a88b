import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

describe('GET matching_ids', () => {
  it('lists the ids of what the list would show, on all pages together', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const made = []
    for (const key of ['web-a', 'app-b', 'web-c']) {
      made.push(await tenant.flag({ key }))
      tenant.clock.advance({ seconds: 1 })
    }
    await other.flag({ key: 'web-d' })
    const [first, second, third] = made.map(({ id }) => id)
    expect((await tenant.get(tenant.flags('matching_ids'))).body).toEqual({
      ids: [third, second, first],
      total: 3,
    })
    expect((await tenant.get(`${tenant.flags('matching_ids')}?search=web`)).body).toEqual({
      ids: [third, first],
      total: 2,
    })
    expect((await tenant.get(`${tenant.flags('matching_ids')}?search=${'x'.repeat(201)}`)).status).toBe(400)
    expect((await tenant.get(`${tenant.flags('matching_ids')}?limit=1`)).status).toBe(400)
  })
})
