// A queue that delivers at least once: in any order, some messages twice, and again what was not acknowledged, after the delay that was asked for.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import type { Clock } from '../../../src/clock'
import type { Random } from './random'

interface Waiting {
  body: string
  dueAt: number
  attempts: number
}

export interface FaultyQueue {
  binding: Queue<string>
  /** Messages that wait, due or not. */
  readonly length: number
  /** Whether messages come twice, out of order, and again although they were acknowledged. */
  isFailing: boolean
  /** Delivers messages that are due as one batch. `handle` resolves to whether the consumer lived to acknowledge them. */
  deliver(handle: (batch: MessageBatch<string>) => Promise<boolean>): Promise<void>
}

const MAX_BATCH = 100

export function createFaultyQueue(random: Random, clock: Clock): FaultyQueue {
  let waiting: Waiting[] = []
  const queue: FaultyQueue = {
    isFailing: true,
    binding: {
      async sendBatch(messages: Iterable<MessageSendRequest<string>>) {
        for (const { body } of messages) waiting.push({ body, dueAt: 0, attempts: 0 })
      },
    } as unknown as Queue<string>,
    get length() {
      return waiting.length
    },
    async deliver(handle) {
      const now = clock.now().getTime()
      const due = waiting.filter(({ dueAt }) => dueAt <= now)
      const taken = (queue.isFailing ? random.shuffled(due) : due).slice(0, MAX_BATCH)
      if (taken.length === 0) return
      waiting = waiting.filter((each) => !taken.includes(each))
      const twice = queue.isFailing ? taken.filter(() => random.isLikely(0.1)) : []
      const delivered = [...taken, ...twice].map((each) => ({
        ...each,
        id: crypto.randomUUID(),
        timestamp: clock.now(),
        attempts: each.attempts + 1,
      }))
      const batch = createMessageBatch<string>('halyard-ingestion', delivered)
      const isAcknowledged = await handle(batch)
      const { retryMessages } = await getQueueResult(batch, createExecutionContext())
      const delays = new Map(
        (retryMessages as { msgId: string; delaySeconds?: number }[]).map((each) => [
          each.msgId,
          each.delaySeconds ?? 0,
        ]),
      )
      for (const { id, body, attempts } of delivered) {
        const delay = isAcknowledged ? delays.get(id) : 0
        const isLate = queue.isFailing && random.isLikely(0.05)
        if (delay !== undefined || isLate) {
          waiting.push({ body, attempts, dueAt: now + 1000 * (delay ?? random.below(600)) })
        }
      }
    },
  }
  return queue
}
