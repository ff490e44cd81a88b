import { describe, expect, it } from 'vitest'
import { generationOf, markInKv } from '../../project/support'
import { seen } from '../../support/responses'
import { open, variants } from '../../support/filters'
import { experiment, storedFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const bulkDelete = async (tenant: Tenant, body: unknown) =>
  seen(await tenant.post(tenant.flags('bulk_delete'), body))

const open100 = { rollout_state: 'fully_rolled_out', active_variant: null }

const changed = (field: string, before: unknown, after: unknown) => ({
  type: 'FeatureFlag',
  action: 'changed',
  field,
  before,
  after,
})

describe('POST bulk_delete by ids', () => {
  it('deletes, and reports the state of each flag', async () => {
    const tenant = await createTenant()
    const on = await tenant.flag({ key: 'on', filters: open() })
    const off = await tenant.flag({ key: 'off', filters: { groups: [{ rollout_percentage: 0 }] } })
    expect(await bulkDelete(tenant, { ids: [on.id, String(off.id), 'x', 999_999_999] })).toEqual({
      status: 200,
      body: {
        deleted: [
          { id: on.id, key: 'on', ...open100 },
          { id: off.id, key: 'off', rollout_state: 'not_rolled_out', active_variant: null },
        ],
        errors: [
          { id: null, key: 'x', reason: 'Invalid flag ID format' },
          { id: 999_999_999, key: '', reason: 'Flag not found' },
        ],
      },
    })
  })

  it('changes of a flag what a deletion changes, and begins a version', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'gone', tags: ['a'], evaluation_contexts: ['web'] })
    tenant.clock.advance({ seconds: 1 })
    await bulkDelete(tenant, { ids: [flag.id] })
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual({
      ...flag,
      deleted: true,
      status: 'DELETED',
      version: 2,
      updated_at: '2026-03-10T12:00:01Z',
    })
  })

  it('logs one deletion of each flag, with what it changes and by its old key', async () => {
    const tenant = await createTenant()
    const [plain, linked] = [
      await tenant.flag({ key: 'plain', name: 'Plain' }),
      await tenant.flag({ key: 'linked' }),
    ]
    await experiment(tenant, linked.id)
    tenant.clock.advance({ seconds: 1 })
    await bulkDelete(tenant, { ids: [plain.id, linked.id, plain.id] })
    for (const { id, key } of [plain, linked]) {
      const { body } = await tenant.get(tenant.flags(`${id}/activity`))
      expect(body.results.map(({ activity }: { activity: string }) => activity)).toEqual([
        'deleted',
        'created',
      ])
      expect(body.results[0]).toMatchObject({
        user: { email: tenant.user.email },
        activity: 'deleted',
        scope: 'FeatureFlag',
        item_id: String(id),
        detail: {
          changes: [
            ...(id === linked.id ? [changed('key', key, `linked:deleted:${id}`)] : []),
            changed('deleted', false, true),
            changed('version', 1, 2),
          ],
          trigger: null,
          type: null,
          name: key,
          short_id: null,
        },
        created_at: '2026-03-10T12:00:01Z',
      })
    }
  })

  it('leaves earlier versions as they were', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'own', created_at: '2026-01-01T00:00:00Z' })
    await tenant.patch(tenant.flags(flag.id), { name: 'second', created_at: '2026-02-01T00:00:00Z' })
    await tenant.patch(tenant.flags(flag.id), { rollback_conditions: [] })
    await tenant.patch(tenant.flags(flag.id), { rollback_conditions: { at: 1 } })
    await bulkDelete(tenant, { ids: [flag.id] })
    const version = async (number: number) =>
      (await tenant.get(tenant.flags(`${flag.id}/versions/${number}`))).body
    const first = { name: '', created_at: '2026-01-01T00:00:00Z', rollback_conditions: null }
    const second = { name: 'second', created_at: '2026-02-01T00:00:00Z', rollback_conditions: null }
    expect(await version(1)).toMatchObject({ ...first, deleted: false, is_historical: true })
    expect(await version(2)).toMatchObject({ ...second, deleted: false, is_historical: true })
    expect(await version(3)).toMatchObject({ ...second, rollback_conditions: [], deleted: false })
    expect(await version(4)).toMatchObject({ ...second, rollback_conditions: { at: 1 }, deleted: false })
    expect(await version(5)).toMatchObject({
      deleted: true,
      is_historical: false,
      modified_by: tenant.user.id,
    })
  })

  it('frees the key of a flag that any experiment refers to, and of no other', async () => {
    const tenant = await createTenant()
    const [draft, over, removed, plain] = await Promise.all(
      ['draft', 'over', 'removed', 'plain'].map((key) => tenant.flag({ key })),
    )
    const ended = { startDate: '2026-01-01T00:00:00.000000Z', endDate: '2026-02-01T00:00:00.000000Z' }
    await experiment(tenant, draft.id)
    await experiment(tenant, over.id, ended)
    await experiment(tenant, removed.id, { startDate: ended.startDate, deleted: true })
    const { body } = await bulkDelete(tenant, { ids: [draft.id, over.id, removed.id, plain.id] })
    expect(body.deleted.map(({ key }: { key: string }) => key).sort()).toEqual([
      'draft',
      'over',
      'plain',
      'removed',
    ])
    for (const { id, key } of [draft, over, removed])
      expect(await storedFlag(id)).toMatchObject({ key: `${key}:deleted:${id}` })
    expect(await storedFlag(plain.id)).toMatchObject({ key: 'plain' })
    for (const key of ['draft', 'over', 'removed', 'plain']) await tenant.flag({ key })
  })

  it('counts each id once and takes archived flags', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'old', active: false, archived: true, filters: open() })
    expect(
      (await bulkDelete(tenant, { ids: [flag.id, String(flag.id), `0${flag.id}`, 'x', 'x'] })).body,
    ).toEqual({
      deleted: [{ id: flag.id, key: 'old', ...open100 }],
      errors: [
        { id: null, key: 'x', reason: 'Invalid flag ID format' },
        { id: null, key: 'x', reason: 'Invalid flag ID format' },
      ],
    })
  })

  it('reports an invalid id as it was sent, without an id', async () => {
    const tenant = await createTenant()
    const members = ['', ' 1', '-1', '1.0', '1e3', 1.5, null, true, [1], { id: 1 }, '１']
    expect((await bulkDelete(tenant, { ids: members })).body).toEqual({
      deleted: [],
      errors: members.map((sent) => ({
        id: null,
        key: typeof sent === 'string' ? sent : JSON.stringify(sent),
        reason: 'Invalid flag ID format',
      })),
    })
  })

  it('finds no flag for more digits than an id has, and takes none for an id that no number holds', async () => {
    const tenant = await createTenant()
    const [long, tooLong] = ['1234567890123456', '9'.repeat(400)]
    expect((await bulkDelete(tenant, { ids: [long, tooLong, 1e20] })).body).toEqual({
      deleted: [],
      errors: [
        { id: null, key: tooLong, reason: 'Invalid flag ID format' },
        { id: null, key: '100000000000000000000', reason: 'Invalid flag ID format' },
        { id: Number(long), key: '', reason: 'Flag not found' },
      ],
    })
    expect(seen(await tenant.post(tenant.flags('bulk_keys'), { ids: [long] }))).toEqual({
      status: 200,
      body: { keys: {} },
    })
  })

  it('does not distinguish missing, deleted and foreign flags', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const [theirs, deleted] = [await other.flag(), await tenant.flag()]
    await bulkDelete(tenant, { ids: [deleted.id] })
    expect((await bulkDelete(tenant, { ids: [theirs.id, deleted.id, 0, -5] })).body).toEqual({
      deleted: [],
      errors: [theirs.id, deleted.id, 0, -5].map((id) => ({ id, key: '', reason: 'Flag not found' })),
    })
    expect(await storedFlag(theirs.id)).toMatchObject({ deleted: false })
  })
})

