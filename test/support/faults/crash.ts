// Bindings that fail at their n-th call, counted over both databases, the queues and the project objects. They simulate a Worker that ends
// there, or a lost call.
import { env } from 'cloudflare:workers'
import { interceptedD1 } from './intercepted-d1'

/** What happens at the n-th call, which takes effect. A Worker that ends makes no further call. */
export type Crash = 'dies after a call' | 'loses a response'

export const CRASHES: readonly Crash[] = ['dies after a call', 'loses a response']

export interface Crashing {
  bindings: Pick<Env, 'DB' | 'EVENTS' | 'PROJECTS' | 'INGESTION' | 'BUILDS'>
  /** Returns whether there was an n-th call. */
  hasCrashed(): boolean
}

interface Queues {
  INGESTION?: Queue
  BUILDS?: Queue
}

/** @param at the number of the call, from 1 */
function crashing(crash: Crash, at: number, queues: Queues = {}): Crashing {
  let calls = 0
  async function pass<T>(run: () => Promise<T>): Promise<T> {
    calls += 1
    const lost = new Error('D1_ERROR: Network connection lost.')
    if (calls < at || (calls > at && crash === 'loses a response')) return run()
    if (calls === at) await run()
    throw lost
  }
  const queue = (real: Queue) =>
    ({
      send: (body: unknown) => pass(() => real.send(body)),
      sendBatch: (messages: Iterable<MessageSendRequest>) => pass(() => real.sendBatch(messages)),
    }) as unknown as Queue
  const object = (stub: object) =>
    new Proxy(stub, {
      get: (target, name) => {
        const method = (target as Record<string | symbol, (...parameters: unknown[]) => Promise<unknown>>)[
          name
        ]!
        return (...parameters: unknown[]) => pass(() => method(...parameters))
      },
    })
  return {
    bindings: {
      DB: interceptedD1(env.DB, ({ run }) => pass(run)),
      EVENTS: interceptedD1(env.EVENTS, ({ run }) => pass(run)),
      PROJECTS: {
        getByName: (name: string) => object(env.PROJECTS.getByName(name)),
      } as unknown as Env['PROJECTS'],
      INGESTION: queue(queues.INGESTION ?? env.INGESTION),
      BUILDS: queue(queues.BUILDS ?? env.BUILDS),
    },
    hasCrashed: () => calls >= at,
  }
}

/**
 * Runs `work` with a crash at the first call, then at the second, until there is none.
 * @returns the number of calls
 */
export async function atEveryCall(
  crash: Crash,
  work: (crashAt: (queues?: Queues) => Crashing) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at += 1) {
    let made: Crashing | null = null
    await work((queues) => (made = crashing(crash, at, queues)))
    if (!made) throw new Error('nothing was made to crash')
    if (!(made as Crashing).hasCrashed()) return at - 1
  }
}
