// Writes of one project's flags: what waits together shares a batch, each write is planned on the one before it, and the snapshot follows.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIds } from '../../src/clock'
import { CreateFlagBody } from '../../src/flags/schema'
import { LruCache } from '../../src/lru-cache'
import { FlagWriter } from '../../src/project/flag-writer'
import { createSerialQueue, type SerialQueue } from '../../src/project/serial-queue'
import { documentKey } from '../../src/snapshots/document'
import { openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { documentOf as documentFrom, renderFromD1 } from '../../src/snapshots/render'
import { dependsOn, inCohort, open, variants, where } from '../support/filters'
import { cohort, manyFlags } from '../support/database/rows'
import { createTenant, database, type Tenant } from '../support/tenant'
import { propertyRuns } from '../support/property-runs'
import {
  documentOf,
  generationOf,
  gateway,
  markInKv,
  objectOf,
  partOf,
  replaceDatabase,
  replacePublisher,
  settled,
  withBatch,
} from './support'

let tenant: Tenant

beforeEach(async () => {
  tenant = await createTenant()
})
afterEach(() => vi.restoreAllMocks())

const patch = (id: number, body: object) => tenant.patch(tenant.flags(id), body)
const statusesOf = (responses: readonly { status: number }[]) => responses.map(({ status }) => status)

/** Batches of the living object that write flags: how many, and how many of them failed. */
async function watchCommits() {
  const commits = { sent: 0, failed: 0 }
  await replaceDatabase(tenant, (real) =>
    withBatch(real, async (texts, run) => {
      if (!texts.some((text) => text.startsWith('insert into "write_guards"'))) return run()
      commits.sent += 1
      return run().catch((error: unknown) => {
        commits.failed += 1
        throw error
      })
    }),
  )
  return commits
}

/** A writer of the tenant's flags within the test, and creations through it. */
function createWriter(queue: SerialQueue, encrypt = (text: string) => Promise.resolve(text)) {
  const published: number[] = []
  const writer = new FlagWriter({
    toolsOf: (meter) => ({
      db: openDatabase(env.DB, meter),
      ids: createIds(),
      cipher: { encrypt, decrypt: (text) => Promise.resolve(text) },
      maxFlags: 2_000,
    }),
    queue,
    publish: async ({ generation }) => {
      published.push(generation)
      return null
    },
  })
  const create = (body: object) =>
    writer.write(
      {
        kind: 'create',
        actor: { kind: 'system' },
        project: { id: tenant.projectId, membershipLevel: 15 },
        now: tenant.clock.now().getTime(),
        body: CreateFlagBody.parse(body),
      },
      createMeter(),
    )
  return { create, published }
}

const keysOf = async () => {
  const { body } = await tenant.get(tenant.flags())
  return body.results.map(({ key }: { key: string }) => key).toSorted()
}

describe('a write that cannot be planned', () => {
  it('fails alone: what waits with it is committed', async () => {
    const { create, published } = createWriter(createSerialQueue(1), () =>
      Promise.reject(new TypeError('a defect')),
    )
    const encrypted = { ...open(), payloads: { true: '"secret"' } }
    const results = await Promise.allSettled([
      create({ key: 'first' }),
      create({
        key: 'broken',
        has_encrypted_payloads: true,
        is_remote_configuration: true,
        filters: encrypted,
      }),
      create({ key: 'second' }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { message: 'a defect' } })
    expect(published).toHaveLength(1)
    expect(await keysOf()).toEqual(['first', 'second'])
  })
})

describe('writes that wait', () => {
  it('have 16 MiB together: one that is too many is rejected, and fits later', async () => {
    const queue = createSerialQueue(10)
    const { promise: before, resolve: start } = Promise.withResolvers<void>()
    void queue.run(() => before)
    const { create } = createWriter(queue)
    const large = (index: number) =>
      create({
        key: `large-${index}`,
        filters: { ...open(), payloads: { true: JSON.stringify('x'.repeat(500_000)) } },
      })
    const waiting = Array.from({ length: 33 }, (_, index) => large(index))
    await expect(large(33)).rejects.toMatchObject({
      status: 503,
      detail: 'Too many changes wait for this project. Please retry.',
    })
    waiting.push(create({ key: 'small' }))
    start()
    await Promise.all(waiting)
    await create({ key: 'later' })
    expect(await keysOf()).toEqual(expect.arrayContaining(['large-32', 'later', 'small']))
  })
})

describe('concurrent writes', () => {
  it('of one flag wait their turn: none is repeated, none fails', async () => {
    const { id } = await tenant.flag()
    const commits = await watchCommits()
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => patch(id, { name: `name ${index}`, tags: [`t${index}`] })),
    )
    expect(new Set(statusesOf(responses))).toEqual(new Set([200]))
    expect(responses.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 2),
    )
    expect(commits.failed).toBe(0)
    const last = responses.find(({ body }) => body.version === 31)!
    expect((await tenant.get(tenant.flags(id))).body).toEqual(last.body)
    const { body } = await tenant.get(`${tenant.flags(`${id}/activity`)}?limit=100`)
    expect(body.results).toHaveLength(31)
  })

  it('of one flag share a batch, and each writes its own entry and fields', async () => {
    const { id } = await tenant.flag({ name: 'before' })
    const groups: string[][] = []
    const { promise: allWait, resolve: start } = Promise.withResolvers<void>()
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        const writes = texts.filter((text) =>
          /^(update "feature_flags"|insert into "activity_log")/.test(text),
        )
        groups.push(writes)
        // The others arrive during the first.
        if (writes.length > 0) await allWait
        return run()
      }),
    )
    const bodies = [
      { name: 'first' },
      { filters: open({ groups: [{ rollout_percentage: 5 }] }) },
      { tags: ['a'] },
      { evaluation_runtime: 'server' },
      { key: 'renamed' },
      { active: false },
      { name: 'last' },
      { ensure_experience_continuity: true },
    ]
    const arrivals = vi.spyOn(FlagWriter.prototype, 'write')
    const written = bodies.map((body) => patch(id, body))
    await vi.waitFor(() => expect(arrivals).toHaveBeenCalledTimes(bodies.length), { timeout: 10_000 })
    start()
    const responses = await Promise.all(written)
    expect(new Set(statusesOf(responses))).toEqual(new Set([200]))
    const { body: flag } = await tenant.get(tenant.flags(id))
    expect(flag).toMatchObject({ ...Object.assign({}, ...bodies), version: 1 + bodies.length })
    expect(responses.find(({ body }) => body.version === flag.version)!.body).toEqual(flag)
    const writes = groups.filter((texts) => texts.length > 0)
    expect(writes.length).toBeLessThan(bodies.length)
    expect(writes.flat().filter((text) => text.startsWith('insert'))).toHaveLength(bodies.length)
    await expectDocumentOfD1()
  })

  it('are each accepted or rejected on their own', async () => {
    const { id } = await tenant.flag({ key: 'taken' })
    const responses = await Promise.all([
      patch(id, { name: 'one' }),
      patch(999_999_999, { name: 'none' }),
      tenant.post(tenant.flags(), { key: 'taken' }),
      tenant.post(tenant.flags(), { key: 'free' }),
      patch(id, { filters: { groups: 'x' } }),
      patch(id, { name: 'two' }),
    ])
    expect(statusesOf(responses)).toEqual([200, 404, 400, 201, 400, 200])
    expect(responses[5]!.body).toMatchObject({ name: 'two', version: 3 })
    expect(responses[3]!.body).toEqual((await tenant.get(tenant.flags(responses[3]!.body.id))).body)
  })

  it.each<[string, (ids: readonly number[]) => [object, object]]>([
    ['depend on a flag and disable it', ([, a]) => [{ filters: where(dependsOn(a)) }, { active: false }]],
    [
      'depend on each other',
      ([b, a]) => [{ filters: where(dependsOn(a)) }, { filters: where(dependsOn(b)) }],
    ],
    ['depend on a flag and delete it', ([, a]) => [{ filters: where(dependsOn(a)) }, { deleted: true }]],
    ['take the same key', () => [{ key: 'same' }, { key: 'same' }]],
  ])('that cannot both hold have the result of one order: %s', async (_, bodiesOf) => {
    const ids = [(await tenant.flag()).id, (await tenant.flag()).id]
    const [first, second] = bodiesOf(ids)
    const responses = await Promise.all([patch(ids[0]!, first), patch(ids[1]!, second)])
    expect(statusesOf(responses).toSorted()).toEqual([200, 400])
    for (const [index, { status }] of responses.entries())
      expect((await tenant.get(tenant.flags(ids[index]!))).body.version).toBe(status === 200 ? 2 : 1)
  })

  it('that create the same key make one flag', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => tenant.post(tenant.flags(), { key: 'same' })),
    )
    expect(statusesOf(responses).toSorted()).toEqual([201, 400, 400, 400, 400])
  })
})

