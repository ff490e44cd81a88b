// A bulk delete whose object dies, or whose database does: what becomes of the rest.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { and, count, eq, gte } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { activityLog, featureFlags } from '../../drizzle'
import { experiment, manyFlags, overwriteFlag, storedFlag } from '../support/database/rows'
import { createTenant, database, type Tenant } from '../support/tenant'
import { generationOf, objectOf, partOf, markInKv, replaceDatabase, documentOf, withBatch } from './support'

const FLAGS = 1_200
const CHUNKS = 3

type Fault = (run: () => Promise<D1Result[]>) => Promise<D1Result[]>

const lost: Fault = () => Promise.reject(new Error('D1_ERROR: lost'))
const hanging: Fault = () => new Promise(() => {})
/** Writes, and does not say so. */
const mute: Fault = async (run) => {
  await run()
  throw new Error('D1_ERROR: lost')
}

/** Breaks the living object's database from the chunk with this number on. */
async function breakAt(tenant: Tenant, chunk: number, fault: Fault) {
  let chunks = 0
  await replaceDatabase(tenant, (real) =>
    withBatch(real, (texts, run) => {
      if (partOf(texts) === 'chunk') chunks += 1
      if (chunks < chunk) return run()
      return fault(run)
    }),
  )
}

async function project() {
  // What fails on purpose is logged.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(console, 'log').mockReturnValue()
  const tenant = await createTenant()
  const ids = await manyFlags(tenant, FLAGS)
  const bulkDelete = (wanted = ids) => tenant.post(tenant.flags('bulk_delete'), { ids: wanted })
  return { tenant, ids, bulkDelete }
}

const countDeleted = async (ids: number[]) => {
  const rows = await database().select().from(featureFlags).where(eq(featureFlags.deleted, true))
  return rows.filter(({ id }) => ids.includes(id)).length
}

/** Activity entries by flag. */
async function entriesOf({ projectId }: Tenant) {
  return database()
    .select({ itemId: activityLog.itemId, activity: activityLog.activity, entries: count() })
    .from(activityLog)
    .where(eq(activityLog.projectId, projectId))
    .groupBy(activityLog.itemId, activityLog.activity)
}

/** Everything is as if nothing had happened on the way. */
async function expectDone(tenant: Tenant, ids: number[]) {
  expect(await countDeleted(ids)).toBe(ids.length)
  const entries = await entriesOf(tenant)
  expect(entries).toHaveLength(ids.length)
  expect(new Set(entries.map(({ activity, entries: each }) => `${activity} ${each}`))).toEqual(
    new Set(['deleted 1']),
  )
  const generation = await generationOf(tenant)
  expect(await markInKv(tenant)).toMatchObject({ generation })
  expect(await documentOf(tenant)).toMatchObject({ generation, flags: [] })
  const left = await runInDurableObject(objectOf(tenant), (_, { storage }) =>
    storage.list({ prefix: 'bulk-delete' }),
  )
  expect([...left.keys()]).toEqual([])
}

const allGone = (ids: number[]) => ({
  deleted: [],
  errors: ids.map((id) => ({ id, key: '', reason: 'Flag not found' })),
})

afterEach(() => vi.restoreAllMocks())

