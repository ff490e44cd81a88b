// The bindings of a Worker, each of which can be made to fail.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { sleep } from '../../../src/deadline'
import { interceptedD1 } from './intercepted-d1'
import { hasSpace, isWrite } from './stalled-d1'

export type Dependency = 'DB' | 'EVENTS' | 'SNAPSHOTS' | 'PROJECTS' | 'QUERY_GATES' | 'INGESTION'

export type Fault =
  | 'does not answer'
  | 'fails'
  /** Does the work, but loses the response; for databases, the responses of writes. */
  | 'fails after its work'
  /** Rejects writes, for databases. */
  | 'is full'

/** After which the platform ends a call. It is longer than the Worker waits. */
const CALL_LIMIT_MS = 30_000

const MESSAGES: Record<Fault, string> = {
  'does not answer': 'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  fails: 'D1_ERROR: Network connection lost.',
  'fails after its work': 'D1_ERROR: Network connection lost.',
  'is full': 'D1_ERROR: Exceeded maximum DB size.',
}

interface State {
  fault: Fault | null
  failedCalls: number
  /** Calls in progress that will be answered. */
  underWay: number
}

export interface FaultyBindings {
  bindings: Partial<Env>
  /** The time for `elapse`. */
  states: readonly State[]
  fail(dependency: Dependency, fault: Fault): void
  recover(): void
}

export function faultyBindings(queue: Queue): FaultyBindings {
  const states = {} as Record<Dependency, State>

  function dependency(name: Dependency) {
    const state: State = { fault: null, failedCalls: 0, underWay: 0 }
    states[name] = state
    return async function pass<T>(
      run: () => Promise<T>,
      isServed: (fault: Fault) => Promise<boolean> = async () => false,
    ): Promise<T> {
      const { fault } = state
      if (fault === null || (await isServed(fault))) {
        state.underWay += 1
        return run().finally(() => (state.underWay -= 1))
      }
      state.failedCalls += 1
      if (fault === 'does not answer') await sleep(CALL_LIMIT_MS)
      if (fault === 'fails after its work') await run()
      throw new Error(MESSAGES[fault])
    }
  }

  const database = (name: 'DB' | 'EVENTS') => {
    const pass = dependency(name)
    return interceptedD1(env[name], ({ texts, run }) =>
      pass(run, async (fault) => {
        if (fault === 'is full') return hasSpace(env[name], texts)
        return fault === 'fails after its work' && !isWrite(texts)
      }),
    )
  }

  /** Returns the same object, whose methods pass through the fault. */
  const through = <T extends object>(pass: ReturnType<typeof dependency>, real: T): T =>
    new Proxy(real, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => pass(async () => Reflect.apply(member, target, args) as unknown)
      },
    })

  /** Returns the objects of a namespace, whose methods pass through the fault. */
  const objectsOf = <N extends 'PROJECTS' | 'QUERY_GATES'>(name: N): Env[N] => {
    const pass = dependency(name)
    return { getByName: (id: string) => through(pass, env[name].getByName(id)) } as unknown as Env[N]
  }

  return {
    bindings: {
      DB: database('DB'),
      EVENTS: database('EVENTS'),
      SNAPSHOTS: through(dependency('SNAPSHOTS'), env.SNAPSHOTS),
      INGESTION: through(dependency('INGESTION'), queue),
      PROJECTS: objectsOf('PROJECTS'),
      QUERY_GATES: objectsOf('QUERY_GATES'),
    },
    states: Object.values(states),
    fail(name, fault) {
      Object.assign(states[name], { fault, failedCalls: 0 })
    },
    recover() {
      for (const state of Object.values(states)) state.fault = null
    },
  }
}

/** Gives a project's object other bindings, until it is evicted. */
export const replaceBindings = (projectId: number, bindings: Partial<Env>): Promise<void> =>
  runInDurableObject(env.PROJECTS.getByName(`project:${projectId}`), (object) => {
    Reflect.set(object, 'env', { ...(Reflect.get(object, 'env') as Env), ...bindings })
  })
