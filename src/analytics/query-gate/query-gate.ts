// Queues the heavy queries of a shard, or of an organization on ClickHouse. `query-gate-client.ts` calls it by RPC. The queue is in memory, so
// that after a restart there may be twice as many queries for some seconds.
import { DurableObject } from 'cloudflare:workers'
import { FairQueue, type QueueLimits, type Work } from './fair-queue'

/** A turn ends after this time. D1 ends a statement after 30 s, and a Worker may end without a call. */
const MAX_TURN_MS = 60_000

export interface TurnRequest {
  organizationId: string
  weight: number
  limits: QueueLimits
  waitMs: number
}

/** The turn, or why there is none: `own` means that the organization is at its limit, `shared` that others use the capacity. */
export type Turn = { id: string } | { busy: 'own' | 'shared' }

export class QueryGate extends DurableObject<Env> {
  #queue: FairQueue | null = null
  readonly #turns = new Map<string, { work: Work; timer: ReturnType<typeof setTimeout> }>()

  /** Waits for a turn. A call of `end` ends it. */
  async begin({ organizationId, weight, limits, waitMs }: TurnRequest): Promise<Turn> {
    const queue = (this.#queue ??= new FairQueue(limits))
    const started = Promise.withResolvers<boolean>()
    const work: Work = { organizationId, weight, start: () => started.resolve(true) }
    const isWaiting = queue.add(work)
    const deadline = setTimeout(() => {
      if (queue.remove(work)) started.resolve(false)
    }, waitMs)
    const hasTurn = isWaiting && (await started.promise)
    clearTimeout(deadline)
    if (!hasTurn) return { busy: queue.isBusy(organizationId) ? 'own' : 'shared' }
    const id = crypto.randomUUID()
    this.#turns.set(id, { work, timer: setTimeout(() => this.end(id), MAX_TURN_MS) })
    return { id }
  }

  end(id: string): void {
    const turn = this.#turns.get(id)
    if (!turn) return
    this.#turns.delete(id)
    clearTimeout(turn.timer)
    this.#queue?.end(turn.work)
  }
}
