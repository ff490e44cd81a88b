import { beforeAll, describe, expect, it } from 'vitest'
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
  it('is empty without endpoints, and returns whole records, newest first', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(tenant.endpoints()))).toEqual({
      status: 200,
      body: { count: 0, next: null, previous: null, results: [] },
    })
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

  it('finds text in names, in any case', async () => {
    const tenant = await tenantWith('Orders', 'old-orders', 'visits')
    expect(await namesIn(tenant, '?search=ORDER')).toEqual(['old-orders', 'Orders'])
    const { body } = await tenant.get(`${tenant.endpoints()}?search=s&limit=1`)
    expect(body).toMatchObject({ count: 3, results: [{ name: 'visits' }] })
    expect(await namesIn(tenant, '?search=%25')).toEqual([])
  })

  it('filters by activity', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'on' })
    await tenant.endpoint({ name: 'off', is_active: false })
    for (const [value, name] of [
      ['true', 'on'],
      ['1', 'on'],
      ['False', 'off'],
    ]) {
      const { body } = await tenant.get(`${tenant.endpoints()}?is_active=${value}`)
      expect([value, body.count, body.results.map((each: { name: string }) => each.name)]).toEqual([
        value,
        1,
        [name],
      ])
    }
  })

  it('filters by creator, and rejects invalid filters', async () => {
    const tenant = await tenantWith('mine')
    expect(await namesIn(tenant, `?created_by=${tenant.user.id}`)).toEqual(['mine'])
    expect(await namesIn(tenant, `?created_by=${tenant.user.id + 1}`)).toEqual([])
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

  const COUNT = 5
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await tenant.endpoint({ name: 'numbers', query: hogql(1) })
    for (let version = 2; version <= COUNT; version += 1) {
      await tenant.patch(tenant.endpoints('numbers'), { query: hogql(version) })
    }
    for (const version of [2, 4, 5]) {
      await tenant.patch(tenant.endpoints('numbers'), { version, is_active: false })
    }
  })

  it('returns the records of all versions, the newest first', async () => {
    const { body } = await tenant.get(tenant.endpoints('numbers/versions'))
    expect(body).toMatchObject({ count: COUNT, next: null, previous: null })
    for (const [index, result] of body.results.entries()) {
      const { body: one } = await tenant.get(`${tenant.endpoints('numbers')}?version=${COUNT - index}`)
      expect(result).toEqual(one)
    }
  })

  const pageOf = async (query: string) => {
    const { body } = await tenant.get(`${tenant.endpoints('numbers/versions')}${query}`)
    const { next, previous, count, results } = body
    const versions = results.map(({ version }: { version: number }) => version)
    return [count, versions, ...[next, previous].map((url) => url && new URL(url).search)]
  }

  it('paginates', async () => {
    expect(await pageOf('?limit=1&offset=1')).toEqual([COUNT, [4], '?limit=1&offset=2', '?limit=1'])
  })

  it('filters by activity and author of the versions, and pages the result', async () => {
    expect(await pageOf('?is_active=true')).toEqual([2, [3, 1], null, null])
    expect(await pageOf('?is_active=false')).toEqual([3, [5, 4, 2], null, null])
    expect(await pageOf('?is_active=false&limit=1&offset=1')).toEqual([
      3,
      [4],
      '?is_active=false&limit=1&offset=2',
      '?is_active=false&limit=1',
    ])
    expect(await pageOf(`?created_by=${tenant.user.id}&limit=2&offset=3`)).toEqual([
      5,
      [2, 1],
      null,
      `?created_by=${tenant.user.id}&limit=2&offset=1`,
    ])
    expect(await pageOf(`?created_by=${tenant.user.id + 1_000_000}`)).toEqual([0, [], null, null])
  })

  it.each([
    ['is_active=zz', 'is_active', 'Must be a valid boolean.'],
    ['created_by=me', 'created_by', 'A valid integer is required.'],
  ])('rejects %s', async (query, attr, detail) => {
    expect(seen(await tenant.get(`${tenant.endpoints('numbers/versions')}?${query}`))).toEqual(
      refused(attr, detail),
    )
  })

  it('responds with 404 for an unknown endpoint', async () => {
    const other = await createTenant()
    expect(seen(await other.get(other.endpoints('numbers/versions')))).toEqual({
      status: 404,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    })
  })
})
