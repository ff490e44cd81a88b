// Every write that evaluation can see counts the project's generation up and is published; nothing else does.
import { beforeEach, describe, expect, it } from 'vitest'
import { generationOf, markInKv, settled } from '../project/support'
import type { TestResponse } from '../support/harness'
import { dependsOn, open, where } from '../support/filters'
import { cohort, earlyAccessFeature } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { reader } from './support'

type Act = (tenant: Tenant, id: number) => Promise<TestResponse>

const patch =
  (body: (tenant: Tenant, id: number) => Record<string, unknown>): Act =>
  (tenant, id) =>
    tenant.patch(tenant.flags(id), body(tenant, id))

let tenant: Tenant
let id: number

beforeEach(async () => {
  tenant = await createTenant()
  id = (await tenant.flag({ key: 'flag', filters: open() })).id
})

/** What an edge far from the writer comes to see. */
async function seenAtTheEdge() {
  await settled(tenant)
  const { snapshot } = (await reader(tenant).load(tenant.projectId))!
  return snapshot
}

describe('a write', () => {
  it.each<[string, Act]>([
    ['create', () => tenant.post(tenant.flags(), { key: 'other' })],
    ['update of filters', patch(() => ({ filters: open({ groups: [{ rollout_percentage: 5 }] }) }))],
    ['update of the key', patch(() => ({ key: 'renamed' }))],
    ['disabling', patch(() => ({ active: false }))],
    ['update of contexts', patch(() => ({ evaluation_contexts: ['web'] }))],
    ['update of nothing', patch(() => ({}))],
    ['deletion', patch(() => ({ deleted: true }))],
    ['bulk delete', () => tenant.post(tenant.flags('bulk_delete'), { ids: [id] })],
    [
      'bulk delete by filters',
      () => tenant.post(tenant.flags('bulk_delete'), { filters: { search: 'flag' } }),
    ],
  ])('by %s counts the generation up by one, and is published', async (_, act) => {
    tenant.clock.advance({ seconds: 1 })
    expect([200, 201]).toContain((await act(tenant, id)).status)
    expect(await generationOf(tenant)).toBe(2)
    expect(await markInKv(tenant)).toMatchObject({
      generation: 2,
      checkedAt: tenant.clock.now().getTime(),
    })
    const { results } = (await tenant.get(`${tenant.flags()}?order=id`)).body
    const { flags, generation } = await seenAtTheEdge()
    expect(generation).toBe(2)
    const brief = (flag: { id: number; key: string; active: boolean; version?: number | null }) => [
      flag.id,
      flag.key,
      flag.active,
      flag.version,
    ]
    expect(flags.map(brief)).toEqual(results.map(brief))
  })

  it('by restoring counts the generation up too', async () => {
    await tenant.patch(tenant.flags(id), { deleted: true })
    expect((await seenAtTheEdge()).flags).toEqual([])
    await tenant.patch(tenant.flags(id), { deleted: false })
    expect(await generationOf(tenant)).toBe(3)
    expect((await seenAtTheEdge()).flags).toMatchObject([{ key: 'flag' }])
  })

  it.each<[string, number, Act]>([
    ['a key that is taken', 400, () => tenant.post(tenant.flags(), { key: 'flag' })],
    ['a key that is none', 400, () => tenant.post(tenant.flags(), { key: 'not a key' })],
    ['filters that are none', 400, patch(() => ({ filters: { groups: 'x' } }))],
    ['a flag that looks at itself', 400, patch((_, self) => ({ filters: where(dependsOn(String(self))) }))],
    ['an archived flag that is enabled', 400, patch(() => ({ archived: true }))],
    ['a flag that is not there', 404, () => tenant.patch(tenant.flags(999_999_999), { name: 'x' })],
    ['DELETE', 405, () => tenant.delete(tenant.flags(id))],
    ['a bulk delete of nothing', 400, () => tenant.post(tenant.flags('bulk_delete'), { ids: [] })],
    [
      'a bulk delete of what is not there',
      200,
      () => tenant.post(tenant.flags('bulk_delete'), { ids: [999_999_999] }),
    ],
    ['a read', 200, () => tenant.get(tenant.flags(id))],
  ])('that is refused or that evaluation cannot see changes nothing: %s', async (_, status, act) => {
    const before = await markInKv(tenant)
    tenant.clock.advance({ seconds: 1 })
    expect((await act(tenant, id)).status).toBe(status)
    expect(await generationOf(tenant)).toBe(1)
    expect(await markInKv(tenant)).toEqual(before)
  })

  it('that conflicts or is blocked changes nothing', async () => {
    const read = (await tenant.get(tenant.flags(id))).body
    await tenant.patch(tenant.flags(id), { name: 'theirs' })
    const conflict = await tenant.patch(tenant.flags(id), { name: 'mine', version: 1, original_flag: read })
    expect(conflict.status).toBe(409)
    await earlyAccessFeature(tenant, id)
    expect((await tenant.patch(tenant.flags(id), { deleted: true })).status).toBe(400)
    expect((await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })).body.errors).toHaveLength(1)
    expect(await generationOf(tenant)).toBe(2)
  })

  it('in another project changes nothing here', async () => {
    const other = await createTenant()
    await other.flag()
    expect(await generationOf(tenant)).toBe(1)
    expect(await generationOf(other)).toBe(1)
  })

  it('by many concurrent callers increments the generation, and ends with the newest published', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `name ${at}`)
    await Promise.all(names.map((name) => tenant.patch(tenant.flags(id), { name })))
    const generation = await generationOf(tenant)
    expect(generation).toBeGreaterThan(1)
    expect(generation).toBeLessThanOrEqual(13)
    expect(await markInKv(tenant)).toMatchObject({ generation })
    const stored = (await tenant.get(tenant.flags(id))).body
    expect((await seenAtTheEdge()).flags).toMatchObject([{ name: stored.name, version: 13 }])
  })
})

describe('a snapshot', () => {
  it('holds what evaluation can see, and no more', async () => {
    const other = await createTenant()
    await other.flag({ key: 'theirs' })
    await cohort(other)
    const cohortId = await cohort(tenant)
    const gone = await tenant.flag({ key: 'gone' })
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    await tenant.patch(tenant.flags(id), {
      active: false,
      archived: true,
      evaluation_contexts: ['web', 'app'],
    })
    expect(await seenAtTheEdge()).toMatchObject({
      project_id: tenant.projectId,
      generation: 5,
      timezone: 'UTC',
      group_type_mapping: {},
      property_matching_version: 1,
      cohorts: [{ id: cohortId, is_static: false }],
    })
    expect((await seenAtTheEdge()).flags).toEqual([
      expect.objectContaining({
        id,
        key: 'flag',
        name: '',
        active: false,
        archived: true,
        deleted: false,
        version: 2,
        filters: expect.objectContaining({ groups: [expect.objectContaining({ rollout_percentage: 100 })] }),
        ensure_experience_continuity: false,
        evaluation_runtime: 'all',
        bucketing_identifier: 'distinct_id',
        evaluation_contexts: ['app', 'web'],
        has_encrypted_payloads: false,
        has_experiment: false,
      }),
    ])
  })
})
