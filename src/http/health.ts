// Serves `/health`, which says whether the Worker responds, and `/ready`, which says whether its dependencies respond. Both are
// public.
import { Hono } from 'hono'
import { openShard, shardsOf } from '../storage/shards'
import { within } from '../deadline'
import type { Deps } from '../deps'
import { maxBytesOf, type SizeWarning, sizeOf, sizeWarning } from '../storage/database-size'
import { meteredD1 } from '../storage/metered-d1'
import type { AppEnv } from './app-env'
import { describeError } from './log/request-log'
import { rejectOtherMethods } from './other-methods'

const DEADLINE_MS = 3_000

/** No project has this id, so that its object only looks it up. */
const NO_PROJECT = 0

/** What the service depends on. Flags need what is required; saved queries also need a shard each. */
interface Dependency {
  name: string
  isRequired: boolean
  /**
   * Makes a cheap check.
   * @returns a warning, or null
   */
  probe(): Promise<SizeWarning | null>
}

function dependenciesOf(deps: Deps): Dependency[] {
  const { env, projectObjects, clock, meter, eventsMeter } = deps
  const required = (name: string, work: () => Promise<unknown>): Dependency => ({
    name,
    isRequired: true,
    probe: async () => {
      await work()
      return null
    },
  })
  const sizeIn = async (binding: string, d1: D1Database) =>
    sizeWarning(binding, await sizeOf(d1), maxBytesOf(env))
  return [
    { name: 'database', isRequired: true, probe: async () => sizeIn('DB', meteredD1(env.DB, meter)) },
    required('project_object', () => projectObjects.publish(NO_PROJECT, clock.now())),
    required('snapshots', () => probeKv(env.SNAPSHOTS, clock.now().getTime())),
    ...shardsOf(env).map((shard): Dependency => ({
      name: shard.toLowerCase(),
      isRequired: false,
      probe: async () => sizeIn(shard, openShard(env, shard, eventsMeter).d1),
    })),
  ]
}

/** The time between two writes to KV in an isolate. KV accepts one write per second of a key. */
const KV_WRITE_INTERVAL_MS = 60_000
let kvWrittenAt = -Infinity

/** Reads a key, and writes it once a minute in each isolate. KV may reject writes only, in which case definitions are not published. */
async function probeKv(kv: KVNamespace, now: number): Promise<void> {
  await kv.get(KV_PROBE)
  if (Math.abs(now - kvWrittenAt) < KV_WRITE_INTERVAL_MS) return
  await kv.put(KV_PROBE, String(now))
  kvWrittenAt = now
}

const KV_PROBE = 'ready'

/** Routes of the probes. The response names the dependencies that fail; the log says why. */
export function healthRoutes(): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  router.get('/health', (c) => {
    c.set('route', '/health')
    return c.json({ status: 'ok' })
  })
  router.get('/ready', async (c) => {
    c.set('route', '/ready')
    const deps = c.get('deps')
    const dependencies = await Promise.all(
      dependenciesOf(deps).map(async (dependency) => ({ ...dependency, ...(await resultOf(dependency)) })),
    )
    const checks = Object.fromEntries(
      dependencies.map(({ name, problem }) => [name, problem ? 'failed' : 'ok']),
    )
    const warnings = dependencies.flatMap(({ warning }) => warning ?? [])
    const failed = dependencies.filter(({ problem }) => problem)
    const error = new Error(failed.map(({ name, problem }) => `${name}: ${problem}`).join('\n'))
    if (failed.some(({ isRequired }) => isRequired)) {
      c.error = error
      return c.json({ status: 'failed', checks, warnings }, 503, { 'Retry-After': '5' })
    }
    if (failed.length > 0) {
      deps.log({ level: 'error', message: 'an analytics shard failed its probe', error: error.message })
    }
    return c.json({ status: failed.length > 0 ? 'degraded' : 'ok', checks, warnings })
  })
  for (const path of ['/health', '/ready']) {
    rejectOtherMethods(router, path, ['GET'])
  }
  return router
}

interface Result {
  warning: SizeWarning | null
  /** Why the dependency failed, for the log. It is null when the dependency works. */
  problem: string | null
}

const resultOf = ({ probe }: Dependency): Promise<Result> =>
  within(probe(), DEADLINE_MS, () => new Error(`no response within ${DEADLINE_MS} ms`)).then(
    // A full database rejects every write.
    (warning) => ({ warning, problem: warning?.code === 'database_full' ? warning.detail : null }),
    (error: unknown) => ({ warning: null, problem: describeError(error) }),
  )
