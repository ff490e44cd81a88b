// Flags outlive whatever they come from: D1, KV and the project object, each of them and all together, stalled and failing.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { open } from '../support/filters'
import { type TestResponse, createHarness, type Harness } from '../support/harness'
import { elapse, failingD1 } from '../support/faults/stalled-d1'
import { createTenant, type Tenant } from '../support/tenant'

type Failure = 'stalls' | 'fails'

interface Part {
  failure: Failure | null
  failedCalls: number
  /** Calls under way that will be answered. */
  underWay: number
}

const working = (): Part => ({ failure: null, failedCalls: 0, underWay: 0 })

/** A binding whose methods stall or fail while `state` says so. */
const failing = <T extends object>(real: T, state: Part) =>
  new Proxy(real, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        if (state.failure === null) {
          state.underWay += 1
          try {
            return (await Reflect.apply(member, target, args)) as unknown
          } finally {
            state.underWay -= 1
          }
        }
        state.failedCalls += 1
        if (state.failure === 'fails') throw new Error('it is gone')
        return new Promise(() => {})
      }
    },
  })

/** Bindings of one isolate, each ready to fail. */
function isolate(clock?: Tenant['clock']) {
  const main = failingD1(env.DB)
  const kv = working()
  const object = working()
  const projects = {
    getByName: (id: string) => failing(env.PROJECTS.getByName(id), object),
  } as unknown as Env['PROJECTS']
  const harness = createHarness({
    ...(clock ? { clock } : {}),
    bindings: { DB: main.d1, SNAPSHOTS: failing(env.SNAPSHOTS, kv), PROJECTS: projects },
  })
  const fail = (dependencies: readonly DependencyName[], failure: Failure) => {
    if (dependencies.includes('D1')) main.fail(failure === 'stalls' ? 'never answers' : 'loses connections')
    if (dependencies.includes('KV')) kv.failure = failure
    // The object needs D1 itself.
    if (dependencies.includes('the object') || dependencies.includes('D1')) object.failure = failure
  }
  const recover = () => {
    main.recover()
    kv.failure = null
    object.failure = null
  }
  return { harness, fail, recover, dependencies: [main, kv, object] }
}

type DependencyName = 'D1' | 'KV' | 'the object'

/** SDKs give up after 3 s. */
const MAX_MS = 2_000

let tenant: Tenant
let warm: ReturnType<typeof isolate>

beforeEach(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  warm = isolate()
  tenant = await createTenant({ harness: warm.harness })
  await tenant.flag({ key: 'everybody', filters: open() })
  for (const read of Object.values(READERS)) expect((await read(warm.harness)).status).toBe(200)
})
afterEach(() => vi.restoreAllMocks())

const READERS = {
  '/flags': (harness: Harness) =>
    harness.send('POST', '/flags/?v=2', { body: { token: tenant.projectToken, distinct_id: 'ada' } }),
  OFREP: (harness: Harness) =>
    harness.send('POST', '/ofrep/v1/evaluate/flags/everybody', {
      body: { context: { targetingKey: 'ada' } },
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    }),
  'local evaluation': (harness: Harness) =>
    harness.send('GET', `/api/feature_flag/local_evaluation/?token=${tenant.projectToken}`, {
      headers: { Authorization: `Bearer ${tenant.key}` },
    }),
}

const FAULTS: readonly (readonly [DependencyName[], Failure])[] = (['stalls', 'fails'] as const).flatMap(
  (failure) =>
    (
      [['D1'], ['KV'], ['the object'], ['KV', 'the object'], ['D1', 'KV', 'the object']] as DependencyName[][]
    ).map((dependencies) => [dependencies, failure] as const),
)

const isFlag = (name: keyof typeof READERS, { body }: TestResponse) =>
  name === '/flags'
    ? body.flags.everybody.enabled && body.errorsWhileComputingFlags === false
    : name === 'OFREP'
      ? body.value === true
      : body.flags[0].key === 'everybody'

const READER_NAMES = ['/flags', 'OFREP', 'local evaluation'] as const

describe.each(FAULTS)('when %j %s', (dependencies, failure) => {
  // All three read the same snapshot: the last two are tried while nothing answers.
  it.each(READER_NAMES.slice(0, dependencies.length === 3 ? 3 : 1))(
    '%s continues in an isolate that knows the flags, and says how old they are',
    async (name) => {
      warm.fail(dependencies, failure)
      const read = () => elapse(() => READERS[name](warm.harness), warm.dependencies, warm.harness.lines, 50)
      const fresh = await read()
      expect([fresh.value.status, isFlag(name, fresh.value)]).toEqual([200, true])
      expect(fresh.value.headers.get('X-Stale-Seconds')).toBeNull()
      expect(fresh.answeredMs).toBe(0)

      tenant.clock.advance({ minutes: 10 })
      const old = await read()
      expect([old.value.status, isFlag(name, old.value)]).toEqual([200, true])
      expect(old.answeredMs).toBeLessThanOrEqual(MAX_MS)
      // Where the object answers, or KV has what it confirmed, the flags are as fresh as ever.
      const isStale = dependencies.includes('D1') || dependencies.includes('the object')
      expect(old.value.headers.get('X-Stale-Seconds')).toBe(isStale ? '600' : null)
      expect(old.value.line.stale_s).toBe(isStale ? 600 : undefined)
    },
  )

  it('/flags and OFREP answer in an isolate that starts now, unless all of them are gone', async () => {
    tenant.clock.advance({ minutes: 10 })
    const cold = isolate(tenant.clock)
    cold.fail(dependencies, failure)
    for (const name of ['/flags', 'OFREP'] as const) {
      const { value, answeredMs: respondedMs } = await elapse(
        () => READERS[name](cold.harness),
        cold.dependencies,
        cold.harness.lines,
        50,
      )
      expect(respondedMs).toBeLessThanOrEqual(MAX_MS)
      if (dependencies.includes('KV') && dependencies.includes('the object')) {
        expect([value.status, value.headers.get('Retry-After')]).toEqual([503, '1'])
        continue
      }
      expect([value.status, isFlag(name, value)]).toEqual([200, true])
      const isStale = dependencies.includes('D1') || dependencies.includes('the object')
      expect(value.headers.get('X-Stale-Seconds')).toBe(isStale ? '600' : null)
    }
  })
})

it('an isolate asks its sources again after some seconds', async () => {
  warm.fail(['D1', 'KV', 'the object'], 'fails')
  tenant.clock.advance({ minutes: 10 })
  const age = async () => (await READERS['/flags'](warm.harness)).headers.get('X-Stale-Seconds')
  expect(await age()).toBe('600')
  warm.recover()
  expect(await age()).toBe('600')
  tenant.clock.advance({ seconds: 5 })
  expect(await age()).toBeNull()
})
