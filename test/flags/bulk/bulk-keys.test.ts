import { describe, expect, it } from 'vitest'
import { seen } from '../../support/responses'
import { manyFlags } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const bulkKeys = async (tenant: Tenant, body: unknown) =>
  seen(await tenant.post(tenant.flags('bulk_keys'), body))
const ok = (body: unknown) => ({ status: 200, body })
const NONE_VALID = { status: 400, body: { error: 'Invalid flag IDs provided' } }

describe('POST bulk_keys', () => {
  it('gives the key of each flag, by ids or their digits', async () => {
    const tenant = await createTenant()
    const [a, b, off] = [
      await tenant.flag({ key: 'a' }),
      await tenant.flag({ key: 'b' }),
      await tenant.flag({ key: 'off', active: false, archived: true }),
    ]
    expect(await bulkKeys(tenant, { ids: [b.id, String(a.id), a.id, off.id] })).toEqual(
      ok({ keys: { [a.id]: 'a', [b.id]: 'b', [off.id]: 'off' } }),
    )
  })

  it('leaves out unknown, deleted and foreign ids', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const [mine, deleted, theirs] = [
      await tenant.flag({ key: 'mine' }),
      await tenant.flag(),
      await other.flag(),
    ]
    await tenant.patch(tenant.flags(deleted.id), { deleted: true })
    expect(await bulkKeys(tenant, { ids: [theirs.id, deleted.id, mine.id, 999_999_999, 0, -1] })).toEqual(
      ok({ keys: { [mine.id]: 'mine' } }),
    )
    expect(await bulkKeys(tenant, { ids: [theirs.id] })).toEqual(ok({ keys: {} }))
  })

  it.each([[{}], [{ ids: [] }], [{ ids: null }]])('gives nothing for %j', async (body) => {
    expect(await bulkKeys(await createTenant(), body)).toEqual(ok({ keys: {} }))
  })

  it('takes 100,000 ids, and reads the flags of the project once', async () => {
    const tenant = await createTenant()
    const [first, second] = await manyFlags(tenant, 2)
    const unknown = Array.from({ length: 99_998 }, (_, at) => 9_000_000 + at)
    const response = await tenant.post(tenant.flags('bulk_keys'), { ids: [second, ...unknown, first] })
    expect(seen(response)).toEqual(ok({ keys: { [first!]: 'many-1', [second!]: 'many-2' } }))
    expect(response.line.d1_rows_read).toBeLessThanOrEqual(20)
  })

  it('warns about invalid ids, in the notation of the reference', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    expect(await bulkKeys(tenant, { ids: [flag.id, 'invalid', "it's", 1.5, null, true, ''] })).toEqual(
      ok({
        keys: { [flag.id]: 'a' },
        warning: `Invalid flag IDs ignored: ["invalid","it's",1.5,null,true,""]`,
      }),
    )
  })

  it.each([[['invalid']], [[null, 1.5]], ['invalid'], [{ a: 1 }]])(
    'rejects %j: none of it is an id',
    async (ids) => {
      expect(await bulkKeys(await createTenant(), { ids })).toEqual(NONE_VALID)
    },
  )

  it('rejects bodies that are not an object with {error}', async () => {
    expect(await bulkKeys(await createTenant(), [1])).toEqual({
      status: 400,
      body: { error: 'Invalid data. Expected an object, but got a list.' },
    })
  })

  it('costs one round trip, and reads 3 rows a key however many flags there are', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 5_000)
    await bulkKeys(tenant, { ids: [] })
    const few = await tenant.post(tenant.flags('bulk_keys'), { ids: ids.slice(0, 10) })
    expect(few.line.d1_round_trips).toBe(1)
    expect(few.line.d1_rows_read).toBeLessThanOrEqual(30)
    const all = await tenant.post(tenant.flags('bulk_keys'), { ids })
    expect(all.body.keys).toEqual(Object.fromEntries(ids.map((id, at) => [id, `many-${at + 1}`])))
    expect(all.line.d1_round_trips).toBe(1)
    expect(all.line.d1_rows_read).toBeLessThanOrEqual(3 * ids.length)
  })
})
