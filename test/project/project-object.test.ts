import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activityLog, featureFlags, flagDependencies } from '../../drizzle'
import { unavailable } from '../../src/errors'
import { createProjectObjects } from '../../src/project/project-client'
import { Publisher } from '../../src/project/publisher'
import { LruCache } from '../../src/lru-cache'
import { openDatabase } from '../../src/storage/database'
import { bumpGeneration } from '../../src/storage/flags-generation'
import { createMeter } from '../../src/storage/metered-d1'
import { experiment, manyFlags, overwriteFlag, storedFlag } from '../support/database/rows'
import { writeSilently } from '../snapshots/support'
import { createTenant, database } from '../support/tenant'
import {
  documentOf,
  gateway,
  generationOf,
  markInKv,
  objectOf,
  partOf,
  putAtOnce,
  replaceDatabase,
  withBatch,
} from './support'

const request = (projectId: number, ids: number[]) => ({
  projectId,
  author: { userId: null, wasImpersonated: false },
  membershipLevel: 1,
  selection: { kind: 'ids' as const, ids, invalid: [] },
  now: Date.parse('2026-03-10T12:00:00Z'),
})

describe('the order of work in one project', () => {
  it('holds around every await on D1: neither bulk deletes nor builds interleave', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 1_200)
    const log: string[] = []
    const running = { bulk: 0, build: 0 }
    const most = { bulk: 0, build: 0 }
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        const part = partOf(texts)
        const kind = part === 'build' ? 'build' : 'bulk'
        log.push(part)
        running[kind] += 1
        most[kind] = Math.max(most[kind], running[kind])
        // Long enough for everybody else to come in between, if they could.
        await scheduler.wait(10)
        const results = await run()
        running[kind] -= 1
        return results
      }),
    )
    const projects = gateway()
    const now = new Date('2026-03-10T12:00:00Z')
    const [first, , second] = await Promise.all([
      projects.bulkDelete(request(tenant.projectId, ids.slice(0, 600))),
      projects.publish(tenant.projectId, now),
      projects.bulkDelete(request(tenant.projectId, ids.slice(500))),
      projects.publish(tenant.projectId, now),
      projects.publish(tenant.projectId, now),
    ])
    expect(most).toEqual({ bulk: 1, build: 1 })
    expect(log.filter((part) => part !== 'build').join(' ')).toBe('targets deletion targets deletion')
    // The three that were asked for at once build one generation; each bulk delete has its own at the end.
    expect(log.filter((part) => part === 'build')).toHaveLength(3)
    expect(first.deleted).toHaveLength(600)
    expect(first.errors).toEqual([])
    expect(second.deleted.map(({ id }) => id)).toEqual(ids.slice(600))
    expect(second.errors).toEqual(
      ids.slice(500, 600).map((id) => ({ id, key: '', reason: 'Flag not found' })),
    )
    expect(await markInKv(tenant)).toMatchObject({ generation: await generationOf(tenant) })
  })

  it('serves readers the current generation during bulk work', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 2)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (texts, run) => (partOf(texts) === 'deletion' ? released.then(run) : run())),
    )
    const deletion = gateway().bulkDelete(request(tenant.projectId, ids))
    const generation = await generationOf(tenant)
    expect(await gateway().publish(tenant.projectId, new Date(0))).toMatchObject({ generation })
    release()
    expect((await deletion).deleted).toHaveLength(2)
    expect(await markInKv(tenant)).toMatchObject({ generation: await generationOf(tenant) })
  })

  it('does not hold between projects', async () => {
    const [slow, quick] = [await createTenant(), await createTenant()]
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await replaceDatabase(slow, (real) => withBatch(real, (_, run) => released.then(run)))
    const pending = gateway().publish(slow.projectId, new Date(0))
    expect(await gateway().publish(quick.projectId, new Date(0))).toMatchObject({ generation: 0 })
    release()
    expect(await pending).toMatchObject({ generation: 0 })
  })

  it('continues after a job that D1 failed', async () => {
    const tenant = await createTenant()
    const [flag] = await manyFlags(tenant, 1)
    let failing = true
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (_, run) => (failing ? Promise.reject(new Error('D1_ERROR: lost')) : run())),
    )
    const projects = gateway()
    await expect(projects.bulkDelete(request(tenant.projectId, [flag!]))).rejects.toThrow('D1_ERROR: lost')
    failing = false
    expect(await projects.bulkDelete(request(tenant.projectId, [flag!]))).toMatchObject({
      deleted: [{ id: flag }],
      errors: [],
    })
  })

  it('responds with 503 when D1 does not respond', async () => {
    const tenant = await createTenant()
    await replaceDatabase(tenant, (real) => withBatch(real, () => Promise.reject(unavailable())))
    await expect(gateway().publish(tenant.projectId, new Date(0))).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      headers: { 'Retry-After': '1' },
    })
  })
})

