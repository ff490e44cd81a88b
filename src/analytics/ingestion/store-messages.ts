// Stores events without the queue. The local queue is in the runtime's memory, and its messages are lost when the runtime ends.
import { unavailable } from '../../errors'
import { consumeIngestion } from './consume'
import type { MessageText } from './message'

/** @throws 503 when a store did not take all rows; a repeated request stores the others. */
export async function storeMessages(env: Env, bodies: readonly MessageText[]): Promise<void> {
  let isStored = true
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    body,
    attempts: 1,
    ack() {},
    retry() {
      isStored = false
    },
  }))
  await consumeIngestion({ messages } as unknown as MessageBatch<MessageText>, env)
  if (!isStored) throw unavailable('The events could not be stored. Please retry.')
}
