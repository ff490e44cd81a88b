// The Worker's end of the gates: heavy queries wait here for their turn.
import { queryCapacity, tooManyAtOnce } from '../engine/limits'
import type { AnalyticsStore } from '../../storage/shards'
import type { QueueLimits } from './fair-queue'
import type { QueryGate, Turn } from './query-gate'

/** How long a query waits for its turn. The longest one under way has ended by then. */
export const MAX_WAIT_MS = 12_000

declare module '../../deps' {
  interface Deps {
    /** Where heavy queries wait for their turn. */
    queryGates: QueryGates
  }
}

export interface QueryGates {
  /**
   * Waits for the turn of a query, and starts it. The turn ends when the query does, also when nobody waits for it any more: databases go
   * on with what they have begun.
   * @param weight of the query, in the unit of `limits`.
   * @throws 429 when the project has as many queries under way as it may, 503 when other projects have.
   */
  pass<T>(gate: Gate, weight: number, start: () => Promise<T>): Promise<Started<T>>
}

/** The gate of a project's queries. */
export interface Gate {
  projectId: number
  store: AnalyticsStore
  limits: QueueLimits
}

/** In an object: to wait for the start is not to wait for the end. */
export interface Started<T> {
  result: Promise<T>
}

/**
 * @param waitUntil keeps the caller's context until work has ended, also when nobody waits for the response any more.
 * @param waitMs how long queries wait for their turn.
 */
export function createQueryGates(
  namespace: DurableObjectNamespace<QueryGate>,
  waitUntil: (work: Promise<unknown>) => void,
  waitMs = MAX_WAIT_MS,
): QueryGates {
  return {
    pass({ projectId, store, limits }, weight, start) {
      const stub = namespace.getByName(store.queryEngine === 'd1' ? store.shard : `clickhouse:${projectId}`)
      const started = begin()
      // Callers who hang up take nothing with them: what has a turn ends it.
      waitUntil(started.catch(() => undefined))
      return started

      async function begin() {
        const turn: Turn = await stub.begin({ projectId, weight, limits, waitMs })
        if ('busy' in turn) throw turn.busy === 'own' ? tooManyAtOnce() : queryCapacity()
        const result = start()
        waitUntil(result.catch(() => undefined).then(() => stub.end(turn.id)))
        return { result }
      }
    },
  }
}