describe('what a deleted flag was', () => {
  const targeted = { properties: [{ key: 'email', type: 'person', value: 'a@b.c' }], rollout_percentage: 100 }
  const closed = { properties: [], rollout_percentage: 0 }
  const half = { properties: [], rollout_percentage: 50 }
  const wide = { properties: [], rollout_percentage: 100 }
  const shares = (a: number, b: number) => variants({ a, b }).multivariate
  it.each([
    ['open to all', open(), 'fully_rolled_out', null],
    ['open in one of its sets', { groups: [targeted, wide] }, 'fully_rolled_out', null],
    ['without condition sets', undefined, 'not_rolled_out', null],
    ['half', { groups: [half] }, 'partial', null],
    ['targeted', { groups: [targeted] }, 'partial', null],
    ['without a share', { groups: [{ properties: [] }] }, 'partial', null],
    ['closed', { groups: [closed] }, 'not_rolled_out', null],
    [
      'closed in every set',
      { groups: [closed, { ...targeted, rollout_percentage: 0 }] },
      'not_rolled_out',
      null,
    ],
    ['closed in one set', { groups: [closed, half] }, 'partial', null],
    ['open with a variant for all', variants({ a: 0, b: 100 }), 'fully_rolled_out', 'b'],
    ['open with variants', variants({ a: 50, b: 50 }), 'partial', null],
    [
      'open with an override',
      { groups: [{ ...wide, variant: 'a' }], multivariate: shares(50, 50) },
      'fully_rolled_out',
      'a',
    ],
    ['half with a variant for all', { groups: [half], multivariate: shares(100, 0) }, 'partial', null],
    ['closed with variants', { groups: [closed], multivariate: shares(50, 50) }, 'not_rolled_out', null],
    ['boolean with no variants left', open({ multivariate: { variants: [] } }), 'fully_rolled_out', null],
  ])('is reported once for %s', async (_, filters, rollout_state, active_variant) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'x', filters })
    expect((await bulkDelete(tenant, { ids: [flag.id] })).body).toEqual({
      deleted: [{ id: flag.id, key: 'x', rollout_state, active_variant }],
      errors: [],
    })
  })

  it('is reported as an update left it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'x', filters: variants({ a: 50, b: 50 }) })
    await tenant.patch(tenant.flags(flag.id), { filters: variants({ a: 100, b: 0 }) })
    expect((await bulkDelete(tenant, { ids: [flag.id] })).body.deleted).toEqual([
      { id: flag.id, key: 'x', rollout_state: 'fully_rolled_out', active_variant: 'a' },
    ])
  })
})

