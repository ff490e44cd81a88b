import { describe, expect, it } from 'vitest'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { activitiesOf, storedVersion } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const ways: [string, (tenant: Tenant, name: string) => Promise<{ status: number; body: unknown }>, object][] =
  [
    [
      'DELETE',
      async (tenant, name) => seen(await tenant.delete(tenant.endpoints(name))),
      { status: 204, body: null },
    ],
    [
      'PATCH with deleted',
      async (tenant, name) => seen(await tenant.patch(tenant.endpoints(name), { deleted: true })),
      { status: 200, body: { success: true } },
    ],
  ]

describe.each(ways)('%s endpoints/:name', (_, remove, done) => {
  it('deletes the endpoint, keeps its versions, and frees the name', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await other.endpoint({ name: 'theirs' })
    const first = await tenant.endpoint({ name: 'old', tags: ['a'] })
    expect(await remove(tenant, 'old')).toEqual(done)
    for (const rest of ['old', 'old/versions', 'old/openapi.json']) {
      expect(seen(await tenant.get(tenant.endpoints(rest)))).toEqual(NOT_FOUND)
    }
    expect((await tenant.get(tenant.endpoints())).body.results).toEqual([])
    expect(await storedVersion(first.id, 1)).toBeDefined()
    expect((await activitiesOf(tenant, first.id)).at(-1)).toEqual({
      scope: 'Endpoint',
      activity: 'deleted',
      name: 'old',
      changes: [],
    })
    for (const name of ['nobody', 'old', 'theirs']) expect(await remove(tenant, name)).toEqual(NOT_FOUND)
    expect((await other.get(other.endpoints('theirs'))).status).toBe(200)

    const second = await tenant.endpoint({ name: 'old' })
    expect(second.id).not.toBe(first.id)
    expect(second).toMatchObject({ tags: [], current_version: 1 })
    expect(await remove(tenant, 'old')).toEqual(done)
    expect((await tenant.endpoint({ name: 'old' })).id).not.toBe(second.id)
  })

  it('happens once for concurrent requests', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.endpoint({ name: 'old' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove(tenant, 'old')))
    expect(responses.filter(({ status }) => status < 300)).toEqual([done])
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(4)
    expect(await activitiesOf(tenant, id)).toHaveLength(2)
  })
})

describe('POST endpoints/bulk_update_tags', () => {
  it('responds with 405', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.endpoints('bulk_update_tags'), {
      ids: [1],
      action: 'add',
      tags: ['a'],
    })
    expect(seen(response)).toEqual({
      status: 405,
      body: { detail: 'Bulk tag updates are not supported for endpoints.' },
    })
  })
})

describe('PATCH endpoints/:name with deleted and what is not the endpoint', () => {
  it('deletes nothing', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'kept' })
    const path = tenant.endpoints('kept')
    const error = {
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail:
          'A version cannot be deleted. Without version, this deletes the endpoint with all its versions.',
        attr: 'deleted',
      },
    }
    for (const version of [1, 7]) {
      expect(seen(await tenant.patch(path, { version, deleted: true }))).toEqual(error)
      expect(seen(await tenant.patch(`${path}?version=${version}`, { deleted: true }))).toEqual(error)
    }
    expect(seen(await tenant.patch(path, { name: 'others', deleted: true }))).toEqual(
      refused('name', 'This would delete kept. Leave the name out, or send kept.'),
    )
    expect((await tenant.get(path)).status).toBe(200)
  })
})
