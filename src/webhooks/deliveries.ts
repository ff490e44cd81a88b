// Lists the deliveries of webhooks, and sends one again.
import { and, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { webhookDeliveries, webhooks } from '../../drizzle'
import type { Deps } from '../deps'
import { invalid, notFound } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime, pageQuery } from '../http/fields'
import { type Page, page } from '../http/pagination'
import { countOf, totalIn } from '../storage/count'
import type { Database } from '../storage/database'
import { toApiTimestamp, toApiTimestampOrNull, toStoredTimestamp } from '../timestamps'
import { messageId } from './message'
import { isClaimed } from './deliver'
import { requestDeliveries } from './delivery-queue'

const STATUSES = ['pending', 'delivered', 'failed'] as const

export const DeliveryRecord = z
  .object({
    id: z.int(),
    message_id: z.string(),
    event: z.string(),
    status: z.enum(STATUSES),
    attempts: z.int(),
    created_at: dateTime(),
    attempted_at: dateTime().nullable(),
    next_attempt_at: dateTime().nullable(),
    duration_ms: z.int().nullable(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

type DeliveryRecord = z.output<typeof DeliveryRecord>

export const DeliveryRecordDocs = (): SchemaDocs => ({
  description: 'One change, as it was sent to one webhook.',
  fields: {
    id: 'Id of the delivery.',
    message_id: 'Its `webhook-id`, the same for every attempt.',
    event: '`scope.activity` of the entry in the activity log.',
    status: '`pending` until it is delivered, or has failed permanently.',
    attempts: 'Attempts so far; 0 again once it is requested again.',
    created_at: 'Time of the change (ISO 8601, UTC).',
    attempted_at: 'Time of the last attempt; null before the first.',
    next_attempt_at: 'Time of the next attempt; null when there is none.',
    duration_ms: 'Duration of the last attempt in milliseconds.',
    response_status: 'HTTP status of the last response; null without one.',
    response_body: 'First 4 KiB of the last response; null without one.',
    error: 'Why the last attempt failed; null for none.',
  },
  example: {
    id: 1,
    message_id: messageId('019d4d6b-dbea-7391-a1d5-3f60c8be2d17'),
    event: 'FeatureFlag.updated',
    status: 'pending' as const,
    attempts: 1,
    created_at: '2026-04-02T09:00:07.530000Z',
    attempted_at: '2026-04-02T09:00:07.810000Z',
    next_attempt_at: '2026-04-02T09:01:27.810000Z',
    duration_ms: 112,
    response_status: 502,
    response_body: 'Bad gateway',
    error: 'The receiver responded with 502.',
  },
})

export const DeliveryQuery = z.object({ ...pageQuery, status: z.enum(STATUSES).optional() })

const selectDeliveries = (db: Database) =>
  db
    .select({
      id: webhookDeliveries.id,
      entryId: webhookDeliveries.entryId,
      event: webhookDeliveries.event,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      createdAt: webhookDeliveries.createdAt,
      attemptedAt: webhookDeliveries.attemptedAt,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      duration_ms: webhookDeliveries.durationMs,
      response_status: webhookDeliveries.responseStatus,
      response_body: webhookDeliveries.responseBody,
      error: webhookDeliveries.error,
    })
    .from(webhookDeliveries)

type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number]

const deliveryFrom = ({
  entryId,
  createdAt,
  attemptedAt,
  nextAttemptAt,
  ...row
}: DeliveryRow): DeliveryRecord => ({
  ...row,
  message_id: messageId(entryId),
  created_at: toApiTimestamp(createdAt),
  attempted_at: toApiTimestampOrNull(attemptedAt),
  next_attempt_at: toApiTimestampOrNull(nextAttemptAt),
})

const selectActive = (db: Database, projectId: number, id: string) =>
  db
    .select({ isActive: webhooks.isActive })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), eq(webhooks.id, id)))

/**
 * Lists deliveries, newest first.
 * @throws 404
 */
export async function listDeliveries(
  { db }: Deps,
  projectId: number,
  webhookId: string,
  { status, ...query }: z.output<typeof DeliveryQuery>,
  url: URL,
): Promise<Page<DeliveryRecord>> {
  const wanted = and(
    eq(webhookDeliveries.webhookId, webhookId),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
  )
  const [[webhook], total, rows] = await db.batch([
    selectActive(db, projectId, webhookId),
    countOf(db, webhookDeliveries, wanted),
    selectDeliveries(db)
      .where(wanted)
      .orderBy(desc(webhookDeliveries.id))
      .limit(query.limit)
      .offset(query.offset),
  ])
  if (!webhook) throw notFound()
  return page(url, query, totalIn(total), rows.map(deliveryFrom))
}

/**
 * Sends a delivery again, beginning with the first attempt.
 * @throws 404; 400 while the webhook is paused
 */
export async function redeliver(
  deps: Deps,
  projectId: number,
  webhookId: string,
  id: number,
): Promise<DeliveryRecord> {
  const { db, clock } = deps
  const now = clock.now()
  const isDelivery = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id))
  const [[webhook], , [row]] = await db.batch([
    selectActive(db, projectId, webhookId),
    db
      .update(webhookDeliveries)
      .set({ status: 'pending', attempts: 0, nextAttemptAt: toStoredTimestamp(now) })
      .where(
        and(
          isDelivery,
          sql`EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${webhookId} AND w.project_id = ${projectId} AND w.is_active)`,
          // A delivery in progress is not sent again.
          sql`NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = ${id} AND ${isClaimed(now)})`,
        ),
      ),
    selectDeliveries(db).where(isDelivery),
  ])
  if (!webhook || !row) throw notFound()
  if (!webhook.isActive) throw invalid(null, 'The webhook is paused. Start it, then send this again.')
  requestDeliveries(deps, { webhookId })
  return deliveryFrom(row)
}
