// Serializes jobs, because input gates of a Durable Object do not hold across an await on D1.
import { unavailable } from '../errors'

export interface SerialQueue {
  /**
   * Runs `job` when every job before it has ended, even if it failed.
   * @throws what the job throws; 503 when too many jobs wait
   */
  run<T>(job: () => Promise<T>): Promise<T>
  /**
   * Runs a job like `run`, when all jobs are the same: a call that arrives while another one waits shares its outcome. The outcome of a job
   * that has begun is not shared, because it may have missed the change.
   */
  runShared<T>(job: () => Promise<T>): Promise<T>
}

/** @param capacity how many jobs may wait */
export function createSerialQueue(capacity: number): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let shared: Promise<unknown> | null = null

  function run<T>(job: () => Promise<T>): Promise<T> {
    if (waiting >= capacity)
      return Promise.reject(unavailable('Too many changes wait for this project. Please retry.'))
    waiting += 1
    const outcome = tail.then(() => {
      waiting -= 1
      return job()
    })
    // A failure rejects its caller only; the queue continues.
    tail = outcome.catch(() => undefined)
    return outcome
  }

  function runShared<T>(job: () => Promise<T>): Promise<T> {
    if (shared) return shared as Promise<T>
    const outcome = run(() => {
      shared = null
      return job()
    })
    shared = outcome
    // A job that the queue rejected never begins.
    outcome.catch(() => shared === outcome && (shared = null))
    return outcome
  }

  return { run, runShared }
}
