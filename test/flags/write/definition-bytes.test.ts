import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createTenant } from '../../support/tenant'

const payload = (bytes: number) => ({
  groups: [{ properties: [] }],
  payloads: { true: JSON.stringify('x'.repeat(bytes)) },
})

/** What is counted, and what is there. */
async function bytesOf(projectId: number): Promise<{ counted: number; stored: number }> {
  const row = await env.DB.prepare(
    `SELECT definition_bytes AS counted, (SELECT total(octet_length(f.filters) + octet_length(f.name) +
      (SELECT total(octet_length(c.name)) FROM flag_evaluation_contexts c WHERE c.flag_id = f.id))
      FROM feature_flags f WHERE f.project_id = p.id AND NOT f.deleted) AS stored FROM projects p WHERE id = ?`,
  )
    .bind(projectId)
    .first<{ counted: number; stored: number }>()
  return row!
}

it('counts the bytes of definitions through every kind of write', async () => {
  const tenant = await createTenant()
  const { id } = await tenant.flag({ key: 'one', name: 'Première', evaluation_contexts: ['web', 'büro'] })
  const steps: object[] = [
    { name: 'Größer als zuvor' },
    { filters: payload(5_000) },
    { evaluation_contexts: ['web', 'app', 'a-longer-one'] },
    { deleted: true },
    { name: 'while deleted', evaluation_contexts: ['app'] },
    { deleted: false, name: 'restored', filters: payload(3_000), evaluation_contexts: ['x', 'y'] },
    { deleted: true, name: 'deleted again', filters: payload(10), evaluation_contexts: [] },
    { deleted: false },
  ]
  for (const step of steps) {
    expect((await tenant.patch(tenant.flags(id), step)).status, JSON.stringify(step)).toBe(200)
    const { counted, stored } = await bytesOf(tenant.projectId)
    expect(counted, JSON.stringify(step)).toBe(stored)
  }
  await tenant.flag({ key: 'two', evaluation_contexts: ['web'] })
  await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
  const { counted, stored } = await bytesOf(tenant.projectId)
  expect(counted).toBe(stored)
  expect(counted).toBeGreaterThan(0)
  await env.DB.prepare('DELETE FROM feature_flags WHERE project_id = ?').bind(tenant.projectId).run()
  expect(await bytesOf(tenant.projectId)).toEqual({ counted: 0, stored: 0 })
})
