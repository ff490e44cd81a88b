import { Buffer } from 'node:buffer'
import { sleep, within } from '../../deadline'
import { ApiError } from '../../errors'
import { chunksOf } from '../../storage/json-parameters'
import type { MessageText } from './message'

/** Limits of the queue: 100 messages, 256 KB. */
const MAX_MESSAGES = 100
const MAX_CALL_BYTES = 240_000

const MAX_ATTEMPTS = 3
const PAUSE_MS = 200

/** The deadline of a call. A call that exceeds it is not repeated. */
const DEADLINE_MS = 5_000

/**
 * Sends messages to the queue, in order.
 * @throws the error of the third attempt, or 503 after a timeout; some of the messages may be queued
 */
export async function sendMessages(
  queue: Queue<MessageText>,
  messages: readonly MessageText[],
): Promise<void> {
  for (const call of chunksOf(messages, Buffer.byteLength, MAX_CALL_BYTES, MAX_MESSAGES))
    await sendCall(queue, call)
}

async function sendCall(queue: Queue<MessageText>, messages: readonly MessageText[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const work = queue.sendBatch(messages.map((body) => ({ body, contentType: 'text' as const })))
      await within(work, DEADLINE_MS)
      return
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || error instanceof ApiError) throw error
      await sleep(PAUSE_MS * attempt)
    }
  }
}
