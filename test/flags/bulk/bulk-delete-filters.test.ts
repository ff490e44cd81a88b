// A bulk delete by filters takes exactly what the list shows for them.
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
    [{ active: 'no' }, ['off']],
    [{ active: true }, everybody.filter((key) => key !== 'off')],
    [{ active: 'STALE' }, ['old']],
    [{ archived: true }, ['shelved']],
    [{ archived: 'true' }, ['shelved']],
    [{ created_by_id: 424_242 }, ['foreign']],
    [{ created_by_id: '424242, 5' }, ['foreign']],
    [{ created_by_id: [424_242, '5'] }, ['foreign']],
    [{ evaluation_runtime: 'client' }, ['web-analytics']],
    [{ excluded_properties: everybody.slice(1) }, ['foreign']],
    [{ excluded_properties: JSON.stringify(everybody.slice(1)) }, ['foreign']],
    [{ tags: ['core'], excluded_tags: '["web"]' }, ['off']],
    [{ tags: ['Core '], excluded_tags: ['WEB'] }, ['off']],
    [{ tags: '["web"]' }, ['web-analytics']],
    [{ tags: 'web' }, ['web-analytics']],
    [{ tags: 'Web,none' }, ['web-analytics']],
    [{ excluded_tags: 'CORE', type: 'boolean', search: 'web' }, ['plain']],
    [{ active: 'false', archived: false }, ['off']],
    [{ search: 'o', excluded_properties: ['off', 'old'], excluded_tags: 'web' }, ['foreign', 'remote']],
    [{ has_evaluation_contexts: true }, ['multi']],
    [{ search: 'web ana' }, ['plain', 'web-analytics']],
    [{ search: 'BIG TRIAL' }, ['tried']],
    [{ type: 'multivariant' }, ['multi']],
    [{ type: 'experiment' }, ['tried']],
    [{ type: 'remote_config' }, ['remote']],
    [{ type: 'boolean', active: true, search: 'o' }, ['foreign', 'old', 'remote']],
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

  it.each<[Json, string]>([
    [
      { active: 'nonsense' },
      'filters.active: "nonsense" is not a valid choice. Valid choices: STALE, false, true.',
    ],
    [{ active: null }, 'filters.active: "null" is not a valid choice. Valid choices: STALE, false, true.'],
    [{ archived: 'maybe' }, 'filters.archived: "maybe" is not a valid choice. Valid choices: false, true.'],
    [
      { type: 'multivariate' },
      'filters.type: "multivariate" is not a valid choice. Did you mean multivariant? Valid choices: boolean, experiment, multivariant, remote_config.',
    ],
    [{ type: ['boolean'] }, /^filters\.type: /],
    [{ evaluation_runtime: 'none' }, /^filters\.evaluation_runtime: /],
    [{ has_evaluation_contexts: {} }, /^filters\.has_evaluation_contexts: /],
    [
      { created_by_id: 'ada@example.com' },
      'filters.created_by_id: Must be ids of users. Not an id: ada@example.com.',
    ],
    [{ created_by_id: [1, 'x'] }, 'filters.created_by_id: Must be ids of users. Not an id: x.'],
    [{ created_by_id: true }, /^filters\.created_by_id: /],
    [{ tags: null }, /^filters\.tags: /],
    [{ tags: { name: 'core' } }, /^filters\.tags: /],
    [{ tags: ['core', 5] }, 'filters.tags: Each member must be text that is not blank. Got: 5.'],
    [{ tags: '["core"' }, /^filters\.tags: /],
    [{ excluded_tags: [' '] }, /^filters\.excluded_tags: /],
    [{ excluded_properties: 7 }, /^filters\.excluded_properties: /],
    [{ search: ['core'] }, 'filters.search: Must be text. Got: ["core"].'],
    [{ active: false, limit: 'ten' }, 'filters.limit: Must be a number from 1.'],
    [{ active: false, limit: 0 }, 'filters.limit: Must be a number from 1.'],
    [{ active: false, limit: null }, 'filters.limit: Must be a number from 1.'],
    [{ active: false, offset: -1 }, 'filters.offset: Must be a number from 0.'],
    [{ active: false, order: 'key' }, 'Unknown filter keys: order'],
    [
      { active: false, exclude_tags: ['core'] },
      'Unknown filter keys: exclude_tags. Did you mean excluded_tags?',
    ],
    [{ active: false, tags: [] }, 'filters.tags: Is empty, and selects every flag. Leave it out.'],
    [{ active: false, created_by_id: '[]' }, /^filters\.created_by_id: Is empty/],
    [{ active: false, search: ' ' }, /^filters\.search: Is empty/],
    [{ active: false, excluded_tags: [] }, /^filters\.excluded_tags: Is empty/],
    [{ active: false, excluded_properties: '[]' }, /^filters\.excluded_properties: Is empty/],
    [
      { active: false, excluded_tags: ['web', 'cor'] },
      'filters.excluded_tags: These exclude no flag: cor. Did you mean core?',
    ],
    [
      { search: 'web', excluded_properties: 'web_analytics' },
      'filters.excluded_properties: These exclude no flag: web_analytics. Did you mean web-analytics?',
    ],
    // Of a flag that the selection cannot have.
    [{ type: 'boolean', excluded_properties: 'shelved' }, /^filters\.excluded_properties: .* shelved\.$/],
    [{ archived: true, excluded_tags: 'core' }, /^filters\.excluded_tags: .* core\.$/],
  ] as [Json, string][])(
    'rejects %j: a value that cannot be read deletes nothing',
    async (filters, error) => {
      await restoreAll()
      const { status, body } = await bulkDelete(animals, filters)
      expect([status, body]).toEqual([
        400,
        { error: typeof error === 'string' ? error : expect.stringMatching(error) },
      ])
      expect(await listed(animals, {})).toEqual(everybody)
    },
  )

  it.each<Json>([
    { search: '' },
    { search: '  ' },
    { tags: [] },
    { tags: '[]' },
    { excluded_tags: [] },
    { excluded_properties: '[]' },
    { created_by_id: [] },
    { archived: false },
    { archived: 'no', search: ' ', tags: [] },
    { limit: 5 },
    { limit: 5, offset: 1, archived: 'false' },
  ])('rejects %j, which selects every flag', async (filters) => {
    await restoreAll()
    const { status, body } = await bulkDelete(animals, filters)
    expect([status, body]).toEqual([
      400,
      {
        error: `These filters select every flag that is not archived: ${Object.keys(filters).join(', ')}. Send one that narrows, or ids.`,
      },
    ])
    expect(await listed(animals, {})).toEqual(everybody)
  })

  it.each<[Json, string]>([
    [{ excluded_tags: 'cor' }, 'excluded_tags: These exclude no flag: cor. Did you mean core?'],
    [
      { excluded_tags: ['nothing', 'unknown'], archived: false },
      'excluded_tags: These exclude no flag: nothing, unknown.',
    ],
    [
      { excluded_properties: 'web-analytic', limit: 5 },
      'excluded_properties: These exclude no flag: web-analytic. Did you mean web-analytics?',
    ],
  ])('rejects %j, which excludes no flag', async (filters, error) => {
    await restoreAll()
    const { status, body } = await bulkDelete(animals, filters)
    expect([status, body]).toEqual([400, { error: `filters.${error}` }])
    expect(await listed(animals, {})).toEqual(everybody)
  })

  it('takes a page of the list with limit and offset', async () => {
    const mine = await createTenant()
    for (const key of ['x1', 'x2', 'x3', 'x4', 'y']) await mine.flag({ key })
    const page = await mine.get(`${mine.flags()}?search=x&limit=2&offset=1`)
    const { body } = await bulkDelete(mine, { search: 'x', limit: '2', offset: 1 })
    expect(keysOf(body.deleted)).toEqual(keysOf(page.body.results))
    expect(await listed(mine, {})).toEqual(['x1', 'x4', 'y'])
    expect(keysOf((await bulkDelete(mine, { search: 'x', offset: 1 })).body.deleted)).toEqual(['x1'])
    expect(keysOf((await bulkDelete(mine, { search: 'x', limit: 1 })).body.deleted)).toEqual(['x4'])
    expect((await bulkDelete(mine, { search: 'x', limit: 1 })).body).toEqual({ deleted: [], errors: [] })
  })

  it('never takes flags of another project', async () => {
    const [mine, other] = [await createTenant(), await createTenant()]
    await other.flag({ key: 'theirs' })
    expect((await bulkDelete(mine, { search: 'theirs' })).body).toEqual({ deleted: [], errors: [] })
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
      deleted: [{ id: gone.id, key: 'x-gone', rollout_state: 'not_rolled_out', active_variant: null }],
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
