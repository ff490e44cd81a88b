// The queue of builds for fills of cohorts: messages wait in memory until the real consumer handles them.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { expect } from 'vitest'
import type { Log } from '../../src/http/log/request-log'
import { consume } from '../../src/jobs/queues'

export interface FillQueue {
  binding: Queue
  waiting: unknown[]
  /** Lets the consumer handle the waiting messages, and those that it sends. */
  drain(env: Env, log?: Log): Promise<void>
}

export function createFillQueue(): FillQueue {
  const waiting: unknown[] = []
  return {
    binding: { send: async (body: unknown) => void waiting.push(body) } as unknown as Queue,
    waiting,
    async drain(env, log = () => undefined) {
      while (waiting.length > 0) {
        const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: waiting.shift() }
        const batch = createMessageBatch('halyard-builds', [message])
        await consume(batch, env, createExecutionContext(), log)
        expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toHaveLength(1)
      }
    },
  }
}
