// Consumes the webhook queue.
import { createIds, systemClock } from '../clock'
import { describeError, type Log } from '../http/log/request-log'
import { openDatabase } from '../storage/database'
import { createMeter } from '../storage/metered-d1'
import { type Attempts, claimDue, type DeliverDeps } from './deliver'
import type { DeliveryMessage } from './delivery-queue'

/**
 * Claims due deliveries, and attempts them after the consumer has ended: the queue does not wait for receivers, so that slow ones of one
 * organization occupy no consumer. After a fault of storage, the minute's trigger sends the webhook again; a delivery whose receiver fails is
 * attempted later.
 */
export async function consumeDeliveries(
  batch: MessageBatch<DeliveryMessage>,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  log: Log,
  { clock = systemClock, random = Math.random }: Partial<Pick<DeliverDeps, 'clock' | 'random'>> = {},
): Promise<void> {
  const logFailure = (error: unknown) =>
    log({ level: 'error', message: 'webhook deliveries failed', error: describeError(error) })
  const db = openDatabase(env.DB, createMeter())
  const deps: DeliverDeps = { db, env, clock, ids: createIds(), random, onFailure: logFailure }
  const finish = async (attempts: Attempts, webhookId: string) => {
    // Claims of attempts that fail here expire: the minute's trigger sends the webhook again.
    if (await attempts()) await env.WEBHOOKS.send({ webhookId })
  }
  // Duplicate messages are handled as one, because the first takes all due deliveries.
  const byWebhook = Map.groupBy(batch.messages, ({ body }) => body.webhookId)
  await Promise.all(
    [...byWebhook].map(async ([webhookId, messages]) => {
      try {
        const attempts = await claimDue(deps, webhookId)
        if (attempts) context.waitUntil(finish(attempts, webhookId).catch(logFailure))
      } catch (error) {
        logFailure(error)
      }
      for (const message of messages) message.ack()
    }),
  )
}
