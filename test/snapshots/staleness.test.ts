// How old a response can be, whatever becomes of publishing: second by second on the test clock.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pointerKey } from '../../src/snapshots/manifest'
import { generationOf, objectOf, pointerOf, putAtOnce, settled } from '../project/support'
import { createTenant, type Tenant } from '../support/tenant'
import { type Reader, reader, writeSilently } from './support'
import { propertyRuns } from '../support/property-runs'

const PROMISE_S = 60

beforeEach(() => {
  // What KV rejects is logged.
  vi.spyOn(console, 'log').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

/** Breaks what the project's object writes to KV, for as long as `isBroken` says so. */
async function breakPublishing({ projectId }: Tenant, isBroken: () => boolean): Promise<void> {
  // The clock of a test is faster than that of the object.
  await putAtOnce({ projectId })
  await runInDurableObject(objectOf({ projectId }), (object) => {
    const { SNAPSHOTS } = Reflect.get(object, 'env') as Env
    const put = SNAPSHOTS.put.bind(SNAPSHOTS)
    Reflect.set(SNAPSHOTS, 'put', (key: string, ...rest: [string]) =>
      isBroken() && key.split(':')[1] === String(projectId)
        ? Promise.reject(new Error('KV PUT failed: 429 Too Many Requests'))
        : put(key, ...rest),
    )
  })
}

/** KV as seen from far away: pointers arrive up to `lag` seconds after they were put. */
function farKv({ projectId, clock }: Tenant, lag: number) {
  const seen: { at: number; text: string | null }[] = []
  const now = () => clock.now().getTime()
  return {
    /** Notes what is there now. */
    async note() {
      seen.push({ at: now(), text: await env.SNAPSHOTS.get(pointerKey(projectId)) })
    },
    kv: {
      async get(key: string, options: KVNamespaceGetOptions<'json'>) {
        if (key !== pointerKey(projectId)) return env.SNAPSHOTS.get(key, options)
        const text = seen.findLast(({ at }) => at <= now() - lag * 1000)?.text ?? null
        return text && JSON.parse(text)
      },
    } as unknown as KVNamespace,
  }
}

/** When each generation came to be current, in seconds of the test clock. */
class Truth {
  readonly #since: number[] = []

  begins(generation: number, second: number): void {
    this.#since[generation] = second
  }

  /** For how long D1 has disagreed with a generation. */
  staleness(generation: number, second: number): number {
    const ended = this.#since[generation + 1]
    return ended === undefined ? 0 : second - ended
  }
}

async function staleResponses(tenant: Tenant, edge: Reader, truth: Truth, second: number) {
  const loaded = await edge.load(tenant.projectId)
  const staleness = truth.staleness(loaded!.snapshot.generation, second)
  return staleness > PROMISE_S ? [{ second, staleness }] : []
}

describe('a snapshot that is served', () => {
  it('was true within the last 60 s, though no change is ever published', async () => {
    const tenant = await createTenant()
    await tenant.flag()
    const edge = reader(tenant)
    const truth = new Truth()
    truth.begins(1, 0)
    await edge.load(tenant.projectId)
    const published = await pointerOf(tenant)
    await breakPublishing(tenant, () => true)

    const served = new Set<number>()
    for (let second = 1; second <= 200; second += 1) {
      tenant.clock.advance({ seconds: 1 })
      if (second % 70 === 1) {
        await writeSilently(tenant, `at ${second}`)
        truth.begins(await generationOf(tenant), second)
      }
      expect(await staleResponses(tenant, edge, truth, second)).toEqual([])
      served.add((await edge.load(tenant.projectId))!.snapshot.generation)
      await edge.settle()
      await settled(tenant)
    }
    expect(await pointerOf(tenant)).toEqual(published)
    expect([...served]).toEqual([1, 2, 3, 4])
  })

  it('was true within the last 60 s, for readers far and near, busy and idle, with KV that fails now and then', async () => {
    const second = fc.integer({ min: 1, max: 160 })
    const history = fc.record({
      writes: fc.uniqueArray(second, { minLength: 1, maxLength: 6 }),
      published: fc.boolean(),
      outage: fc.tuple(second, second),
      lag: fc.integer({ min: 0, max: 60 }),
      every: fc.integer({ min: 1, max: 80 }),
    })
    await fc.assert(
      fc.asyncProperty(history, async ({ writes, published, outage: [from, to], lag, every }) => {
        const tenant = await createTenant()
        await tenant.flag()
        let now = 0
        await breakPublishing(tenant, () => now >= Math.min(from, to) && now <= Math.max(from, to))
        const far = farKv(tenant, lag)
        const [busy, idle, writer] = [
          reader(tenant, { kv: far.kv }),
          reader(tenant, { kv: far.kv }),
          reader(tenant),
        ]
        const truth = new Truth()
        truth.begins(1, 0)
        await far.note()
        const stale: { second: number; staleness: number }[] = []
        for (now = 1; now <= 160; now += 1) {
          tenant.clock.advance({ seconds: 1 })
          if (writes.includes(now)) {
            await writeSilently(tenant, `at ${now}`)
            truth.begins(await generationOf(tenant), now)
            if (published) await writer.publish(tenant.projectId)
          }
          stale.push(...(await staleResponses(tenant, busy, truth, now)))
          if (now % every === 0) stale.push(...(await staleResponses(tenant, idle, truth, now)))
          await Promise.all([busy.settle(), idle.settle()])
          await settled(tenant)
          await far.note()
        }
        expect(stale).toEqual([])
      }),
      { numRuns: propertyRuns(3, 8) },
    )
  }, 60_000)

  it('follows a change that was made through the API while KV rejected it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ name: 'first' })
    const edge = reader(tenant)
    await edge.load(tenant.projectId)
    let broken = true
    await breakPublishing(tenant, () => broken)
    expect((await tenant.patch(tenant.flags(flag.id), { name: 'second' })).status).toBe(200)
    expect(await pointerOf(tenant)).toMatchObject({ generation: 1 })

    tenant.clock.advance({ seconds: 21 })
    await edge.load(tenant.projectId)
    await edge.settle()
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'second' }])
    // It is published by whoever looks first once KV takes it.
    broken = false
    tenant.clock.advance({ seconds: 21 })
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(await pointerOf(tenant)).toEqual({ generation: 2, checked_at: tenant.clock.now().getTime() })
  })
})
