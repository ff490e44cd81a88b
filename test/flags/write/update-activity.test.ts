import { describe, expect, it } from 'vitest'
import { open, where, property } from '../../support/filters'
import { dashboard, experiment, overwriteFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const change = (field: string, before: unknown, after: unknown, action = 'changed') => ({
  type: 'FeatureFlag',
  action,
  field,
  before,
  after,
})
const version = (after: number) => change('version', after - 1, after)

/** An entry as it is shown. */
const entry = (
  tenant: Tenant,
  { id, key }: { id: number; key: string },
  activity: string,
  changes: unknown[],
) => ({
  id: expect.any(String),
  user: { first_name: 'Ada', email: tenant.user.email },
  was_impersonated: false,
  activity,
  scope: 'FeatureFlag',
  item_id: String(id),
  detail: { id: String(id), changes, trigger: null, type: null, name: key, short_id: null, merge: null },
  created_at: '2026-03-10T12:00:00Z',
})

/** Updates a flag and returns what the log says of it, oldest first, without its creation. */
async function logOf(tenant: Tenant, id: number, ...bodies: Json[]) {
  for (const body of bodies) {
    const response = await tenant.patch(tenant.flags(id), body)
    if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  }
  const { results } = (await tenant.get(`${tenant.flags(`${id}/activity`)}?limit=100`)).body
  return results.toReversed().slice(1)
}

describe('the activity log of an update', () => {
  it('has the version even when nothing else changes', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ name: 'a' })
    expect(await logOf(tenant, flag.id, {}, { name: 'a', active: true, filters: {} })).toEqual([
      entry(tenant, flag, 'updated', [version(2)]),
      entry(tenant, flag, 'updated', [version(3)]),
    ])
  })

  it('has every tracked field in the order of the fields, under the new key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'old', name: 'Old', filters: open() })
    const log = await logOf(tenant, flag.id, {
      last_called_at: '2026-03-01T00:00:00Z',
      bucketing_identifier: 'device_id',
      evaluation_runtime: 'server',
      has_encrypted_payloads: true,
      is_remote_configuration: true,
      has_enriched_analytics: true,
      performed_rollback: true,
      rollback_conditions: [1],
      archived: true,
      active: false,
      filters: { groups: [{ properties: [], rollout_percentage: 5 }], payloads: { true: '1' } },
      name: 'New',
      key: 'new',
    })
    expect(log).toEqual([
      entry(tenant, { id: flag.id, key: 'new' }, 'updated', [
        change('key', 'old', 'new'),
        change('name', 'Old', 'New'),
        change('filters', flag.filters, {
          groups: [{ properties: [], rollout_percentage: 5, aggregation_group_type_index: null }],
          payloads: { true: expect.stringMatching(/^enc:test:/) },
          aggregation_group_type_index: null,
        }),
        change('active', true, false),
        change('archived', false, true),
        version(2),
        change('rollback_conditions', null, [1], 'created'),
        change('performed_rollback', null, true, 'created'),
        change('has_enriched_analytics', false, true),
        change('is_remote_configuration', false, true),
        change('has_encrypted_payloads', false, true),
        change('evaluation_runtime', 'all', 'server'),
        change('bucketing_identifier', 'distinct_id', 'device_id'),
        change('last_called_at', null, '2026-03-01T00:00:00Z', 'created'),
      ]),
    ])
  })

  it('lists added, removed and changed values', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const log = await logOf(
      tenant,
      flag.id,
      { name: 'a', rollback_conditions: [1], ensure_experience_continuity: null },
      { name: 'b', rollback_conditions: [], ensure_experience_continuity: false },
      { name: '', rollback_conditions: {}, performed_rollback: false },
    )
    expect(log).toEqual([
      entry(tenant, flag, 'updated', [
        change('name', null, 'a', 'created'),
        version(2),
        change('rollback_conditions', null, [1], 'created'),
        change('ensure_experience_continuity', false, null, 'deleted'),
      ]),
      entry(tenant, flag, 'updated', [
        change('name', 'a', 'b'),
        version(3),
        change('rollback_conditions', [1], [], 'deleted'),
        change('ensure_experience_continuity', null, false, 'created'),
      ]),
      entry(tenant, flag, 'updated', [
        change('name', 'b', null, 'deleted'),
        version(4),
        change('rollback_conditions', [], {}),
        change('performed_rollback', null, false, 'created'),
      ]),
    ])
  })

  it('has whole filters, as they are stored', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ filters: where(property({ operator: 'min', value: '1' })) })
    const [stored] = flag.filters.groups
    const log = await logOf(
      tenant,
      flag.id,
      { filters: where(property({ operator: 'gte', value: '1' })) },
      { filters: where(property({ operator: 'max', value: '2' })) },
    )
    expect(log).toEqual([
      entry(tenant, flag, 'updated', [version(2)]),
      entry(tenant, flag, 'updated', [
        change('filters', flag.filters, {
          ...flag.filters,
          groups: [{ ...stored, properties: [property({ operator: 'lte', value: '2' })] }],
        }),
        version(3),
      ]),
    ])
  })

  it('has the removal of legacy parts', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await overwriteFlag(flag.id, { filters: { groups: [], super_groups: [1] } })
    expect(await logOf(tenant, flag.id, {})).toEqual([
      entry(tenant, flag, 'updated', [
        change('filters', { groups: [], super_groups: [1] }, { groups: [] }),
        version(2),
      ]),
    ])
  })

  it('has deleted and restored, with the change itself', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(await logOf(tenant, flag.id, { deleted: true }, { name: 'x' }, { deleted: false })).toEqual([
      entry(tenant, flag, 'deleted', [change('deleted', false, true), version(2)]),
      entry(tenant, flag, 'updated', [change('name', null, 'x', 'created'), version(3)]),
      entry(tenant, flag, 'restored', [change('deleted', true, false), version(4)]),
    ])
  })

  it('has the key that is set aside with a deletion', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id)
    const aside = `checkout:deleted:${flag.id}`
    expect(await logOf(tenant, flag.id, { deleted: true }, { deleted: false })).toEqual([
      entry(tenant, { id: flag.id, key: aside }, 'deleted', [
        change('key', 'checkout', aside),
        change('deleted', false, true),
        version(2),
      ]),
      entry(tenant, flag, 'restored', [
        change('key', aside, 'checkout'),
        change('deleted', true, false),
        version(3),
      ]),
    ])
  })

  it('has evaluation contexts in an entry of their own, when they change', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const log = await logOf(
      tenant,
      flag.id,
      { evaluation_contexts: ['web', 'api'] },
      { evaluation_contexts: ['API', 'web'] },
      { evaluation_contexts: [], name: 'x' },
    )
    expect(log).toEqual([
      entry(tenant, flag, 'updated', [version(2)]),
      entry(tenant, flag, 'updated', [change('evaluation_contexts', [], ['api', 'web'])]),
      entry(tenant, flag, 'updated', [version(3)]),
      entry(tenant, flag, 'updated', [change('name', null, 'x', 'created'), version(4)]),
      entry(tenant, flag, 'updated', [change('evaluation_contexts', ['api', 'web'], [])]),
    ])
  })

  it('has the tags before and after, and who changed them', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const log = await logOf(
      tenant,
      flag.id,
      { tags: ['B', 'a '] },
      { tags: ['a', 'b'] },
      { tags: ['c', 'a'], name: 'x' },
      { tags: null },
      { tags: [] },
    )
    expect(log).toEqual([
      entry(tenant, flag, 'updated', [version(2), change('tags', null, ['a', 'b'], 'created')]),
      entry(tenant, flag, 'updated', [version(3)]),
      entry(tenant, flag, 'updated', [
        change('name', null, 'x', 'created'),
        version(4),
        change('tags', ['a', 'b'], ['a', 'c']),
      ]),
      entry(tenant, flag, 'updated', [version(5)]),
      entry(tenant, flag, 'updated', [version(6), change('tags', ['a', 'c'], null, 'deleted')]),
    ])
    const { body } = await tenant.get(tenant.flags(`${flag.id}/versions/3`))
    expect(body).toMatchObject({ version: 3, name: '' })
  })

  it('has the time of creation, and no dashboards', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const log = await logOf(tenant, flag.id, {
      analytics_dashboards: [await dashboard(tenant)],
      created_at: '2026-01-01T00:00:00Z',
    })
    const moved = change('created_at', flag.created_at, '2026-01-01T00:00:00Z')
    expect(log).toEqual([entry(tenant, flag, 'updated', [version(2), moved])])
  })

  it('does not have an update that was rejected', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    for (const body of [{ archived: true }, { key: 'a b' }, { evaluation_contexts: [5] }]) {
      expect(await tenant.patch(tenant.flags(flag.id), body)).toMatchObject({ status: 400 })
    }
    expect(await logOf(tenant, flag.id)).toEqual([])
  })
})
