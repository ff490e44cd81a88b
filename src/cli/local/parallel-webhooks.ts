// The local queue has one consumer, which would keep all webhooks waiting for one slow receiver: where the platform runs consumers beside each
// other, this one takes all webhooks that wait at once, and calls them at the same time.
import { QUEUE_ENDINGS } from '../../jobs/queues'
import type { WorkerOptions } from './worker-options'

/** The most that a queue hands out. */
const MAX_BATCH_SIZE = 100

export function withParallelWebhooks(options: WorkerOptions): WorkerOptions {
  const consumers = Object.entries(options.queueConsumers).map(([name, consumer]) => [
    name,
    name.endsWith(QUEUE_ENDINGS.WEBHOOKS) ? { ...consumer, maxBatchSize: MAX_BATCH_SIZE } : consumer,
  ])
  return { ...options, queueConsumers: Object.fromEntries(consumers) as WorkerOptions['queueConsumers'] }
}
