// Serializes jobs: input gates of a Durable Object do not hold across an await on D1.
import { unavailable } from '../errors'

export interface SerialQueue {
  /**
   * Runs `job` when every job before it has ended, even if it failed.
   * @throws what the job throws; 503 when too many wait already.
   */
  run<T>(job: () => Promise<T>): Promise<T>
  /**
   * Like `run`, but a call that arrives while another with the same name still waits shares that one's outcome.
   * A job that has started is not shared: it may have missed the change.
   */
  fold<T>(name: string, job: () => Promise<T>): Promise<T>
}

/** @param capacity how many jobs may wait. */
export function createSerialQueue(capacity: number): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const foldable = new Map<string, Promise<unknown>>()

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

  return {
    run,
    fold<T>(name: string, job: () => Promise<T>): Promise<T> {
      const shared = foldable.get(name) as Promise<T> | undefined
      if (shared) return shared
      const outcome = run(() => {
        foldable.delete(name)
        return job()
      })
      foldable.set(name, outcome)
      // Rejected before it started.
      outcome.catch(() => foldable.get(name) === outcome && foldable.delete(name))
      return outcome
    },
  }
}
