// How old a response can be, whatever becomes of publishing: second by second on the test clock.
import { runInDurableObject } from 'cloudflare:test'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gateway, generationOf, markInKv, objectOf, putAtOnce, settled } from '../project/support'
import type { ProjectObjects } from '../../src/deps'
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

interface Response {
  second: number
  staleness: number
  isMarked: boolean
}

async function responseOf(tenant: Tenant, edge: Reader, truth: Truth, second: number): Promise<Response> {
  const marked = edge.staleAges.length
  const loaded = await edge.load(tenant.projectId)
  await edge.settle()
  const staleness = truth.staleness(loaded!.snapshot.generation, second)
  return { second, staleness, isMarked: edge.staleAges.length > marked }
}

const isBroken = ({ staleness, isMarked }: Response) => !isMarked && staleness > PROMISE_S

describe('a snapshot that is served', () => {
  it('was true within the last 60 s, though no change is ever published', async () => {
    const tenant = await createTenant()
    await tenant.flag()
    const edge = reader(tenant)
    const truth = new Truth()
    truth.begins(1, 0)
    await edge.load(tenant.projectId)
    const published = await markInKv(tenant)
    await breakPublishing(tenant, () => true)

    const served = new Set<number>()
    for (let second = 1; second <= 200; second += 1) {
      tenant.clock.advance({ seconds: 1 })
      if (second % 70 === 1) {
        await writeSilently(tenant, `at ${second}`)
        truth.begins(await generationOf(tenant), second)
      }
      const response = await responseOf(tenant, edge, truth, second)
      // One look of 5 s, and the read that causes it.
      expect(response.staleness).toBeLessThanOrEqual(7)
      served.add((await edge.load(tenant.projectId))!.snapshot.generation)
      await settled(tenant)
    }
    expect(await markInKv(tenant)).toEqual(published)
    expect([...served]).toEqual([1, 2, 3, 4])
  })

  it('was true within the last 60 s or is marked, for busy and idle readers, with an object and KV that fail', async () => {
    const second = fc.integer({ min: 1, max: 160 })
    const history = fc.record({
      writes: fc.uniqueArray(second, { minLength: 1, maxLength: 6 }),
      published: fc.boolean(),
      outage: fc.tuple(second, second),
      every: fc.integer({ min: 1, max: 80 }),
    })
    await fc.assert(
      fc.asyncProperty(history, async ({ writes, published, outage: [from, to], every }) => {
        const tenant = await createTenant()
        await tenant.flag()
        let now = 0
        const isOut = () => now >= Math.min(from, to) && now <= Math.max(from, to)
        await breakPublishing(tenant, isOut)
        const { publish, document } = gateway()
        const projects: Pick<ProjectObjects, 'publish' | 'document'> = {
          publish: (...of) => (isOut() ? Promise.reject(new Error('lost')) : publish(...of)),
          document: (...of) => (isOut() ? Promise.reject(new Error('lost')) : document(...of)),
        }
        const [busy, idle] = [reader(tenant, { projects }), reader(tenant, { projects })]
        const writer = reader(tenant)
        const truth = new Truth()
        truth.begins(1, 0)
        const broken: Response[] = []
        for (now = 1; now <= 160; now += 1) {
          tenant.clock.advance({ seconds: 1 })
          if (writes.includes(now)) {
            await writeSilently(tenant, `at ${now}`)
            truth.begins(await generationOf(tenant), now)
            if (published) await writer.publish(tenant.projectId)
          }
          broken.push(...[await responseOf(tenant, busy, truth, now)].filter(isBroken))
          if (now % every === 0) broken.push(...[await responseOf(tenant, idle, truth, now)].filter(isBroken))
          await settled(tenant)
        }
        expect(broken).toEqual([])
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
    expect(await markInKv(tenant)).toMatchObject({ generation: 1 })

    tenant.clock.advance({ seconds: 21 })
    await edge.load(tenant.projectId)
    await edge.settle()
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'second' }])
    // It is published by whoever looks first once KV takes it.
    broken = false
    tenant.clock.advance({ seconds: 21 })
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(await markInKv(tenant)).toMatchObject({ generation: 2, checkedAt: tenant.clock.now().getTime() })
  })
})
