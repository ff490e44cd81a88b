// Consumers of the Worker's queues.
import type { MessageText } from '../analytics/ingestion/message'
import type { BuildMessage } from '../endpoints/materialization/build/build-queue'
import type { DeliveryMessage } from '../webhooks/delivery-queue'
import { systemClock } from '../clock'
import { consoleLog, describeError, type Log } from '../http/log/request-log'
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
    return consumeLongWork(batch as MessageBatch<BuildMessage | FillMessage>, env, log)
  }
  if (batch.queue.endsWith(QUEUE_ENDINGS.WEBHOOKS)) {
    const { consumeDeliveries } = await import('../webhooks/consume-deliveries')
    return consumeDeliveries(batch as MessageBatch<DeliveryMessage>, env, context, log)
  }
  log({ level: 'error', message: 'messages of an unknown queue', error: batch.queue })
  batch.retryAll({ delaySeconds: UNKNOWN_QUEUE_DELAY_S })
}

interface FillMessage {
  taskId: string
}

/** Handles messages of builds and of fills of cohorts. */
async function consumeLongWork(
  { messages }: MessageBatch<BuildMessage | FillMessage>,
  env: Env,
  log: Log,
): Promise<void> {
  const isBuild = (message: Message<BuildMessage | FillMessage>): message is Message<BuildMessage> =>
    'versionId' in message.body
  const builds = messages.filter(isBuild)
  if (builds.length > 0) {
    // Other isolates do not load the compiler.
    const { consumeBuilds } = await import('../endpoints/materialization/build/consume-builds')
    await consumeBuilds({ messages: builds }, env, { log })
  }
  for (const message of messages) {
    if (isBuild(message)) continue
    const { continueFill } = await import('../flags/cohorts/fill-cohort')
    const db = openDatabase(env.DB, createMeter())
    await continueFill(db, env, (message.body as FillMessage).taskId, systemClock).catch((error: unknown) =>
      log({ level: 'error', message: 'a cohort was not filled', error: describeError(error) }),
    )
    // The trigger repeats a task that is not done.
    message.ack()
  }
}
