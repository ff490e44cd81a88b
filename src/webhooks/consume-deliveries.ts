// Consumes the webhook queue.
import { systemClock } from '../clock'
import { describeError, type Log } from '../http/log/request-log'
import { openDatabase } from '../storage/database'
import { createMeter } from '../storage/metered-d1'
import { deliverDue, type DeliverDeps } from './deliver'
import type { DeliveryMessage } from './delivery-queue'

const RETRY_SECONDS = 30

/** Storage faults are retried; a receiver that fails has its delivery attempted later. */
export async function consumeDeliveries(
  batch: MessageBatch<DeliveryMessage>,
  env: Env,
  log: Log,
  { clock = systemClock, random = Math.random }: Partial<Pick<DeliverDeps, 'clock' | 'random'>> = {},
): Promise<void> {
  const deps: DeliverDeps = { db: openDatabase(env.DB, createMeter()), env, clock, random }
  // Copies of a message are one: the first takes what is due. Webhooks do not wait for each other.
  const byWebhook = Map.groupBy(batch.messages, ({ body }) => body.webhookId)
  await Promise.all(
    [...byWebhook].map(async ([webhookId, messages]) => {
      try {
        if (await deliverDue(deps, webhookId)) await env.WEBHOOKS.send({ webhookId })
        for (const message of messages) message.ack()
      } catch (error) {
        log({ level: 'error', message: 'webhook deliveries failed', error: describeError(error) })
        for (const message of messages) message.retry({ delaySeconds: RETRY_SECONDS * message.attempts })
      }
    }),
  )
}