describe('a bulk delete', () => {
  async function doomed() {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 600)
    // The first call loads modules, for longer than an idle object lives on a busy machine.
    await tenant.post(tenant.flags('bulk_delete'), { ids: [0] })
    const left = async () =>
      (await database().select().from(featureFlags).where(eq(featureFlags.projectId, tenant.projectId)))
        .filter(({ deleted }) => !deleted)
        .map(({ id }) => id)
        .sort((a, b) => a - b)
    /** Breaks what the object asks of D1, once for each call of the caller. */
    const breaking = (
      broken: ReturnType<typeof partOf>,
      fault: (run: () => Promise<D1Result[]>) => Promise<D1Result[]>,
    ) =>
      replaceDatabase(tenant, (real) =>
        withBatch(real, (texts, run) => (partOf(texts) === broken ? fault(run) : run())),
      )
    const bulkDelete = () => tenant.post(tenant.flags('bulk_delete'), { ids })
    const entries = async () => {
      const rows = await database()
        .select({ itemId: activityLog.itemId })
        .from(activityLog)
        .where(and(eq(activityLog.projectId, tenant.projectId), eq(activityLog.activity, 'deleted')))
      return rows.map(({ itemId }) => Number(itemId)).sort((a, b) => a - b)
    }
    return { tenant, ids, left, breaking, bulkDelete, entries }
  }

  const lost = () => Promise.reject(new Error('D1_ERROR: lost'))

  beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
  afterEach(() => vi.restoreAllMocks())

  it('deletes nothing when its batch fails, and everything when it is repeated', async () => {
    const { tenant, ids, left, breaking, bulkDelete, entries } = await doomed()
    await breaking('deletion', lost)
    expect((await bulkDelete()).status).toBe(500)
    expect(await left()).toEqual(ids)
    expect(await entries()).toEqual([])
    await evictDurableObject(objectOf(tenant))
    expect((await bulkDelete()).body.deleted).toHaveLength(600)
    expect(await entries()).toEqual(ids)
    expect(await documentOf(tenant)).toMatchObject({ generation: await generationOf(tenant), flags: [] })
  })

  it('changes nothing more when it is repeated after a response that was lost', async () => {
    const { tenant, ids, left, breaking, bulkDelete, entries } = await doomed()
    await experiment(tenant, ids[0]!)
    await breaking('deletion', async (run) => {
      await run()
      return lost()
    })
    expect((await bulkDelete()).status).toBe(500)
    const [generation, deleted] = [await generationOf(tenant), await storedFlag(ids[0]!)]
    expect(deleted).toMatchObject({ key: `many-1:deleted:${ids[0]}`, deleted: true })
    expect((await bulkDelete()).body).toEqual({
      deleted: [],
      errors: ids.map((id) => ({ id, key: '', reason: 'Flag not found' })),
    })
    expect([await generationOf(tenant), await storedFlag(ids[0]!)]).toEqual([generation, deleted])
    expect(await left()).toEqual([])
    expect(await entries()).toEqual(ids)
  })

  it('is visible to the next reader when publishing it fails', async () => {
    const { tenant, breaking, bulkDelete } = await doomed()
    await breaking('build', lost)
    expect(await bulkDelete()).toMatchObject({ status: 200, body: { errors: [] } })
    expect(await markInKv(tenant)).toBe(null)
    await evictDurableObject(objectOf(tenant))
    const generation = await generationOf(tenant)
    expect(await gateway().publish(tenant.projectId, new Date(0))).toMatchObject({ generation })
    expect(await documentOf(tenant)).toMatchObject({ generation, flags: [] })
  })

  it('keeps a flag that gets a dependent between the plan and the batch', async () => {
    const { tenant, ids, left, breaking, bulkDelete } = await doomed()
    const dependent = await tenant.flag({ key: 'dependent' })
    let isFirst = true
    await breaking('deletion', async (run) => {
      if (isFirst) {
        await database().insert(flagDependencies).values({ flagId: dependent.id, dependsOnId: ids[0]! })
        await bumpGeneration(database(), tenant.projectId)
      }
      isFirst = false
      return run()
    })
    const { body } = await bulkDelete()
    expect(body.deleted).toHaveLength(599)
    expect(body.errors).toEqual([
      {
        id: ids[0],
        key: 'many-1',
        reason: `Cannot delete because other flags depend on it: dependent (ID: ${dependent.id})`,
      },
    ])
    expect(await left()).toEqual([ids[0], dependent.id])
  })
})

