// The webhook queue. A message only names a webhook, whose due deliveries are in the database: late, lost and duplicate messages are harmless.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { webhooks } from '../../drizzle'
import type { Deps } from '../deps'
import { sendAll } from '../send-all'
import { openDatabase, type Database } from '../storage/database'
import { createMeter } from '../storage/metered-d1'
import { turnOf } from '../storage/turns'
import { toStoredTimestamp } from '../timestamps'

export interface DeliveryMessage {
  webhookId: string
}

/** The most webhooks that one run of the trigger sends. The others are sent in the next. */
const MAX_WEBHOOKS_PER_RUN = 1_000

/** Sends a message after the response. The minute's trigger sends a lost one again. */
export function requestDeliveries(
  { env, afterResponse }: Pick<Deps, 'env' | 'afterResponse'>,
  message: DeliveryMessage,
): void {
  afterResponse(() => sendAll(env.WEBHOOKS, [message]))
}

/**
 * Sends a project's pending deliveries at once after a write, except to failing webhooks: the trigger tries one of their deliveries per
 * minute. It costs the lookup of the project's webhooks, which is not counted.
 */
export async function sendPendingDeliveries({ env, clock }: Pick<Deps, 'env' | 'clock'>, projectId: number) {
  const now = toStoredTimestamp(clock.now())
  const due = await openDatabase(env.DB, createMeter())
    .select({ webhookId: webhooks.id })
    .from(webhooks)
    .where(
      and(
        eq(webhooks.projectId, projectId),
        isNull(webhooks.failingSince),
        sql`EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = ${webhooks.id} AND d.next_attempt_at <= ${now})`,
      ),
    )
  await sendAll(env.WEBHOOKS, due)
}

/**
 * Sends due deliveries of all organizations in turns, longest due first: retries, and what a request or a background job has not sent
 * itself. It reads a few rows for each webhook with due deliveries, however many these are.
 */
export async function sendDueDeliveries({ db, env }: { db: Database; env: Env }, now: Date): Promise<void> {
  const pending = (after: SQL) =>
    sql`SELECT min(webhook_id) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL ${after}`
  const due = await db.all<DeliveryMessage>(sql`
    WITH RECURSIVE waiting(id) AS (
      SELECT (${pending(sql.raw(''))})
      UNION ALL SELECT (${pending(sql`AND webhook_id > waiting.id`)}) FROM waiting WHERE id IS NOT NULL
    ), longest AS (
      SELECT id, (SELECT min(d.next_attempt_at) FROM webhook_deliveries d
        WHERE d.webhook_id = waiting.id AND d.next_attempt_at IS NOT NULL) AS due_at
      FROM waiting WHERE id IS NOT NULL
    )
    SELECT id AS webhookId FROM longest WHERE due_at <= ${toStoredTimestamp(now)} ORDER BY ${turnOf(sql.raw('(SELECT w.project_id FROM webhooks w WHERE w.id = longest.id)'), sql.raw('due_at'))}, due_at LIMIT ${MAX_WEBHOOKS_PER_RUN}`)
  await sendAll(env.WEBHOOKS, due)
}
