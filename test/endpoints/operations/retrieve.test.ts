import { beforeAll, describe, expect, it } from 'vitest'
import { NOT_FOUND, seen } from '../../support/responses'
import { hogql, shownHogql, summaryOf, wasRun } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

describe('GET endpoints/:name', () => {
  it('returns the endpoint at its current version', async () => {
    const tenant = await createTenant()
    await tenant.endpoint({ name: 'numbers', query: hogql('SELECT 1'), description: 'One.' })
    const updated = await tenant.patch(tenant.endpoints('numbers'), { query: hogql('SELECT 2 AS two') })
    const response = await tenant.get(tenant.endpoints('numbers'))
    expect(response.body).toEqual(updated.body)
    expect(response.body).toMatchObject({
      description: 'One.',
      query: shownHogql('SELECT 2 AS two'),
      columns: [{ name: 'two', type: 'integer' }],
      current_version: 2,
      versions_count: 2,
    })
  })

  it('returns the record of a named version', async () => {
    const tenant = await createTenant()
    const made = await tenant.endpoint({ name: 'numbers', query: hogql('SELECT 1 AS one'), tags: ['a'] })
    tenant.clock.advance({ hours: 1 })
    await tenant.patch(tenant.endpoints('numbers'), { query: hogql('SELECT 2') })
    const first = await tenant.get(`${tenant.endpoints('numbers')}?version=1`)
    expect(first.body).toEqual({
      ...made,
      url: null,
      ui_url: null,
      updated_at: '2026-03-10T13:00:00Z',
      current_version: 2,
      versions_count: 2,
      version: 1,
      version_id: made.current_version_id,
      endpoint_is_active: true,
      version_created_at: '2026-03-10T12:00:00Z',
      version_updated_at: null,
      version_created_by: summaryOf(tenant),
    })
    const { body: second } = await tenant.get(`${tenant.endpoints('numbers')}?version=2`)
    expect(second).toMatchObject({ version: 2, version_created_at: '2026-03-10T13:00:00Z' })
    expect(second.version_id).toBe(second.current_version_id)
    expect(second.version_id).not.toBe(first.body.version_id)
  })

  it('finds no endpoint of another project, none that was deleted, and none that differs in case', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await other.endpoint({ name: 'theirs' })
    await tenant.endpoint({ name: 'gone' })
    await tenant.delete(tenant.endpoints('gone'))
    await tenant.endpoint({ name: 'mine' })
    for (const name of ['theirs', 'gone', 'MINE', 'nobody']) {
      expect(seen(await tenant.get(tenant.endpoints(name)))).toEqual(NOT_FOUND)
      expect(seen(await tenant.get(`${tenant.endpoints(name)}?version=1`))).toEqual(NOT_FOUND)
    }
  })

  describe('of one version', () => {
    let tenant: Tenant
    beforeAll(async () => {
      tenant = await createTenant()
      await tenant.endpoint({ name: 'mine' })
    })
    const version = async (text: string | number) =>
      seen(await tenant.get(`${tenant.endpoints('mine')}?version=${text}`))

    it('returns when a key last ran it', async () => {
      await wasRun(tenant, 'mine', '2026-03-09T08:00:00.250000Z')
      expect((await tenant.get(tenant.endpoints('mine'))).body.last_executed_at).toBe(
        '2026-03-09T08:00:00.250000Z',
      )
      expect((await version(1)).body.last_executed_at).toBe(null)
    })

    it.each([2, 0, -1, 999_999_999])('has no version %i', async (number) => {
      expect(await version(number)).toEqual({ status: 404, body: { error: `Version ${number} not found` } })
    })

    // version-number.test.ts has the other spellings.
    it('rejects a version that is not an integer', async () => {
      expect(await version('1e3')).toEqual({
        status: 400,
        body: {
          type: 'validation_error',
          code: 'invalid_input',
          detail: 'Must be an integer, got: 1e3',
          attr: 'version',
        },
      })
    })
  })
})
