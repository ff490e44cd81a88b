// What happens when a part of the service fails: every group of operations, with every fault of every part. Nothing that was acknowledged is lost,
// and everything works again by itself. The measured table stands in the guide.
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sleep } from '../../src/deadline'
import guide from '../../src/docs/guide/faults.md?raw'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { createMeter } from '../../src/storage/metered-d1'
import { FILL_RESERVE } from '../../src/storage/reserve'
import { PAID } from '../sdk/flags-support'
import { event } from '../support/capture'
import {
  type Dependency,
  type Fault,
  type FaultyBindings,
  faultyBindings,
  replaceBindings,
} from '../support/faults/faulty-bindings'
import { putAtOnce, settled } from '../project/support'
import { hogql } from '../support/endpoints/endpoints'
import { open } from '../support/filters'
import { type TestResponse, createHarness, type Harness } from '../support/harness'
import { createIngestionQueue, type IngestionQueue } from '../support/ingestion-queue'
import { elapse } from '../support/faults/stalled-d1'
import { createTenant, database, type Tenant } from '../support/tenant'
import { freshIp, PASSWORD, passwordHash, updateUser } from '../support/user'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

const FAULTS: Readonly<Record<Dependency, readonly Fault[]>> = {
  DB: ['does not answer', 'fails', 'fails after its work', 'is full'],
  EVENTS: ['does not answer', 'fails', 'fails after its work', 'is full'],
  // No request uses it.
  SNAPSHOTS: ['fails'],
  PROJECTS: ['does not answer', 'fails', 'fails after its work'],
  QUERY_GATES: ['does not answer', 'fails'],
  INGESTION: ['does not answer', 'fails', 'fails after its work'],
}

/** A project before the fault, and the isolate that serves it. */
interface Scene {
  tenant: Tenant
  isolate: Harness
  queue: IngestionQueue
  faulty: FaultyBindings
  /** Of `doomed` flags. */
  flagIds: number[]
}

interface Group {
  name: string
  /** Whether the isolate has served the project before. */
  isCold?: boolean
  call(scene: Scene, isolate: Harness): Promise<TestResponse>
  /** How often the request took effect; none for reads. */
  effects?(scene: Scene): Promise<number>
}

const count = async (db: D1Database, from: string, ...values: unknown[]): Promise<number> =>
  (await db
    .prepare(`SELECT count(*) AS n FROM ${from}`)
    .bind(...values)
    .first<number>('n'))!

