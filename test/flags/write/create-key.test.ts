import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { earlyAccessFeature, experiment, storedFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const TAKEN = refused('key', 'There is already a feature flag with this key.', 'unique')
const BAD_CHARSET = refused(
  'key',
  'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
  'invalid_key',
)

const create = async (tenant: Tenant, key?: unknown) =>
  seen(await tenant.post(tenant.flags(), { key, _should_create_usage_dashboard: false }))

/** A flag that was deleted, its key kept. */
async function deletedFlag(tenant: Tenant, key: string): Promise<{ id: number }> {
  const flag = await tenant.flag({ key })
  await tenant.patch(tenant.flags(flag.id), { deleted: true })
  return flag
}

describe('the key of a new flag', () => {
  let empty: Tenant
  beforeAll(async () => {
    empty = await createTenant()
  })

  it.each([
    [undefined, 'This field is required.', 'required'],
    [null, 'This field may not be null.', 'null'],
    ['', 'This field may not be blank.', 'blank'],
    ['   ', 'This field may not be blank.', 'blank'],
    [['a'], 'Not a valid string.', 'invalid_input'],
    [true, 'Not a valid string.', 'invalid_input'],
    ['k'.repeat(401), 'Ensure this field has no more than 400 characters.', 'max_length'],
  ])('is not %j', async (key, detail, code) => {
    expect(await create(empty, key)).toEqual(refused('key', detail, code))
  })

  it.each(['foo.bar', 'foo/bar', 'foo bar', 'foo?x', 'naïve', 'a\nb', 'a:b', '😀'])(
    'is not %j',
    async (key) => {
      expect(await create(empty, key)).toEqual(BAD_CHARSET)
    },
  )

  it.each([
    ['a', 'a'],
    ['A-z_0-9', 'A-z_0-9'],
    ['-', '-'],
    ['  padded\n', 'padded'],
    [42, '42'],
    ['k'.repeat(400), 'k'.repeat(400)],
    [`  ${'k'.repeat(400)}  `, 'k'.repeat(400)],
  ])('may be %j', async (sent, key) => {
    expect(await create(await createTenant(), sent)).toMatchObject({ status: 201, body: { key } })
  })

  it('is unique among the live flags of a project', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout' })
    expect(await create(tenant, 'checkout')).toEqual(TAKEN)
    expect(await create(tenant, ' checkout ')).toEqual(TAKEN)
    expect(await create(tenant, 'Checkout')).toMatchObject({ status: 201 })
    expect(await create(await createTenant(), 'checkout')).toMatchObject({ status: 201 })
  })

  it('is reported before errors of later fields', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags(), { key: 'foo bar', active: 'maybe', filters: 'x' })
    expect(seen(response)).toEqual(BAD_CHARSET)
  })

  it('goes to one of two flags that are created concurrently', async () => {
    const tenant = await createTenant()
    const responses = await Promise.all([create(tenant, 'checkout'), create(tenant, 'checkout')])
    const [won, lost] = responses.sort((a, b) => a.status - b.status)
    expect(won).toMatchObject({ status: 201, body: { key: 'checkout', version: 1 } })
    expect(lost).toEqual(TAKEN)
    expect((await tenant.get(tenant.flags())).body).toMatchObject({ count: 1, results: [won!.body] })
    expect((await tenant.get(tenant.flags('activity'))).body.total_count).toBe(1)
  })
})

describe('the key of a deleted flag', () => {
  it('can be used again: the deleted flag is removed permanently', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    const response = await create(tenant, 'checkout')
    expect(response).toMatchObject({ status: 201, body: { key: 'checkout', deleted: false, version: 1 } })
    expect(response.body.id).not.toBe(old.id)
    expect(await storedFlag(old.id)).toBeUndefined()
    expect(await tenant.get(tenant.flags(old.id))).toMatchObject({ status: 404 })
  })

  it('is not given to another deleted flag', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    const other = await deletedFlag(tenant, 'search')
    const taken = refused('key', 'There is already a feature flag with this key.', 'unique')
    const renamed = await tenant.patch(tenant.flags(other.id), { key: 'checkout' })
    const created = await tenant.post(tenant.flags(), { key: 'checkout', deleted: true })
    expect([seen(renamed), seen(created)]).toEqual([taken, taken])
    expect(await storedFlag(old.id)).toBeDefined()
  })

  it('can be used again when a deleted experiment refers to it: the deleted flag gets another', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    await experiment(tenant, old.id, { deleted: true })
    expect(await create(tenant, 'checkout')).toMatchObject({ status: 201, body: { key: 'checkout' } })
    expect((await tenant.get(tenant.flags(old.id))).body).toMatchObject({
      key: `checkout:deleted:${old.id}`,
      deleted: true,
    })
  })

  it('stays with it while an experiment refers to it', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    const id = await experiment(tenant, old.id, { name: 'Blue button' })
    expect(await create(tenant, 'checkout')).toEqual(
      refused(
        null,
        `Cannot reuse key 'checkout': a soft-deleted flag with this key is still referenced by experiment "Blue button" (ID: ${id}). ` +
          'Please contact support.',
      ),
    )
    expect(await storedFlag(old.id)).toMatchObject({ key: 'checkout', deleted: true })
  })

  it('is reported when the fields are valid', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    await experiment(tenant, old.id, { name: 'Blue button' })
    const other = await tenant.flag()
    const broken = { key: 'checkout', filters: { groups: [], early_exit: 'x' } }
    const refusal = refused('filters', 'early_exit must be a boolean or null, got text')
    expect(seen(await tenant.patch(tenant.flags(other.id), broken))).toEqual(refusal)
    const sets = { groups: [{}], early_exit: 'x' }
    expect(seen(await tenant.post(tenant.flags(), { ...broken, filters: sets }))).toEqual(refusal)
  })

  it('stays with it while an early-access feature refers to it', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    const id = await earlyAccessFeature(tenant, old.id, 'Dark mode')
    expect(await create(tenant, 'checkout')).toEqual(
      refused(
        null,
        `Cannot reuse key 'checkout': a soft-deleted flag with this key is still referenced by early access feature "Dark mode" (ID: ${id}). ` +
          'Please contact support.',
      ),
    )
  })

  it('is left alone when the new flag is rejected for another reason', async () => {
    const tenant = await createTenant()
    const old = await deletedFlag(tenant, 'checkout')
    const response = await tenant.post(tenant.flags(), { key: 'checkout', active: true, archived: true })
    expect(response.status).toBe(400)
    expect(await storedFlag(old.id)).toMatchObject({ key: 'checkout', deleted: true })
  })
})
