// Creates and updates flags of a project. One turn of the project's queue plans the waiting writes in order, and commits them in one batch.
import { unavailable } from '../errors'
import { batchLength, type SizedWrite } from '../flags/write/write-batch'
import type { FlagWrite, WrittenFlag } from '../flags/write/write-types'
import type { WriteTools } from '../flags/write/prepared-write'
import type { Mark, Published } from '../snapshots/document'
import { d1ErrorKind, isRejectedByD1 } from '../storage/d1-errors'
import { isGuardFailure, isUniqueViolation } from '../storage/database'
import { createMeter, type Meter } from '../storage/metered-d1'
import { retryOnConflict } from '../storage/retry-on-conflict'
import type { SerialQueue } from './serial-queue'

/** The most writes that wait for a turn. */
export const MAX_WAITING_WRITES = 1_000
/** The most UTF-16 units of the bodies of waiting writes, because an object has 128 MB. A single write may always wait. */
export const MAX_WAITING_LENGTH = 16 * 1024 * 1024

/** A generation, and the flags that it changed, as they are in it. */
export interface CommittedFlags {
  projectId: number
  generation: number
  changed: readonly WrittenFlag[]
  /** When the batch began, in epoch milliseconds. */
  now: number
}

interface Waiting extends SizedWrite {
  meter: Meter
  lastCallAt: number
  resolve(result: Published<WrittenFlag>): void
  reject(error: unknown): void
}

interface Options {
  /** Returns the tools that commit a batch. @param lastCallAt when its last call of D1 may begin, in epoch milliseconds */
  toolsOf(meter: Meter, lastCallAt: number): WriteTools
  /** The queue of everything that writes flags of the project. */
  queue: SerialQueue
  /** Publishes a commit. It never throws. */
  publish(committed: CommittedFlags): Promise<Mark | null>
}

export class FlagWriter {
  readonly #options: Options
  readonly #waiting: Waiting[] = []
  #waitingLength = 0
  #hasTurn = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Writes a flag.
   * @param meter gets this write's share of the cost of its batch
   * @param lastCallAt when its last call of D1 may begin, in epoch milliseconds: after that it is rejected
   * @throws the error of a rejected write; 503 when D1 fails or too many writes wait
   */
  write(write: FlagWrite, meter: Meter, lastCallAt = Infinity): Promise<Published<WrittenFlag>> {
    const { length } = JSON.stringify(write.body)
    const isFull =
      this.#waiting.length >= MAX_WAITING_WRITES ||
      (this.#waiting.length > 0 && this.#waitingLength + length > MAX_WAITING_LENGTH)
    if (isFull) return Promise.reject(unavailable('Too many changes wait for this project. Please retry.'))
    const { promise, resolve, reject } = Promise.withResolvers<Published<WrittenFlag>>()
    this.#enqueue({ write, length, meter, lastCallAt, resolve, reject })
    this.#enqueueTurn()
    return promise
  }

  /**
   * Enqueues a turn, unless one waits. It commits one batch; the remaining writes take another turn, after other changes of the project.
   */
  #enqueueTurn(): void {
    if (this.#hasTurn || this.#waiting.length === 0) return
    this.#hasTurn = true
    const turn = this.#options.queue.run(async () => {
      this.#hasTurn = false
      this.#rejectLate()
      if (this.#waiting.length > 0) await this.#commit(this.#dequeue(batchLength(this.#waiting)))
      this.#enqueueTurn()
    })
    turn.catch((error: unknown) => {
      this.#hasTurn = false
      for (const { reject } of this.#dequeue(this.#waiting.length)) reject(error)
    })
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#waitingLength += waiting.length
  }

  /** Removes the first waiting writes from the list, and returns them. */
  #dequeue(count: number): Waiting[] {
    const dequeued = this.#waiting.splice(0, count)
    for (const { length } of dequeued) this.#waitingLength -= length
    return dequeued
  }

  /** Rejects writes whose callers have gone, so that others do not fail with them. */
  #rejectLate(): void {
    const now = Date.now()
    const waiting = this.#dequeue(this.#waiting.length)
    for (const each of waiting) {
      if (each.lastCallAt < now) each.reject(unavailable())
      else this.#enqueue(each)
    }
  }

  /**
   * Commits a batch. When D1 says that it rejected the batch, its writes are committed one by one; after any other error the batch may have
   * been committed. Settles all of them, and never throws.
   */
  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commitBatch(batch)
    } catch (error) {
      if (batch.length > 1 && isRejectedByD1(d1ErrorKind(error)))
        for (const waiting of batch) await this.#commit([waiting])
      else for (const { reject } of batch) reject(error)
    }
  }

  async #commitBatch(batch: readonly Waiting[]): Promise<void> {
    const { toolsOf, publish } = this.#options
    const meter = createMeter()
    const writes = batch.map(({ write }) => write)
    const tools = toolsOf(meter, Math.min(...batch.map(({ lastCallAt }) => lastCallAt)))
    // The import is dynamic, so that only an object that writes flags loads this code.
    const { commitWrites } = await import('../flags/write/commit')
    try {
      // A single write is planned again while what it depends on changes.
      const { outcomes, generation } = await (batch.length === 1
        ? retryOnConflict(() => commitWrites(tools, writes), isOvertaken)
        : commitWrites(tools, writes))
      const changed = outcomes.filter((outcome): outcome is WrittenFlag => !(outcome instanceof Error))
      const now = Math.min(...writes.map((write) => write.now))
      const projectId = writes[0]!.project.id
      const published = generation === null ? null : publish({ projectId, generation, changed, now })
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!
        if (outcome instanceof Error) reject(outcome)
        // The publication is not awaited, so that the next batch can be committed during it.
        else void published!.then((result) => resolve({ ...outcome, mark: result }))
      }
    } finally {
      for (const { meter: own } of batch) {
        own.roundTrips += meter.roundTrips
        own.rowsRead += Math.ceil(meter.rowsRead / batch.length)
        own.rowsWritten += Math.ceil(meter.rowsWritten / batch.length)
      }
    }
  }
}

/** Returns whether another write came first: the fence has moved, or another flag has the key. */
const isOvertaken = (error: unknown): boolean => isGuardFailure(error) || isUniqueViolation(error)