describe('a batch whose response is lost', () => {
  it.each(['D1_ERROR: Network connection lost.', 'D1_ERROR: of a new kind'])(
    'is not committed again: %s',
    async (message) => {
      vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      const ids = await Promise.all(Array.from({ length: 3 }, async () => (await tenant.flag()).id))
      await replaceDatabase(tenant, (real) =>
        withBatch(real, async (texts, run) => {
          const results = await run()
          if (texts.some((text) => text.startsWith('update "feature_flags"'))) throw new Error(message)
          return results
        }),
      )
      const responses = await Promise.all(ids.map((id) => patch(id, { name: 'changed' })))
      for (const { status } of responses) expect(status).toBeGreaterThanOrEqual(500)
      const flags = await Promise.all(ids.map(async (id) => (await tenant.get(tenant.flags(id))).body))
      expect(flags.map(({ version }) => version)).toEqual([2, 2, 2])
    },
  )
})

describe('an object that dies while it commits', () => {
  it.each([
    ['before D1 has it', async () => Promise.reject(new Error('D1_ERROR: lost')), 1],
    ['after D1 has it', async (run: () => Promise<unknown>) => run().then(() => new Promise(() => {})), 2],
  ])('%s has written all of a batch or nothing', async (_, fault, version) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const ids = [(await tenant.flag()).id, (await tenant.flag()).id]
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (texts, run) =>
        texts.some((text) => text.startsWith('update "feature_flags"'))
          ? (fault(run) as Promise<D1Result[]>)
          : run(),
      ),
    )
    const pending = Promise.all(ids.map((id) => patch(id, { name: 'changed' })))
    // Until the batch is under way.
    await vi.waitFor(async () => {
      const { body } = await tenant.get(tenant.flags(ids[0]!))
      expect(body.version).toBe(version)
    })
    await evictDurableObject(objectOf(tenant)).catch(() => undefined)
    for (const { status } of await pending) expect(status).toBeGreaterThanOrEqual(500)
    const flags = await Promise.all(ids.map(async (id) => (await tenant.get(tenant.flags(id))).body))
    expect(flags.map((flag) => flag.version)).toEqual([version, version])
    // The next life continues from what D1 has.
    expect((await patch(ids[0]!, { name: 'again' })).body).toMatchObject({ version: version + 1 })
    expect((await markInKv(tenant))!.generation).toBe(await generationOf(tenant))
  })
})

