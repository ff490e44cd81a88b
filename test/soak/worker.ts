// The Worker that the soak serves: the service, whose bindings fail when they are told to. Never deployed: `wrangler.toml` names src/index.ts.
import worker, { ChangeStream, ProjectObject as RealProjectObject, QueryGate } from '../../src/index'
import { interceptedD1 } from '../support/faults/intercepted-d1'
import { type Binding, type Fault, FAULT_PATH, SQL_PATH, type SqlQuestion } from './faults'

export { ChangeStream, QueryGate }

/** A local runtime has one isolate for requests, objects and queues. */
let fault: (Fault & { until: number }) | null = null

const SLOW_MS = 250

async function pass<T>(binding: Binding, run: () => Promise<T>): Promise<T> {
  const now = Date.now()
  if (fault?.binding !== binding || now >= fault.until || Math.random() >= fault.share) return run()
  switch (fault.kind) {
    case 'stalls':
      await scheduler.wait(fault.until - now)
      break
    case 'refuses':
      break
    case 'loses responses':
      await run()
      break
    case 'is slow':
      await scheduler.wait(SLOW_MS)
      return run()
  }
  throw new Error('D1_ERROR: Network connection lost.')
}

type Methods = Record<string | symbol, (...parameters: unknown[]) => Promise<unknown>>

/** A binding whose methods all pass through the fault. */
const faulty = <T extends object>(binding: Binding, real: T): T =>
  new Proxy(real, {
    get: (target, name) => {
      const method = (target as Methods)[name]
      if (typeof method !== 'function') return method
      return (...parameters: unknown[]) => pass(binding, () => (target as Methods)[name]!(...parameters))
    },
  })

const wrapped = new WeakMap<Env, Env>()

function withFaults(env: Env): Env {
  const known = wrapped.get(env)
  if (known) return known
  const made: Env = {
    ...env,
    DB: interceptedD1(env.DB, ({ run }) => pass('DB', run)),
    EVENTS: interceptedD1(env.EVENTS, ({ run }) => pass('EVENTS', run)),
    SNAPSHOTS: faulty('SNAPSHOTS', env.SNAPSHOTS),
    PROJECTS: {
      getByName: (name: string) => faulty('PROJECTS', env.PROJECTS.getByName(name)),
    } as unknown as Env['PROJECTS'],
    INGESTION: faulty('INGESTION', env.INGESTION),
    BUILDS: faulty('BUILDS', env.BUILDS),
  }
  wrapped.set(env, made)
  return made
}

export class ProjectObject extends RealProjectObject {
  constructor(state: DurableObjectState, env: Env) {
    super(state, withFaults(env))
  }
}

async function control(request: Request, env: Env, path: string): Promise<Response> {
  if (path === FAULT_PATH) {
    const wanted = await request.json<Fault | null>()
    fault = wanted && { ...wanted, until: Date.now() + wanted.durationMs }
    return Response.json(null)
  }
  const { database, sql, values } = await request.json<SqlQuestion>()
  const { results } = await env[database]
    .prepare(sql)
    .bind(...values)
    .all()
  return Response.json(results)
}

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url)
    if (pathname === FAULT_PATH || pathname === SQL_PATH) return control(request, env, pathname)
    return worker.fetch(request, withFaults(env), context)
  },
  queue: (batch, env, context) => worker.queue(batch, withFaults(env), context),
  scheduled: (event, env) => worker.scheduled(event, withFaults(env)),
} satisfies ExportedHandler<Env>