describe('a body with neither or both', () => {
  const neither = 'Must provide either filters or ids'
  it.each([
    [{}, neither],
    [{ ids: [], filters: {} }, neither],
    [{ ids: null, filters: null }, neither],
    [{ ids: 'all', filters: { active: 'true' } }, 'ids must be a list'],
    [{ ids: { 0: 1 } }, 'ids must be a list'],
    [{ ids: [1], filters: [] }, 'filters must be an object'],
    [{ ids: [1], filters: 'active' }, 'filters must be an object'],
    [{ ids: [1], dry_run: true, exclude: [2] }, 'Unknown keys: dry_run, exclude'],
    [{ ids: [1], filters: { active: 'true' } }, 'Provide either filters or ids, not both'],
    [{ ids: ['x'], filters: { nonsense: 1 } }, 'Provide either filters or ids, not both'],
    [{ filters: { limit: 1, offset: 2, order: 'key', a: 1, active: true } }, 'Unknown filter keys: a, order'],
    [{ filters: { key: 'x' } }, 'Unknown filter keys: key'],
  ])('%j is refused', async (body, error) => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(await bulkDelete(tenant, body)).toEqual({ status: 400, body: { error } })
    expect(await storedFlag(flag.id)).toMatchObject({ deleted: false })
  })

  it('counts an empty one as absent beside the other', async () => {
    const tenant = await createTenant()
    const [one, two] = [await tenant.flag({ key: 'one' }), await tenant.flag({ key: 'two' })]
    expect((await bulkDelete(tenant, { ids: [one.id], filters: {} })).body.deleted).toHaveLength(1)
    expect((await bulkDelete(tenant, { ids: [], filters: { search: 'two' } })).body.deleted).toMatchObject([
      { id: two.id },
    ])
  })

  it.each([
    [{ filters: { search: 'x'.repeat(201) } }, 'Search term cannot exceed 200 characters'],
    [[1], 'Invalid data. Expected an object, but got a list.'],
    ['all', 'Invalid data. Expected an object, but got text.'],
    [{ filter: { active: 'true' } }, 'filter: Unknown field: filter. Did you mean filters?'],
  ])('is {error} for %j', async (body, error) => {
    expect(await bulkDelete(await createTenant(), body)).toEqual({ status: 400, body: { error } })
  })
})

describe('what evaluation sees of a bulk delete', () => {
  it('is published once, at the end, as one generation more for each 500 flags', async () => {
    const tenant = await createTenant()
    const flags = await Promise.all(['a', 'b', 'c'].map((key) => tenant.flag({ key })))
    const before = await generationOf(tenant)
    await bulkDelete(tenant, { ids: flags.map(({ id }) => id) })
    expect(await generationOf(tenant)).toBe(before + 1)
    expect(await markInKv(tenant)).toMatchObject({
      generation: before + 1,
      checkedAt: tenant.clock.now().getTime(),
    })
  })

  it('does not change when nothing is deleted', async () => {
    const tenant = await createTenant()
    await tenant.flag()
    const before = [await generationOf(tenant), await markInKv(tenant)]
    await bulkDelete(tenant, { ids: [999_999_999, 'x'] })
    await bulkDelete(tenant, { filters: { search: 'nothing like it' } })
    expect([await generationOf(tenant), await markInKv(tenant)]).toEqual(before)
  })
})
