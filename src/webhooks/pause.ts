// Pauses webhooks whose receiver is dead, and ends what waits for a paused one.
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { webhookDeliveries, webhooks } from '../../drizzle'
import { recordActivities } from '../activity/record'
import type { Deps } from '../deps'
import { toStoredTimestamp } from '../timestamps'
import { changeOf, hostOf } from './webhook-entry'

/**
 * A webhook without a success for this long is paused. The time is shorter than the shortest series of attempts, so that the last
 * attempt of a series comes after it.
 */
const PAUSE_AFTER_MS = 20 * 3_600_000

/** The most deliveries that may wait for a failing webhook. With more, it is paused. */
export const MAX_PENDING = 10_000

/**
 * Returns the statements that pause a webhook which has had no success for PAUSE_AFTER_MS, has more than MAX_PENDING deliveries, or is
 * gone.
 */
export function pauseIfDead(
  deps: Pick<Deps, 'db' | 'ids'>,
  { id, projectId, url }: Pick<typeof webhooks.$inferSelect, 'id' | 'projectId' | 'url'>,
  isGone: boolean,
  now: Date,
): BatchItem<'sqlite'>[] {
  const at = toStoredTimestamp(now)
  const isDead = isGone
    ? sql`TRUE`
    : sql`(failing_since <= ${toStoredTimestamp(new Date(now.getTime() - PAUSE_AFTER_MS))}
        OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = ${id} AND d.next_attempt_at IS NOT NULL
          LIMIT 1 OFFSET ${MAX_PENDING}))`
  return [
    deps.db
      .update(webhooks)
      .set({ isActive: false, pausedAt: at })
      .where(and(eq(webhooks.id, id), eq(webhooks.isActive, true), isDead)),
    // The entry follows the pause, so that the webhook does not receive it. changes() counts the rows of the update.
    recordActivities(
      deps.db,
      { projectId, author: { userId: null, wasImpersonated: false }, scope: 'Webhook', verb: 'updated', at },
      {
        entryId: sql`${deps.ids.uuid(now)}`,
        itemId: sql`${id}`,
        name: sql`${hostOf(url)}`,
        changes: sql`${JSON.stringify([changeOf('active', true, false)])}`,
      },
      sql`(SELECT 1) WHERE changes() > 0`,
    ),
    failPending(deps, id),
  ]
}

/** Returns the statement that ends pending deliveries of a webhook which is not active. */
export const failPending = ({ db }: Pick<Deps, 'db'>, id: string) =>
  db
    .update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, error: 'The webhook was paused.' })
    .where(
      and(
        eq(webhookDeliveries.webhookId, id),
        isNotNull(webhookDeliveries.nextAttemptAt),
        sql`NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${id} AND w.is_active)`,
      ),
    )