describe('publishing', () => {
  it('ends with the newest generation when an older rebuild takes longer', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'first' })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: read, resolve: hasRead } = Promise.withResolvers<void>()
    let builds = 0
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        const results = await run()
        if (partOf(texts) !== 'build') return results
        builds += 1
        hasRead()
        if (builds === 1) await released
        return results
      }),
    )
    await writeSilently(tenant, 'renamed')
    const now = new Date()
    const older = gateway().publish(tenant.projectId, now)
    await read
    const updated = tenant.patch(tenant.flags(flag.id), { key: 'second' })
    const newer = gateway().publish(tenant.projectId, now)
    await scheduler.wait(20)
    release()
    expect(await older).toMatchObject({ generation: 2 })
    await newer
    await updated
    expect(await documentOf(tenant)).toMatchObject({ generation: 3, flags: [{ key: 'second' }] })
  })

  it('drops a build that is older than the published one', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'first' })
    let old: D1Result[] = []
    const stale = withBatch(env.DB, async () => old)
    const recording = withBatch(env.DB, async (_, run) => (old = await run()))
    const publishFrom = (d1: D1Database, now: number) =>
      runInDurableObject(objectOf(tenant), async (_, { storage }) => {
        const publisher = new Publisher(storage, env.SNAPSHOTS, { cache: new LruCache(1_000_000) })
        await publisher.document(openDatabase(d1, createMeter()), tenant.projectId, 0, now)
        const mark = await publisher.publish(openDatabase(d1, createMeter()), tenant.projectId, now)
        await publisher.settled()
        return mark
      })
    expect(await publishFrom(recording, 1)).toMatchObject({ generation: 1 })
    await tenant.patch(tenant.flags(flag.id), { key: 'second' })
    expect(await markInKv(tenant)).toMatchObject({ generation: 2 })

    expect(await publishFrom(stale, 3)).toMatchObject({ generation: 2, checkedAt: 3 })
    expect(await documentOf(tenant)).toMatchObject({ generation: 2, flags: [{ key: 'second' }] })
  })

  it('confirms a current generation by reading one row, and publishes a newer one', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await putAtOnce(tenant)
    const meter = createMeter()
    const projects = createProjectObjects(env.PROJECTS, meter)
    const at = (seconds: number) => new Date(tenant.clock.now().getTime() + seconds * 1000)
    const mark = (await markInKv(tenant))!
    expect(await projects.publish(tenant.projectId, at(1))).toEqual({
      generation: 1,
      checkedAt: at(1).getTime(),
      heap: mark.heap,
    })
    expect(meter).toMatchObject({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 })
    expect(await markInKv(tenant)).toEqual(mark)

    await overwriteFlag(flag.id, { key: 'renamed' })
    await database().run(`UPDATE projects SET flags_generation = 9 WHERE id = ${tenant.projectId}`)
    expect(await projects.publish(tenant.projectId, at(2))).toMatchObject({ generation: 9 })
    expect(await documentOf(tenant)).toMatchObject({ generation: 9, flags: [{ key: 'renamed' }] })
    expect(await markInKv(tenant)).toMatchObject({ checkedAt: at(2).getTime() })
  })

  it('ignores what a release with another format has published', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'first' })
    await runInDurableObject(objectOf(tenant), (_, { storage }) =>
      storage.put('published', { generation: 99, format: 1, laidAt: tenant.clock.now().getTime() }),
    )
    await evictDurableObject(objectOf(tenant))
    expect(await gateway().publish(tenant.projectId, tenant.clock.now())).toMatchObject({ generation: 1 })
    expect(await documentOf(tenant)).toMatchObject({ generation: 1, flags: [{ key: 'first' }] })
  })

  it('puts a document that does not change into KV once an hour', async () => {
    const tenant = await createTenant()
    await tenant.flag()
    await putAtOnce(tenant)
    const publishAfter = async (minutes: number) => {
      tenant.clock.advance({ minutes })
      await gateway().publish(tenant.projectId, tenant.clock.now())
      return (await markInKv(tenant))!.checkedAt
    }
    const first = (await markInKv(tenant))!.checkedAt
    expect(await publishAfter(60)).toBe(first)
    expect(await publishAfter(1)).toBe(first + 61 * 60_000)
  })

  it('knows nothing of a project that does not exist', async () => {
    expect(await gateway().publish(999_999, new Date(0))).toBe(null)
    expect(await gateway().document(999_999, 0, new Date(0))).toBe(null)
    expect(await markInKv({ projectId: 999_999 })).toBe(null)
  })

  it.each([
    ['refuses', 5_000, () => Promise.reject(new Error('429'))],
    ['never answers', 20, () => new Promise<void>(() => {})],
  ])('returns the document when KV %s, and tries again at the next look', async (_, putDeadlineMs, put) => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const tenant = await createTenant()
    await manyFlags(tenant, 1)
    const broken = { put } as unknown as KVNamespace
    const db = database()
    const publishInto = (kv: KVNamespace, now: number, options: object) =>
      runInDurableObject(objectOf(tenant), async (__, { storage }) => {
        const publisher = new Publisher(storage, kv, { ...options, putIntervalMs: 0 })
        const mark = await publisher.publish(db, tenant.projectId, now)
        await publisher.settled()
        return mark
      })
    for (const now of [1, 2]) {
      expect(await publishInto(broken, now, { putDeadlineMs })).toMatchObject({
        generation: 0,
        checkedAt: now,
      })
      expect(await markInKv(tenant)).toBe(null)
    }
    await publishInto(env.SNAPSHOTS, 3, {})
    expect(await markInKv(tenant)).toMatchObject({ generation: 0, checkedAt: 3 })
    expect(log).toHaveBeenCalledWith(expect.stringContaining('KV did not take a document'))
    log.mockRestore()
  })
})
