// Changes that wait in the project object for longer than their callers.
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { sleep } from '../../src/deadline'
import { interceptedD1 } from '../support/faults/intercepted-d1'
import { createTenant, type Tenant } from '../support/tenant'
import { replaceDatabase } from './support'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Each call of D1 in the object takes this long. */
const CALL_MS = 300

const CHANGES: Record<string, (tenant: Tenant, id: number) => ReturnType<Tenant['send']>> = {
  update: (tenant, id) => tenant.patch(tenant.flags(id), { active: false }),
  create: (tenant) => tenant.post(tenant.flags(), { key: 'late' }),
  'bulk delete': (tenant, id) => tenant.post(tenant.flags('bulk_delete'), { ids: [id] }),
  'update of tags': (tenant, id) =>
    tenant.post(tenant.flags('bulk_update_tags'), { ids: [id], action: 'add', tags: ['late'] }),
}

it.each(Object.entries(CHANGES))('a late %s is a 503, and is never made', async (_, change) => {
  const tenant = await createTenant()
  const { id } = await tenant.flag({ key: 'first', active: true })
  const other = await tenant.flag({ key: 'other' })
  const read = async () => {
    const [one, late] = [
      await tenant.get(tenant.flags(id)),
      await tenant.get(`${tenant.flags()}?search=late`),
    ]
    return [one.status, one.body, late.body]
  }
  const before = await read()
  await replaceDatabase(tenant, () =>
    interceptedD1(env.DB, async ({ run }) => {
      await sleep(CALL_MS)
      return run()
    }),
  )
  const now = Date.now.bind(Date)
  let passed = 0
  vi.spyOn(Date, 'now').mockImplementation(() => now() + passed)
  const earlier = tenant.patch(tenant.flags(other.id), { name: 'Earlier' })
  await sleep(CALL_MS / 3)
  const waiting = change(tenant, id)
  await sleep(CALL_MS / 3)
  passed = 12_500
  // The earlier one has made the first of its two calls in time.
  for (const { status, body } of await Promise.all([earlier, waiting]))
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' })
  await sleep(5 * CALL_MS)
  expect(await read()).toEqual(before)
  // Those that come later are made.
  expect((await change(tenant, id)).status).toBeLessThan(300)
})
