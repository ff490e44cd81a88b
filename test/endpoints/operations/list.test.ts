import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { createTenant, type Tenant } from '../../support/tenant'

const namesIn = async (tenant: Tenant, query = '') => {
  const { body } = await tenant.get(`${tenant.endpoints()}${query}`)
  return body.results.map(({ name }: { name: string }) => name)
}

async function tenantWith(...names: string[]) {
  const tenant = await createTenant()
  for (const name of names) {
    await tenant.endpoint({ name })
    tenant.clock.advance({ seconds: 1 })
  }
  return tenant
}

describe('GET endpoints', () => {
  it('is empty without endpoints', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(tenant.endpoints()))).toEqual({
      status: 200,
      body: { count: 0, next: null, previous: null, results: [] },
    })
  })

  it('returns whole records, newest first', async () => {
    const tenant = await createTenant()
    const [first, second] = [await tenant.endpoint({ tags: ['a'] }), await tenant.endpoint()]
    expect((await tenant.get(tenant.endpoints())).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [second, first],
    })
  })

  it('leaves out deleted endpoints, and what others have', async () => {
    const [tenant, other] = [await tenantWith('one', 'two'), await tenantWith('theirs')]
    await tenant.delete(tenant.endpoints('one'))
    expect(await namesIn(tenant)).toEqual(['two'])
    expect(await namesIn(other)).toEqual(['theirs'])
  })

  it('paginates', async () => {
    const tenant = await tenantWith('one', 'two', 'three')
    const { body } = await tenant.get(`${tenant.endpoints()}?limit=2`)
    expect(body).toMatchObject({ count: 3, previous: null, results: [{ name: 'three' }, { name: 'two' }] })
    const { pathname, search } = new URL(body.next)
    const { body: rest } = await tenant.get(pathname + search)
    expect(rest).toMatchObject({ count: 3, next: null, results: [{ name: 'one' }] })
  })

  it.each([
    ['true', ['on']],
    ['false', ['off']],
    ['False', ['off']],
    ['1', ['on']],
  ])('filters by is_active=%s', async (value, names) => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'on' })
    await tenant.endpoint({ name: 'off', is_active: false })
    const { body } = await tenant.get(`${tenant.endpoints()}?is_active=${value}`)
    expect(body.count).toBe(1)
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it('filters by creator', async () => {
    const tenant = await tenantWith('mine')
    expect(await namesIn(tenant, `?created_by=${tenant.user.id}`)).toEqual(['mine'])
    expect(await namesIn(tenant, `?created_by=${tenant.user.id + 1}`)).toEqual([])
  })

  it('rejects invalid filters', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(`${tenant.endpoints()}?is_active=perhaps`))).toEqual(
      refused('is_active', 'Must be a valid boolean.'),
    )
    expect(seen(await tenant.get(`${tenant.endpoints()}?created_by=me`))).toEqual(
      refused('created_by', 'A valid integer is required.'),
    )
  })
})

describe('GET endpoints/:name/versions', () => {
  const hogql = (number: number) => ({ kind: 'HogQLQuery', query: `SELECT ${number}` })

  async function tenantWithVersions(count: number) {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'numbers', query: hogql(1) })
    for (let version = 2; version <= count; version += 1) {
      await tenant.patch(tenant.endpoints('numbers'), { query: hogql(version) })
    }
    return tenant
  }

  it('returns the records of all versions, the current one first', async () => {
    const tenant = await tenantWithVersions(3)
    const { body } = await tenant.get(tenant.endpoints('numbers/versions'))
    expect(body).toMatchObject({ count: 3, next: null, previous: null })
    for (const [index, version] of [3, 2, 1].entries()) {
      const { body: one } = await tenant.get(`${tenant.endpoints('numbers')}?version=${version}`)
      expect(body.results[index]).toEqual(one)
    }
  })

  it('paginates, and takes filters without heeding them', async () => {
    const tenant = await tenantWithVersions(3)
    const { body } = await tenant.get(
      `${tenant.endpoints('numbers/versions')}?limit=1&offset=1&is_active=false&created_by=nobody`,
    )
    expect(body).toMatchObject({
      count: 3,
      next: expect.stringContaining('offset=2'),
      previous: expect.stringContaining('limit=1'),
      results: [{ version: 2 }],
    })
  })

  it('responds with 404 for an unknown endpoint', async () => {
    const [tenant, other] = [await createTenant(), await tenantWithVersions(1)]
    expect((await other.get(other.endpoints('numbers/versions'))).status).toBe(200)
    expect(seen(await tenant.get(tenant.endpoints('numbers/versions')))).toEqual({
      status: 404,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    })
  })
})
