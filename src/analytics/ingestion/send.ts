// Putting messages on the ingestion queue.
import { Buffer } from 'node:buffer'
import type { MessageText } from './message'

/** What one call to the queue may carry: 100 messages, 256 KB. */
const MAX_MESSAGES = 100
const MAX_CALL_BYTES = 240_000

const ATTEMPTS = 3
const PAUSE_MS = 200

/**
 * Puts messages on the queue, in their order.
 * @throws what the queue rejects with after three attempts; then some of the messages may be on it.
 */
export async function sendMessages(
  queue: Queue<MessageText>,
  messages: readonly MessageText[],
): Promise<void> {
  for (const call of callsOf(messages)) await sendCall(queue, call)
}

function* callsOf(messages: readonly MessageText[]): Generator<MessageText[]> {
  let call: MessageText[] = []
  let bytes = 0
  for (const message of messages) {
    const size = Buffer.byteLength(message)
    if (call.length > 0 && (call.length === MAX_MESSAGES || bytes + size > MAX_CALL_BYTES)) {
      yield call
      call = []
      bytes = 0
    }
    call.push(message)
    bytes += size
  }
  if (call.length > 0) yield call
}

async function sendCall(queue: Queue<MessageText>, messages: readonly MessageText[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await queue.sendBatch(messages.map((body) => ({ body, contentType: 'text' as const })))
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}
