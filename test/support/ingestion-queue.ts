// The ingestion queue of one harness: messages wait in memory until the real consumer handles them.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { consumeIngestion } from '../../src/analytics/ingestion/consume'
import type { MessageText } from '../../src/analytics/ingestion/message'
import type { Log } from '../../src/http/log/request-log'

export interface IngestionQueue {
  binding: Queue<MessageText>
  /** The waiting messages. */
  waiting: MessageText[]
  /**
   * Lets the consumer handle the waiting messages. Those that it does not finish wait again.
   * @returns the number of these
   */
  drain(env: Env, log?: Log): Promise<number>
}

export function createIngestionQueue(): IngestionQueue {
  const waiting: MessageText[] = []
  const binding = {
    async sendBatch(messages: Iterable<MessageSendRequest<MessageText>>) {
      for (const { body } of messages) waiting.push(body)
    },
  } as unknown as Queue<MessageText>
  return {
    binding,
    waiting,
    async drain(env, log) {
      const messages = waiting.splice(0).map((body) => ({
        id: crypto.randomUUID(),
        timestamp: new Date(),
        attempts: 1,
        body,
      }))
      if (messages.length === 0) return 0
      const batch = createMessageBatch<MessageText>('halyard-ingestion', messages)
      await consumeIngestion(batch, env, log)
      const { retryMessages } = await getQueueResult(batch, createExecutionContext())
      const retried = new Set(retryMessages.map((each: { msgId: string }) => each.msgId))
      waiting.push(...messages.filter(({ id }) => retried.has(id)).map(({ body }) => body))
      return retried.size
    },
  }
}