const sdk = ({ projectToken }: Tenant) => ({ Authorization: `Bearer ${projectToken}` })
const bearer = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` })

const evaluate = ({ tenant }: Scene, isolate: Harness, flagKey: string) =>
  isolate.send('POST', '/flags/?v=2', {
    body: { token: tenant.projectToken, distinct_id: 'ada', flag_keys_to_evaluate: [flagKey] },
  })

const CAPTURED = '0195a000-0000-7000-8000-0000000000f1'

const GROUPS: readonly Group[] = [
  { name: '`/flags`', call: (scene, isolate) => evaluate(scene, isolate, 'everybody') },
  { name: '`/flags`, by properties of a person', call: (scene, isolate) => evaluate(scene, isolate, 'paid') },
  {
    name: '`/flags`, new isolate',
    isCold: true,
    call: (scene, isolate) => evaluate(scene, isolate, 'everybody'),
  },
  {
    name: 'OFREP',
    call: ({ tenant }, isolate) =>
      isolate.send('POST', '/ofrep/v1/evaluate/flags/everybody', {
        body: { context: { targetingKey: 'ada' } },
        headers: sdk(tenant),
      }),
  },
  {
    name: 'local evaluation',
    call: ({ tenant }, isolate) =>
      isolate.send('GET', `/api/feature_flag/local_evaluation/?token=${tenant.projectToken}`, {
        headers: bearer(tenant),
      }),
  },
  {
    name: 'reading flags',
    call: ({ tenant }, isolate) => isolate.send('GET', tenant.flags(), { headers: bearer(tenant) }),
  },
  {
    name: 'writing a flag',
    call: ({ tenant }, isolate) =>
      isolate.send('POST', tenant.flags(), {
        body: { key: 'added', filters: open() },
        headers: bearer(tenant),
      }),
    effects: ({ tenant }) =>
      count(env.DB, `feature_flags WHERE project_id = ? AND key = 'added'`, tenant.projectId),
  },
  {
    name: 'bulk delete',
    call: ({ tenant, flagIds }, isolate) =>
      isolate.send('POST', `${tenant.flags()}bulk_delete/`, {
        body: { ids: flagIds },
        headers: bearer(tenant),
      }),
    effects: async ({ tenant, flagIds }) =>
      (await count(env.DB, `feature_flags WHERE project_id = ? AND deleted`, tenant.projectId)) /
      flagIds.length,
  },
  {
    name: 'signing in',
    call: ({ tenant }, isolate) =>
      isolate.send('POST', '/api/login/', {
        body: { email: tenant.user.email, password: PASSWORD },
        headers: { 'CF-Connecting-IP': freshIp() },
      }),
  },
  {
    name: 'capture',
    call: ({ tenant }, isolate) =>
      isolate.send('POST', '/batch/', {
        body: {
          api_key: tenant.projectToken,
          batch: [{ ...event('ada', { $set: { seen: true } }), uuid: CAPTURED }],
        },
      }),
    effects: async ({ tenant, queue }) => {
      if (queue.waiting.some((message) => message.includes(CAPTURED))) return 1
      return count(env.EVENTS, 'events WHERE project_id = ? AND uuid = ?', tenant.projectId, CAPTURED)
    },
  },
  {
    name: 'running a saved query',
    call: ({ tenant }, isolate) =>
      isolate.send('GET', `${tenant.endpoints('counts')}run`, { headers: bearer(tenant) }),
  },
  {
    name: 'running an expensive query',
    call: ({ tenant }, isolate) =>
      isolate.send('POST', `${tenant.endpoints('expensive')}run`, {
        body: { refresh: 'force' },
        headers: bearer(tenant),
      }),
  },
]

async function createScene(): Promise<Scene> {
  const queue = createIngestionQueue()
  const faulty = faultyBindings(queue.binding as Queue)
  const isolate = createHarness({ bindings: faulty.bindings })
  const tenant = await createTenant({ harness: createHarness({ clock: isolate.clock }) })
  await updateUser(tenant, { passwordHash: await passwordHash() })
  await putAtOnce(tenant)
  await tenant.flag({ key: 'everybody', filters: open() })
  await tenant.flag({ key: 'paid', filters: PAID })
  const doomed = [await tenant.flag({ key: 'doomed-1' }), await tenant.flag({ key: 'doomed-2' })]
  await tenant.endpoint({ name: 'counts', query: hogql('SELECT count() FROM events') })
  await tenant.endpoint({ name: 'expensive', query: hogql('SELECT count() FROM numbers(400000)') })
  // The snapshot in KV is old.
  tenant.clock.advance({ minutes: 3 })
  return { tenant, isolate, queue, faulty, flagIds: doomed.map(({ id }) => id) }
}

/** Groups of which nothing is cached, and which take long. */
const NOT_FOR_WARMTH: ReadonlySet<string> = new Set(['signing in', 'running an expensive query'])

/** Has the isolate know the flags, the token and the key. */
async function warmUp(at: Scene): Promise<void> {
  for (const { name, call, effects } of GROUPS) {
    if (!effects && !NOT_FOR_WARMTH.has(name)) expect((await call(at, at.isolate)).status, name).toBe(200)
  }
  await settled(at.tenant)
}

beforeEach(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(console, 'log').mockReturnValue()
  await env.DB.prepare(FILL_RESERVE).run()
})
afterEach(() => vi.restoreAllMocks())

describe.each(Object.keys(FAULTS) as Dependency[])('when %s', (dependency) => {
  it.each(FAULTS[dependency])(
    '%s, nothing is lost, and everything works again by itself',
    async (fault) => {
      const rows = rowsOf(dependency)
      const stated = rows.map(([name, ...results]) => [name, results[FAULTS[dependency].indexOf(fault)]])
      // A part that fails at every call shows which groups use it; its other faults are for those.
      const groups = GROUPS.filter(({ name }) => fault === 'fails' || rows.some(([row]) => row === name))
      const [inObject, elsewhere] = [true, false].map((isIn) =>
        groups.filter((group) => isInObject(dependency, group) === isIn),
      )
      const at = await createScene()
      const seen: [string, string][] = []
      for (const group of elsewhere!) seen.push([group.name, await outcome(at, dependency, fault, group)])
      // These wait in real time, side by side.
      seen.push(
        ...(await Promise.all(
          inObject!.map(async (group): Promise<[string, string]> => {
            const own = await createScene()
            return [group.name, await outcome(own, dependency, fault, group)]
          }),
        )),
      )
      const inUse = (results: unknown[][]) =>
        Object.fromEntries(results.filter(([, result]) => result !== NOT_USED))
      expect(inUse(seen)).toEqual(inUse(stated))
    },
    120_000,
  )
})

/** What the guide states of each group that uses the part: its name, and the result of each fault. */
function rowsOf(dependency: Dependency): string[][] {
  const [, below = ''] = guide.split(`| When ${TITLES[dependency]} `)
  const [rows = ''] = below.split('\n\n')
  return rows
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim()),
    )
}

/** Whether the object calls the part: the clock of a test does not reach its timers. */
const isInObject = (dependency: Dependency, { name }: Group): boolean =>
  dependency === 'DB' && ['bulk delete', 'writing a flag'].includes(name)

/** Injects a fault into one call. @returns what it comes to. @throws where something is lost, or does not work again. */
async function outcome(at: Scene, dependency: Dependency, fault: Fault, group: Group): Promise<string> {
  const { tenant, faulty } = at
  await warmUp(at)
  const isolate = group.isCold
    ? createHarness({ clock: tenant.clock, bindings: faulty.bindings })
    : at.isolate
  faulty.fail(dependency, fault)
  const isObjects = isInObject(dependency, group)
  const measure = isObjects ? timed : elapse
  if (isObjects) await replaceBindings(tenant.projectId, faulty.bindings)
  const { value: first, answeredMs: respondedMs } = await measure(
    async () => {
      const response = await group.call(at, isolate)
      // Calls that nobody waits for any more end at their deadlines.
      if (!isObjects && isInUse(faulty)) await sleep(MAX_CALL_MS)
      return response
    },
    // Hashing a password waits by itself.
    group.name === 'signing in' ? [...faulty.states, { failedCalls: 1, underWay: 0 }] : faulty.states,
    isolate.lines,
    STEP_MS,
  )
  const isUsed = isInUse(faulty)
  const written = await group.effects?.(at)
  faulty.recover()
  if (isObjects) await replaceBindings(tenant.projectId, { DB: env.DB })

  const isDone = first.status < 400
  if (group.effects && !isDone) await group.call(at, isolate)
  await settle(at)
  if (group.effects) expect(await group.effects(at), group.name).toBe(1)
  const recoveryS = group.effects ? await visibleAfter(at, group) : await worksAfter(at, isolate, group)
  if (!isUsed) return NOT_USED
  return [
    shownResponse(first),
    respondedMs >= 4_000 ? `${Math.floor(respondedMs / 1_000)} s` : null,
    !isDone && written === 1 ? 'written' : null,
    recoveryS > 0 ? `again after ${recoveryS} s` : null,
  ]
    .filter(Boolean)
    .join(', ')
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; answeredMs: number }> {
  const began = Date.now()
  return { value: await work(), answeredMs: Date.now() - began }
}

const NOT_USED = 'not used'

const STEP_MS = 250
/** Longer than any call of the Worker or of the object waits. */
const MAX_CALL_MS = 20_000

const isInUse = ({ states }: FaultyBindings): boolean => states.some(({ failedCalls }) => failedCalls > 0)

/** Has everything happen that happens by itself after a fault: the queue, the minute's trigger. */
async function settle({ tenant, queue }: Scene): Promise<void> {
  await queue.drain(env, () => undefined)
  tenant.clock.advance({ minutes: 3 })
  await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
  const own = { ...env, INGESTION: queue.binding } as Env
  await performDueTasks(
    { db: database(), env: own, meter: createMeter() },
    tenant.clock.now(),
    () => undefined,
  )
  await queue.drain(env, () => undefined)
}

const MAX_RECOVERY_S = 120

/** Seconds until a read answers as it did before the fault. */
async function worksAfter(at: Scene, isolate: Harness, group: Group): Promise<number> {
  for (let seconds = 0; ; seconds += 1) {
    const { status, body } = await group.call(at, isolate)
    if (status < 300 && body?.errorsWhileComputingFlags !== true) return seconds
    expect(seconds, 'recovers').toBeLessThan(MAX_RECOVERY_S)
    at.tenant.clock.advance({ seconds: 1 })
  }
}

/** Seconds until evaluation sees what was written; 0 for what it never sees. */
async function visibleAfter(at: Scene, { name }: Group): Promise<number> {
  for (let seconds = 0; ; seconds += 1) {
    const [added, doomed] = [
      await evaluate(at, at.isolate, 'added'),
      await evaluate(at, at.isolate, 'doomed-1'),
    ]
    const isVisible =
      name === 'writing a flag'
        ? 'added' in added.body.flags
        : name !== 'bulk delete' || !('doomed-1' in doomed.body.flags)
    if (isVisible) return seconds
    expect(seconds, 'is visible').toBeLessThan(MAX_RECOVERY_S)
    at.tenant.clock.advance({ seconds: 1 })
  }
}

function shownResponse({ status, body, headers }: TestResponse): string {
  if (body?.errorsWhileComputingFlags === true) return `${status} with \`errorsWhileComputingFlags\``
  const stale = headers.get('X-Stale-Seconds')
  return [status, status >= 500 ? `\`${body.code}\`` : null, stale ? 'stale' : null].filter(Boolean).join(' ')
}

const TITLES: Readonly<Record<Dependency, string>> = {
  DB: 'the main database',
  EVENTS: 'the shard of the project',
  SNAPSHOTS: 'KV',
  PROJECTS: 'the object of the project',
  QUERY_GATES: 'the gate of expensive queries',
  INGESTION: 'the queue of events',
}
