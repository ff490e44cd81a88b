// Gives the start of a runtime a deadline, after which another runtime replaces it. The pool waits without end for a runtime that never
// becomes ready, so that the run would not end.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolOptions, PoolWorker, Vite } from 'vitest/node'

/** The deadlines of attempts. A runtime becomes ready within 2 s on a quiet machine, and within 10 s on a busy one. */
const START_MS = 25_000

/** Together they take less than the 90 s that Vitest gives a worker. */
const MAX_STARTS = 3

type Create = (options: PoolOptions) => PoolWorker

/** Wraps the plugin of the pool, which makes the workers. */
export const startAgain = (): Vite.Plugin => ({
  name: 'start-again',
  configureVitest({ project }) {
    const pool = project.config.poolRunner!
    project.config.poolRunner = {
      ...pool,
      createPoolWorker: (options) => withDeadline(pool.createPoolWorker, options),
    }
  },
})

/** @returns a worker that Vitest uses like one of the pool */
function withDeadline(create: Create, options: PoolOptions): PoolWorker {
  let worker = create(options)
  return {
    name: worker.name,
    async start() {
      for (let starts = 1; !(await startsInTime(worker)); starts += 1) {
        process.stdout.write(`\nA runtime was not ready after ${START_MS / 1_000} s.\n`)
        // The pool can end a runtime only when it is ready, so that this one ends with the process of the tests.
        if (starts === MAX_STARTS) throw new Error(`None of ${MAX_STARTS} runtimes became ready.`)
        worker = create(options)
      }
    },
    stop: () => worker.stop(),
    on: (event, callback) => worker.on(event, callback),
    off: (event, callback) => worker.off(event, callback),
    send: (message) => worker.send(message),
    deserialize: (data) => worker.deserialize(data),
  }
}

async function startsInTime(worker: PoolWorker): Promise<boolean> {
  const timer = new AbortController()
  const started = worker.start().then(() => true)
  try {
    return await Promise.race([started, sleep(START_MS, false, { signal: timer.signal })])
  } finally {
    timer.abort()
    // The result of a start after its deadline is ignored.
    started.catch(() => {})
  }
}
