// One object for each shard, and for each project on ClickHouse: it says when a query may start. Called by RPC; `gateway.ts` is its other end.
//
// It keeps its queue in memory. Where the platform restarts it, the queries under way are forgotten: for some seconds there may be twice as
// many.
import { DurableObject } from 'cloudflare:workers'
import { FairQueue, type QueueLimits, type Work } from './fair-queue'

/** D1 ends a statement after 30 s, and a Worker may be gone without a word. */
const MAX_TURN_MS = 60_000

export interface TurnRequest {
  projectId: number
  weight: number
  limits: QueueLimits
  /** How long to wait at most. */
  waitMs: number
}

/** `own`: the project has as much under way as it may. `shared`: others have. */
export type Turn = { id: string } | { busy: 'own' | 'shared' }

export class QueryGate extends DurableObject<Env> {
  #queue: FairQueue | null = null
  readonly #turns = new Map<string, { work: Work; timer: ReturnType<typeof setTimeout> }>()

  /** Waits for a turn. Whoever has one ends it with `end`. */
  async begin({ projectId, weight, limits, waitMs }: TurnRequest): Promise<Turn> {
    const queue = (this.#queue ??= new FairQueue(limits))
    const started = Promise.withResolvers<boolean>()
    const work: Work = { projectId, weight, start: () => started.resolve(true) }
    const isWaiting = queue.add(work)
    const deadline = setTimeout(() => {
      if (queue.remove(work)) started.resolve(false)
    }, waitMs)
    const hasTurn = isWaiting && (await started.promise)
    clearTimeout(deadline)
    if (!hasTurn) return { busy: queue.isBusy(projectId) ? 'own' : 'shared' }
    const id = crypto.randomUUID()
    this.#turns.set(id, { work, timer: setTimeout(() => this.end(id), MAX_TURN_MS) })
    return { id }
  }

  /** Ends a turn. */
  end(id: string): void {
    const turn = this.#turns.get(id)
    if (!turn) return
    this.#turns.delete(id)
    clearTimeout(turn.timer)
    this.#queue?.end(turn.work)
  }
}
