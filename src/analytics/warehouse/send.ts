// Putting rows on the queue to ClickHouse.
import { jsonBytes } from '../../json'
import { messagesOf, type WarehouseMessage, type WarehouseRows } from './message'

/** What one call to the queue may carry: 100 messages, 256 KB. */
const MAX_MESSAGES = 100
const MAX_BYTES = 240_000

const ATTEMPTS = 3
const PAUSE_MS = 500

/** Whether what capture writes goes to ClickHouse as well. */
export const isMirrored = (env: Pick<Env, 'CLICKHOUSE_URL'>): boolean => Boolean(env.CLICKHOUSE_URL)

/**
 * Sends rows to the queue's consumer.
 * @throws when the queue does not take them. What is missing on ClickHouse then, a backfill brings.
 */
export async function sendRows(queue: Queue<WarehouseMessage>, rows: WarehouseRows): Promise<void> {
  for (const messages of callsOf(messagesOf(rows))) {
    await sendCall(queue, messages)
  }
}

function* callsOf(messages: readonly WarehouseMessage[]): Generator<WarehouseMessage[]> {
  let call: WarehouseMessage[] = []
  let bytes = 0
  for (const message of messages) {
    const more = jsonBytes(message)
    if (call.length > 0 && (call.length === MAX_MESSAGES || bytes + more > MAX_BYTES)) {
      yield call
      call = []
      bytes = 0
    }
    call.push(message)
    bytes += more
  }
  if (call.length > 0) yield call
}

async function sendCall(queue: Queue<WarehouseMessage>, messages: readonly WarehouseMessage[]) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await queue.sendBatch(messages.map((body) => ({ body, contentType: 'json' as const })))
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}
