// Consumers of the Worker's queues.
import type { MessageText } from '../analytics/ingestion/message'
import type { DeliveryMessage } from '../webhooks/delivery-queue'
import { systemClock } from '../clock'
import { consoleLog, describeError, type Log } from '../http/log/request-log'
import type { BuildWork, LongWork } from '../long-work'
import { openDatabase } from '../storage/database'
import { createMeter } from '../storage/metered-d1'

/** Endings of queue names, after a prefix for each environment. `npm run deploy` checks them. */
export const QUEUE_ENDINGS = { INGESTION: '-ingestion', BUILDS: '-builds', WEBHOOKS: '-webhooks' } as const

/** Seconds until a batch of an unknown queue is retried: during a rollout another version may know it. */
const UNKNOWN_QUEUE_DELAY_S = 60

/** Handles a batch. Logs and retries a batch of an unknown queue. */
export async function consume(
  batch: MessageBatch,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  log: Log = consoleLog,
): Promise<void> {
  if (batch.queue.endsWith(QUEUE_ENDINGS.INGESTION)) {
    const { consumeIngestion } = await import('../analytics/ingestion/consume')
    return consumeIngestion(batch as MessageBatch<MessageText>, env, log)
  }
  if (batch.queue.endsWith(QUEUE_ENDINGS.BUILDS)) {
    return consumeLongWork(batch as MessageBatch<LongWork>, env, log)
  }
  if (batch.queue.endsWith(QUEUE_ENDINGS.WEBHOOKS)) {
    const { consumeDeliveries } = await import('../webhooks/consume-deliveries')
    return consumeDeliveries(batch as MessageBatch<DeliveryMessage>, env, context, log)
  }
  log({ level: 'error', message: 'messages of an unknown queue', error: batch.queue })
  batch.retryAll({ delaySeconds: UNKNOWN_QUEUE_DELAY_S })
}

async function consumeLongWork({ messages }: MessageBatch<LongWork>, env: Env, log: Log): Promise<void> {
  for (const message of messages) {
    const { body } = message
    if (body.kind === 'build') {
      // Other isolates do not load the compiler.
      const { consumeBuilds } = await import('../endpoints/materialization/build/consume-builds')
      await consumeBuilds({ messages: [message as Message<BuildWork>] }, env, { log })
      continue
    }
    if (body.kind === 'fill') await fill(body.taskId, env, log)
    // The trigger sends a task that is not done again, and so it does work whose kind another version knows.
    message.ack()
  }
}

async function fill(taskId: string, env: Env, log: Log): Promise<void> {
  const { continueFill } = await import('../flags/cohorts/fill-cohort')
  await continueFill(openDatabase(env.DB, createMeter()), env, taskId, systemClock).catch((error: unknown) =>
    log({ level: 'error', message: 'a cohort was not filled', error: describeError(error) }),
  )
}