/** What is published is what D1 has, to the byte. */
async function expectDocumentOfD1(): Promise<void> {
  const { mark, bytes } = (await gateway().document(tenant.projectId, 0, tenant.clock.now()))!
  expect(mark.generation).toBe(await generationOf(tenant))
  const rendered = (await renderFromD1(database(), tenant.projectId))!
  expect(new TextDecoder().decode(bytes)).toBe(new TextDecoder().decode(documentFrom(rendered)))
}

describe('the first write after a start', () => {
  it('reads all definitions once', async () => {
    await cohort(tenant)
    await manyFlags(tenant, 50)
    await tenant.flag()
    await settled(tenant)
    await replacePublisher(tenant, { cache: new LruCache(24 * 1024 * 1024) })
    let builds = 0
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (texts, run) => {
        if (partOf(texts) === 'build') builds += 1
        return run()
      }),
    )
    const { id } = await tenant.flag({ name: 'after the start' })
    await patch(id, { filters: open() })
    expect(builds).toBe(1)
    await expectDocumentOfD1()
  })
})

describe('the snapshot of a write', () => {
  it('is what D1 has, after any write', async () => {
    const cohortId = await cohort(tenant)
    const ids = [(await tenant.flag()).id, (await tenant.flag()).id, (await tenant.flag()).id]
    const body = fc.oneof(
      fc.record({ name: fc.string({ unit: 'binary', maxLength: 20 }) }),
      fc.record({ active: fc.boolean() }),
      fc.record({ deleted: fc.boolean() }),
      fc.record({ key: fc.stringMatching(/^[a-z]{1,3}$/) }),
      fc.record({ evaluation_contexts: fc.subarray(['web', 'ios', '\u{1f600}', '\uff5e']) }),
      fc.record({ ensure_experience_continuity: fc.boolean(), evaluation_runtime: fc.constant('server') }),
      fc
        .constantFrom(open(), variants({ a: 50, b: 50 }), where(inCohort(cohortId)))
        .map((filters) => ({ filters })),
    )
    const write = fc.record({ index: fc.nat(3), body })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
        await Promise.all(
          writes.map(({ index, body: sent }) =>
            index < 3
              ? patch(ids[index]!, sent)
              : tenant.post(tenant.flags(), { ...sent, key: crypto.randomUUID() }),
          ),
        )
        await expectDocumentOfD1()
      }),
      { numRuns: propertyRuns(6, 25) },
    )
  }, 60_000)

  it('costs two round trips, and no row of another flag', async () => {
    await manyFlags(tenant, 500)
    const { id } = await tenant.flag()
    const { line } = await patch(id, { filters: open({ groups: [{ rollout_percentage: 5 }] }) })
    expect(line).toMatchObject({ d1_round_trips: 2 })
    expect(line).not.toHaveProperty('publish_round_trips')
    expect(line.d1_rows_read).toBeLessThanOrEqual(30)
  })
})

