import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { reader } from '../../snapshots/support'
import { createTenant, type Tenant } from '../../support/tenant'

const payload = (bytes: number) => ({
  groups: [{ properties: [] }],
  payloads: { true: JSON.stringify('é"\n,[]{}'.repeat(bytes / 10)) },
})
const listOf = (value: readonly unknown[]) => ({
  groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'exact', value }] }],
})

/** The memory of a project without definitions. */
const EMPTY = 2_000

/** What triggers count for writes, and what the snapshot of the project weighs in the cache. */
async function bytesOf(tenant: Tenant): Promise<{ counted: number; cached: number }> {
  const row = await env.DB.prepare('SELECT definition_bytes AS counted FROM projects WHERE id = ?')
    .bind(tenant.projectId)
    .first<{ counted: number }>()
  const edge = reader(tenant)
  await edge.load(tenant.projectId)
  return { counted: row!.counted, cached: edge.cache.snapshots.weight - EMPTY }
}

async function expectEqual(tenant: Tenant, step: unknown): Promise<number> {
  const { counted, cached } = await bytesOf(tenant)
  expect(counted, JSON.stringify(step).slice(0, 200)).toBe(cached)
  return counted
}

it('counts what the cache counts, through every kind of write of a flag', async () => {
  const tenant = await createTenant()
  const { id } = await tenant.flag({ key: 'one', name: 'Première', evaluation_contexts: ['web', 'büro'] })
  const steps: object[] = [
    { name: 'Größer "als" zuvor' },
    { filters: payload(5_000) },
    { filters: listOf(['a', 'é', 'c']) },
    { filters: listOf(['abcdefé']) },
    { filters: listOf(Array.from({ length: 1_000 }, String)) },
    { evaluation_contexts: ['web', 'app', 'a-longer-one'] },
    { deleted: true },
    { name: 'while deleted', evaluation_contexts: ['app'] },
    { deleted: false, name: 'restored', filters: payload(3_000), evaluation_contexts: ['x', 'y'] },
    { deleted: true, name: 'deleted again', filters: payload(10), evaluation_contexts: [] },
    { deleted: false },
  ]
  for (const step of steps) {
    expect((await tenant.patch(tenant.flags(id), step)).status, JSON.stringify(step)).toBe(200)
    await expectEqual(tenant, step)
  }
  await tenant.flag({ key: 'two', evaluation_contexts: ['web'] })
  await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
  expect(await expectEqual(tenant, 'bulk_delete')).toBeGreaterThan(0)
  await env.DB.prepare('DELETE FROM feature_flags WHERE project_id = ?').bind(tenant.projectId).run()
  expect((await bytesOf(tenant)).counted).toBe(0)
})

it('counts what the cache counts, through every kind of write of a cohort', async () => {
  const tenant = await createTenant()
  const filters = (value: readonly string[]) => ({
    properties: {
      type: 'OR',
      values: [{ type: 'AND', values: [{ key: 'plan', type: 'person', operator: 'exact', value }] }],
    },
  })
  const cohorts = `/api/projects/${tenant.projectId}/cohorts/`
  const { body } = await tenant.post(cohorts, { name: 'a', filters: filters(['x']) })
  const before = await expectEqual(tenant, 'created')
  const steps: object[] = [
    { filters: filters(Array.from({ length: 1_000 }, (_, index) => `é${index}`)) },
    { name: 'b' },
    { deleted: true },
    { deleted: false },
    { filters: filters(['y']) },
  ]
  for (const step of steps) {
    expect((await tenant.patch(`${cohorts}${body.id}/`, step)).status, JSON.stringify(step)).toBe(200)
    await expectEqual(tenant, step)
  }
  expect((await bytesOf(tenant)).counted).toBe(before)
  await tenant.post(cohorts, { name: 'static', is_static: true, _create_static_person_ids: [] })
  await expectEqual(tenant, 'static')
  await env.DB.prepare('DELETE FROM cohorts WHERE project_id = ?').bind(tenant.projectId).run()
  expect((await bytesOf(tenant)).counted).toBe(0)
})
