// Sends small messages to a queue.
import { within } from './deadline'

const MAX_BATCH = 100

/** The deadline of a call. */
const DEADLINE_MS = 5_000

export async function sendAll<Body>(queue: Queue<Body>, bodies: readonly Body[]): Promise<void> {
  for (let from = 0; from < bodies.length; from += MAX_BATCH) {
    const batch = bodies.slice(from, from + MAX_BATCH).map((body) => ({ body }))
    await within(queue.sendBatch(batch), DEADLINE_MS)
  }
}