describe('a bulk delete that is cut short', () => {
  it('by a database that fails is finished by the alarm', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, lost)
    expect((await bulkDelete()).status).toBe(500)
    expect(await countDeleted(ids)).toBe(500)

    await evictDurableObject(objectOf(tenant))
    expect(await runDurableObjectAlarm(objectOf(tenant))).toBe(true)
    await expectDone(tenant, ids)
    expect(await generationOf(tenant)).toBe(CHUNKS)
    expect((await bulkDelete()).body).toEqual(allGone(ids))
    await expectDone(tenant, ids)
  })

  it('for a reason that stays is given up after a day, and another call deletes the rest', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, lost)
    await bulkDelete()
    expect(await runDurableObjectAlarm(objectOf(tenant))).toBe(true)
    const stored = () =>
      runInDurableObject(objectOf(tenant), (_, { storage }) => storage.list({ prefix: 'bulk-delete' }))
    expect((await stored()).size).toBe(CHUNKS)
    await runInDurableObject(objectOf(tenant), async (_, { storage }) => {
      const job = (await storage.get<object>('bulk-delete'))!
      await storage.put('bulk-delete', { ...job, begunAt: Date.now() - 86_400_000 })
    })
    expect(await runDurableObjectAlarm(objectOf(tenant))).toBe(true)
    expect((await stored()).size).toBe(0)
    expect(await runDurableObjectAlarm(objectOf(tenant))).toBe(false)
    expect(await countDeleted(ids)).toBe(500)
    await evictDurableObject(objectOf(tenant))
    expect((await bulkDelete()).body.deleted).toHaveLength(FLAGS - 500)
    expect(await countDeleted(ids)).toBe(FLAGS)
  })

  it('by a database that never answers is finished by the next life of the object', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, hanging)
    const response = await bulkDelete()
    expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(await countDeleted(ids)).toBe(500)

    await evictDurableObject(objectOf(tenant))
    expect(await runDurableObjectAlarm(objectOf(tenant))).toBe(true)
    await expectDone(tenant, ids)
    expect((await bulkDelete()).body).toEqual(allGone(ids))
  }, 20_000)

  it('is finished by the next call, before its own work', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, lost)
    await bulkDelete()
    await evictDurableObject(objectOf(tenant))
    const more = await manyFlags(tenant, 1, undefined, 'later')
    const response = await bulkDelete([...more, ids[0]!, ids.at(-1)!])
    expect(response.body).toEqual({
      deleted: [{ id: more[0], key: 'later-1', rollout_state: 'fully_rolled_out', active_variant: null }],
      errors: [ids[0], ids.at(-1)].map((id) => ({ id, key: '', reason: 'Flag not found' })),
    })
    await expectDone(tenant, [...ids, ...more])
  })

  it('changes nothing by a chunk that is repeated', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, mute)
    await bulkDelete()
    expect(await countDeleted(ids)).toBe(1_000)
    const [repeated] = await database()
      .select()
      .from(featureFlags)
      .where(and(gte(featureFlags.id, ids[0]!), eq(featureFlags.deleted, true)))
      .limit(1)

    await evictDurableObject(objectOf(tenant))
    await runDurableObjectAlarm(objectOf(tenant))
    await expectDone(tenant, ids)
    expect(await storedFlag(repeated!.id)).toEqual(repeated)
  })

  it('keeps flags that were deleted and restored before the chunk is repeated', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 1, mute)
    await bulkDelete()
    const restored = (await database().select().from(featureFlags).where(eq(featureFlags.deleted, true)))
      .map(({ id }) => id)
      .find((id) => ids.includes(id))!
    await evictDurableObject(objectOf(tenant))
    expect((await tenant.patch(tenant.flags(restored), { deleted: false })).status).toBe(200)
    await runDurableObjectAlarm(objectOf(tenant))
    expect(await storedFlag(restored)).toMatchObject({ deleted: false, version: 3 })
    expect(await countDeleted(ids)).toBe(FLAGS - 1)
    const ofIt = (await entriesOf(tenant)).filter(({ itemId }) => itemId === String(restored))
    expect(ofIt).toEqual([
      { itemId: String(restored), activity: 'deleted', entries: 1 },
      { itemId: String(restored), activity: 'restored', entries: 1 },
    ])
  })

  it('keeps a flag that got a dependent in the meantime', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 1, lost)
    await bulkDelete()
    await evictDurableObject(objectOf(tenant))
    const [needed] = ids
    const dependent = await tenant.flag({
      key: 'dependent',
      filters: {
        groups: [
          {
            properties: [{ key: String(needed), type: 'flag', operator: 'flag_evaluates_to', value: true }],
            rollout_percentage: 100,
          },
        ],
      },
    })
    await runDurableObjectAlarm(objectOf(tenant))
    expect(await storedFlag(needed!)).toMatchObject({ deleted: false })
    expect(await storedFlag(dependent.id)).toMatchObject({ deleted: false })
    expect(await countDeleted(ids)).toBe(FLAGS - 1)
    expect(await markInKv(tenant)).toMatchObject({ generation: await generationOf(tenant) })
  })

  it('frees the key of a flag once', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await experiment(tenant, ids[0]!)
    await breakAt(tenant, 1, mute)
    await bulkDelete()
    await evictDurableObject(objectOf(tenant))
    await runDurableObjectAlarm(objectOf(tenant))
    expect(await storedFlag(ids[0]!)).toMatchObject({ key: `many-1:deleted:${ids[0]}`, deleted: true })
    await expectDone(tenant, ids)
  })
})

describe('the alarm of a bulk delete', () => {
  it('retries while the database is unavailable', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await breakAt(tenant, 2, lost)
    await bulkDelete()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await runDurableObjectAlarm(objectOf(tenant)).catch(() => false)
      const next = await runInDurableObject(objectOf(tenant), (_, { storage }) => storage.getAlarm())
      expect(next).toBeGreaterThan(Date.now() + 20_000)
    }
    expect(await countDeleted(ids)).toBe(500)
    await evictDurableObject(objectOf(tenant))
    await runDurableObjectAlarm(objectOf(tenant))
    await expectDone(tenant, ids)
  })

  it('publishes all writes after a failure, which the caller does not see', async () => {
    const { tenant, ids } = await project()
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (texts, run) => (partOf(texts) === 'build' ? lost(run) : run())),
    )
    const response = await tenant.post(tenant.flags('bulk_delete'), { ids })
    expect(response.status).toBe(200)
    expect(response.body.deleted).toHaveLength(FLAGS)
    expect(await markInKv(tenant)).toBe(null)
    await evictDurableObject(objectOf(tenant))
    await runDurableObjectAlarm(objectOf(tenant))
    await expectDone(tenant, ids)
  })

  it('finds nothing to do when all is done', async () => {
    const { tenant, ids, bulkDelete } = await project()
    await bulkDelete()
    const generation = await generationOf(tenant)
    await overwriteFlag(ids[0]!, { deleted: false })
    await runDurableObjectAlarm(objectOf(tenant))
    expect(await generationOf(tenant)).toBe(generation)
    expect(await storedFlag(ids[0]!)).toMatchObject({ deleted: false })
  })
})
