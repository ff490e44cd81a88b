// A bulk delete by filters takes exactly what the list shows for them (reference/flags-api.md §2, §12.1).
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { featureFlags } from '../../../drizzle'
import { dependsOn, open, variants, where } from '../../support/filters'
import { earlyAccessFeature, experiment, manyFlags, overwriteFlag } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

/** Flags that differ in everything that filters look at. */
async function zoo() {
  const made = await createTenant()
  const make = (key: string, body: Json = {}) => made.flag({ key, ...body })
  await make('plain', { name: 'Web analytics' })
  await make('web-analytics', { tags: ['core', 'web'], evaluation_runtime: 'client' })
  await make('off', { active: false, tags: ['core'] })
  await make('shelved', { active: false, archived: true })
  await make('multi', { filters: variants({ a: 50, b: 50 }), evaluation_contexts: ['web'] })
  await make('remote', {
    is_remote_configuration: true,
    filters: open({ payloads: { true: '1' } }),
    evaluation_runtime: 'server',
  })
  const tried = await make('tried')
  await experiment(made, tried.id, { name: 'Big trial' })
  await make('old', { last_called_at: '2026-01-01T00:00:00Z' })
  const foreign = await make('foreign')
  await overwriteFlag(foreign.id, { createdById: 424_242 })
  return made
}

let animals: Tenant
let all: Pick<typeof featureFlags.$inferSelect, 'id' | 'key'>[]

beforeAll(async () => {
  animals = await zoo()
  all = await database()
    .select({ id: featureFlags.id, key: featureFlags.key })
    .from(featureFlags)
    .where(eq(featureFlags.projectId, animals.projectId))
})

/** Everything is as it was made. */
const restoreAll = () => Promise.all(all.map(({ id, key }) => overwriteFlag(id, { key, deleted: false })))

const keysOf = (flags: { key: string }[]) => flags.map(({ key }) => key).sort()

async function listed(tenant: Tenant, filters: Json) {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  return keysOf((await tenant.get(`${tenant.flags()}?${query}`)).body.results)
}

const bulkDelete = (tenant: Tenant, filters: Json) => tenant.post(tenant.flags('bulk_delete'), { filters })

const everybody = ['foreign', 'multi', 'off', 'old', 'plain', 'remote', 'tried', 'web-analytics']

describe('POST bulk_delete by filters', () => {
  it.each<[Json, string[]]>([
    [{ active: 'false' }, ['off']],
    [{ active: false }, ['off']],
    [{ active: 'nonsense' }, ['off']],
    [{ active: true }, everybody.filter((key) => key !== 'off')],
    [{ active: 'STALE' }, ['old']],
    [{ archived: true }, ['shelved']],
    [{ archived: 'true' }, ['shelved']],
    [{ archived: 'no' }, everybody],
    [{ created_by_id: 424_242 }, ['foreign']],
    [{ created_by_id: '424242,x' }, ['foreign']],
    [{ created_by_id: [424_242, 'x'] }, ['foreign']],
    [{ evaluation_runtime: 'client' }, ['web-analytics']],
    [{ evaluation_runtime: 'none' }, []],
    [{ excluded_properties: everybody.slice(1) }, ['foreign']],
    [{ excluded_properties: JSON.stringify(everybody.slice(1)) }, ['foreign']],
    [{ tags: ['core'], excluded_tags: '["web"]' }, ['off']],
    [{ tags: '["web"]' }, ['web-analytics']],
    [{ has_evaluation_contexts: true }, ['multi']],
    [{ search: 'web ana' }, ['plain', 'web-analytics']],
    [{ search: 'BIG TRIAL' }, ['tried']],
    [{ type: 'multivariant' }, ['multi']],
    [{ type: 'experiment' }, ['tried']],
    [{ type: 'remote_config' }, ['remote']],
    [{ type: 'boolean', active: true, search: 'o' }, ['foreign', 'old', 'remote']],
    // Whatever cannot be read is no filter at all.
    [{ search: '' }, everybody],
    [{ search: '   ' }, everybody],
    [{ tags: 'core' }, everybody],
    [{ tags: [] }, everybody],
    [{ type: 'nonsense' }, everybody],
    [{ created_by_id: 'abc' }, everybody],
  ])('%j takes what the list shows', async (filters, keys) => {
    await restoreAll()
    expect(await listed(animals, filters)).toEqual(keys)
    const { status, body } = await bulkDelete(animals, filters)
    expect(status).toBe(200)
    expect(body.errors).toEqual([])
    expect(keysOf(body.deleted)).toEqual(keys)
    const left = [...(await listed(animals, {})), ...(await listed(animals, { archived: true }))].sort()
    expect(left).toEqual(keysOf(all).filter((key) => !keys.includes(key)))
  })

  it('never takes flags of another project', async () => {
    const [mine, other] = [await createTenant(), await createTenant()]
    await other.flag({ key: 'theirs' })
    expect((await bulkDelete(mine, { search: '' })).body).toEqual({ deleted: [], errors: [] })
    expect(await listed(other, {})).toEqual(['theirs'])
  })

  it('rejects some of the selected flags, those with unselected dependents among them', async () => {
    const mine = await createTenant()
    const [kept, base, gone] = [
      await mine.flag({ key: 'x-kept' }),
      await mine.flag({ key: 'x-base' }),
      await mine.flag({ key: 'x-gone' }),
    ]
    await earlyAccessFeature(mine, kept.id)
    const top = await mine.flag({ key: 'top', filters: where(dependsOn(String(base.id))) })
    expect((await bulkDelete(mine, { search: 'x-' })).body).toEqual({
      deleted: [{ id: gone.id, key: 'x-gone', rollout_state: 'fully_rolled_out', active_variant: null }],
      errors: [
        {
          id: kept.id,
          key: 'x-kept',
          reason: 'Cannot delete a feature flag that is in use with early access features',
        },
        {
          id: base.id,
          key: 'x-base',
          reason: `Cannot delete because other flags depend on it: top (ID: ${top.id})`,
        },
      ],
    })
  })

  it('takes thousands', async () => {
    const mine = await createTenant()
    const ids = await manyFlags(mine, 3_000)
    const response = await bulkDelete(mine, { search: 'many' })
    expect(response.body.deleted).toHaveLength(ids.length)
    expect(response.line.d1_round_trips).toBeLessThanOrEqual(6 + ids.length / 500)
    expect(await listed(mine, {})).toEqual([])
  })
})