describe('KV, which takes one write a second of a key,', () => {
  /** A KV that rejects more, as the platform's does. */
  function limitedKv() {
    const last = new Map<string, number>()
    const puts: string[] = []
    let refused = 0
    const kv = {
      async put(key: string, value: string | Uint8Array, options?: KVNamespacePutOptions) {
        const now = Date.now()
        if (now - (last.get(key) ?? -Infinity) < 1_000) {
          refused += 1
          throw new Error('KV PUT failed: 429 Too Many Requests')
        }
        last.set(key, now)
        puts.push(key)
        await env.SNAPSHOTS.put(key, value, options)
      },
    } as unknown as KVNamespace
    return { kv, puts, refused: () => refused }
  }

  it('is written to once a second by a burst of changes, and ends with the newest', async () => {
    await manyFlags(tenant, 50)
    const { id } = await tenant.flag()
    await settled(tenant)
    const { kv, puts, refused } = limitedKv()
    await replacePublisher(tenant, {}, kv)
    const began = Date.now()
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => patch(id, { name: `${round} ${index}` })))
    }
    const document = (await documentOf(tenant))!
    const seconds = Math.ceil((Date.now() - began) / 1_000)
    expect(document).toMatchObject({ generation: await generationOf(tenant) })
    expect(document.flags.find((flag) => flag.id === id)).toMatchObject({ version: 101 })
    expect(refused()).toBe(0)
    const documents = puts.filter((key) => key === documentKey(tenant.projectId))
    expect(documents.length).toBeLessThanOrEqual(seconds + 1)
  }, 60_000)
})
