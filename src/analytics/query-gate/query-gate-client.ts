// Client of the query gates.
import { within } from '../../deadline'
import { apiErrorIn } from '../../errors'
import { queryCapacity, tooManyQueries } from '../engine/limits'
import type { AnalyticsStore } from '../../storage/shards'
import type { QueueLimits } from './fair-queue'
import type { QueryGate, Turn } from './query-gate'

/** Maximum wait, by whose end the longest running query has ended. */
export const MAX_WAIT_MS = 12_000

/** How long a call of a gate may take besides the wait. */
const CALL_MS = 3_000

export interface QueryGates {
  /**
   * Waits for the turn of a query, and starts the query. The turn ends with the query, even without a caller, because databases finish
   * what they started.
   * @param weight in the unit of `limits`
   * @throws 429 when the organization is at its limit; 503 when others use the capacity, and when the gate fails
   */
  pass<T>(gate: Gate, weight: number, start: () => Promise<T>): Promise<Started<T>>
}

export interface Gate {
  organizationId: string
  store: AnalyticsStore
  limits: QueueLimits
}

/** A query that has been started. It is an object, so that awaiting the start does not await the result. */
export interface Started<T> {
  result: Promise<T>
}

/** @param waitUntil keeps the context until work has ended, also after the response */
export function createQueryGates(
  namespace: DurableObjectNamespace<QueryGate>,
  waitUntil: (work: Promise<unknown>) => void,
  waitMs = MAX_WAIT_MS,
): QueryGates {
  return {
    pass({ organizationId, store, limits }, weight, start) {
      const stub = namespace.getByName(
        store.queryEngine === 'd1' ? store.shard : `clickhouse:${organizationId}`,
      )
      const started = begin()
      // The turn ends even if the caller disconnects.
      waitUntil(started.catch(() => undefined))
      return started

      async function begin() {
        const turn = await within<Turn>(
          stub.begin({ organizationId, weight, limits, waitMs }),
          waitMs + CALL_MS,
          queryCapacity,
        ).catch((error: unknown) => {
          // A deployment restarts the gate, and what waits in it.
          throw apiErrorIn(error) ?? queryCapacity(error)
        })
        if ('busy' in turn) throw turn.busy === 'own' ? tooManyQueries() : queryCapacity()
        const result = start()
        waitUntil(result.catch(() => undefined).then(() => stub.end(turn.id)))
        return { result }
      }
    },
  }
}
