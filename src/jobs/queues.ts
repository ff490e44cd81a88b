// What comes on the Worker's queues, handed to whoever it is for.
import type { MessageText } from '../analytics/ingestion/message'
import type { BuildMessage } from '../endpoints/materialization/build/message'
import { consoleLog, type Log } from '../http/request-log'

/** How the queue of a binding is called, at its end: what stands before is each environment's own. A deployment is held to it. */
export const QUEUE_ENDINGS = { INGESTION: '-ingestion', BUILDS: '-builds' } as const

/** Seconds until a batch that nobody handles comes again: while a deployment spreads, somebody else may handle it. */
const UNHANDLED_DELAY = 60

/** Handles a batch of any of the queues. What nobody handles comes again as often as its queue retries, and is said in the log. */
export async function consume(batch: MessageBatch, env: Env, log: Log = consoleLog): Promise<void> {
  if (batch.queue.endsWith(QUEUE_ENDINGS.INGESTION)) {
    const { consumeIngestion } = await import('../analytics/ingestion/consume')
    return consumeIngestion(batch as MessageBatch<MessageText>, env, log)
  }
  if (batch.queue.endsWith(QUEUE_ENDINGS.BUILDS)) {
    // The compiler is large: an isolate that builds nothing does without it.
    const { consumeBuilds } = await import('../endpoints/materialization/build/consume')
    return consumeBuilds(batch as MessageBatch<BuildMessage>, env, { log })
  }
  log({ level: 'error', message: 'messages of a queue that nobody handles', error: batch.queue })
  batch.retryAll({ delaySeconds: UNHANDLED_DELAY })
}
