import { describe, expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

describe('DELETE feature_flags/:id', () => {
  it.each(['a flag', 'no flag', 'no id'])('responds with 405 with no body for %s', async (what) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'stays' })
    const target = { 'a flag': flag.id, 'no flag': 999_999_999, 'no id': 'stays' }[what]
    const response = await tenant.delete(tenant.flags(target))
    expect(response).toMatchObject({ status: 405, body: null })
    expect(response.headers.get('Allow')).toBe('GET, PATCH')
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(flag)
  })

  it('requires feature_flag:write first', async () => {
    const tenant = await createTenant()
    const reader = await tenant.withKey({ scopes: ['feature_flag:read'] })
    const response = await reader.delete(reader.flags(1))
    expect(response.status).toBe(403)
    expect(response.body.detail).toBe("API key missing required scope 'feature_flag:write'")
  })
})
