// Handles waiting webhooks in parallel. The local queue has one consumer, which would keep all webhooks waiting for one slow receiver,
// while the platform runs consumers in parallel. Therefore this one takes all webhooks that wait, and calls them at the same time.
import { QUEUE_ENDINGS } from '../../jobs/queues'
import type { WorkerOptions } from './worker-options'

/** The most messages of a batch. */
const MAX_BATCH_SIZE = 100

export function withParallelWebhooks(options: WorkerOptions): WorkerOptions {
  const consumers = Object.entries(options.queueConsumers).map(([name, consumer]) => [
    name,
    name.endsWith(QUEUE_ENDINGS.WEBHOOKS) ? { ...consumer, maxBatchSize: MAX_BATCH_SIZE } : consumer,
  ])
  return { ...options, queueConsumers: Object.fromEntries(consumers) as WorkerOptions['queueConsumers'] }
}
