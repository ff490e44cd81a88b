// Delivers what is due to one webhook. An attempt is claimed before it begins: when the Worker ends during it, the claim expires and the
// delivery is attempted again, with the same `webhook-id`. A webhook has one claim at a time, so that a slow receiver occupies one place in
// the queue, however many messages name it.
import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { webhookDeliveries, webhooks } from '../../drizzle'
import type { Clock, Ids } from '../clock'
import { ApiError } from '../errors'
import type { Database } from '../storage/database'
import { existsIn } from '../storage/count'
import { runBatch } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { messageId, messageOf } from './message'
import { pauseIfDead } from './pause'
import { postToWebhook, type Reply } from './post'
import { openSecret, signedHeaders } from './secret'

/**
 * The most deliveries that one message claims, all of which are attempted at the same time; a Worker has six connections. The others wait
 * for the next message, behind those of other webhooks. A webhook whose last attempt failed is tried with one.
 */
const MAX_CLAIMED = 5

/**
 * The time for which an attempt claims its delivery. It is longer than an attempt takes, and so short that another one begins soon after a
 * crash. While the database takes seconds, an attempt may be repeated, with the same `webhook-id`.
 */
const CLAIM_MS = 15_000

/** The most attempts of one delivery, which are made over about a day. */
export const MAX_ATTEMPTS = 8

const FIRST_RETRY_MS = 80_000
const FACTOR = 3
/** A delay is longer or shorter by up to this share, so that deliveries which failed together are not repeated together. */
const JITTER = 0.1

/** The status with which a receiver says that it wants no more messages. */
const GONE = 410

export interface DeliverDeps {
  db: Database
  env: Env
  clock: Clock
  ids: Ids
  random(): number
  /** Receives errors of messages that could not be made. */
  onFailure(error: unknown): void
}

type Claimed = Pick<typeof webhookDeliveries.$inferSelect, 'id' | 'entryId' | 'event' | 'attempts'>
type Webhook = typeof webhooks.$inferSelect

/**
 * Attempts the claimed deliveries.
 * @returns whether more may be due
 */
export type Attempts = () => Promise<boolean>

/**
 * Claims due deliveries.
 * @returns the attempts, which take as long as receivers do, or null when there are none
 */
export async function claimDue(deps: DeliverDeps, webhookId: string): Promise<Attempts | null> {
  const { db, clock } = deps
  const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
  if (!webhook?.isActive) return null
  const most = webhook.failingSince === null ? MAX_CLAIMED : 1
  const claimed = await claim(db, webhookId, clock.now(), most)
  return claimed.length === 0 ? null : () => attemptAll(deps, webhook, claimed)
}

async function attemptAll(
  deps: DeliverDeps,
  webhook: Webhook,
  claimed: readonly Claimed[],
): Promise<boolean> {
  const delivered = await Promise.all(claimed.map((each) => attempt(deps, webhook, each)))
  return delivered.every(Boolean) && (await isDue(deps, webhook.id))
}

const isDue = async ({ db, clock }: DeliverDeps, webhookId: string): Promise<boolean> => {
  const { webhookId: of, nextAttemptAt } = webhookDeliveries
  const wanted = and(eq(of, webhookId), lte(nextAttemptAt, toStoredTimestamp(clock.now())))
  return (await existsIn(db, webhookDeliveries, wanted).limit(1)).length > 0
}

/** Returns SQL of whether a delivery `d` is being attempted: its duration is not known yet. */
export const isClaimed = (now: Date) =>
  sql`d.attempts > 0 AND d.duration_ms IS NULL AND d.next_attempt_at > ${toStoredTimestamp(now)}
    AND d.next_attempt_at <= ${toStoredTimestamp(new Date(now.getTime() + CLAIM_MS))}`

/** Begins attempts of due deliveries, longest due first. It claims none while others are being attempted. */
const claim = (db: Database, webhookId: string, now: Date, most: number): Promise<Claimed[]> =>
  db
    .update(webhookDeliveries)
    .set({
      attempts: sql`attempts + 1`,
      attemptedAt: toStoredTimestamp(now),
      nextAttemptAt: toStoredTimestamp(new Date(now.getTime() + CLAIM_MS)),
      durationMs: null,
    })
    .where(
      sql`${webhookDeliveries.id} IN (SELECT d.id FROM webhook_deliveries d
        WHERE d.webhook_id = ${webhookId} AND d.next_attempt_at <= ${toStoredTimestamp(now)}
          AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = ${webhookId} AND ${isClaimed(now)})
        ORDER BY d.next_attempt_at, d.id LIMIT ${most})`,
    )
    .returning({
      id: webhookDeliveries.id,
      entryId: webhookDeliveries.entryId,
      event: webhookDeliveries.event,
      attempts: webhookDeliveries.attempts,
    })

/** Returns the secrets that sign, the current one first. */
export function secretsOf(
  { env, clock }: Pick<DeliverDeps, 'env' | 'clock'>,
  { secret, previousSecret, previousSecretExpiresAt }: Webhook,
): Promise<string[]> {
  const isValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > toStoredTimestamp(clock.now())
  const sealed = previousSecret !== null && isValid ? [secret, previousSecret] : [secret]
  return Promise.all(sealed.map((each) => openSecret(env, each)))
}

/** @returns null when the entry was deleted */
async function post(deps: DeliverDeps, webhook: Webhook, delivery: Claimed): Promise<Reply | null> {
  const { db, env, clock, onFailure } = deps
  try {
    const body = await messageOf(db, webhook.projectId, delivery)
    if (body === null) return null
    const secrets = await secretsOf(deps, webhook)
    const headers = signedHeaders(secrets, messageId(delivery.entryId), clock.now(), body)
    return await postToWebhook(env, webhook.url, headers, body)
  } catch (error) {
    // The outage of a database is no failure of the message.
    if (error instanceof ApiError) throw error
    // The attempt counts: a secret or an entry that cannot be read must not be attempted for ever.
    onFailure(error)
    return { status: null, body: null, error: 'The message could not be made.', durationMs: 0 }
  }
}

/** @returns whether it was delivered */
async function attempt(deps: DeliverDeps, webhook: Webhook, delivery: Claimed): Promise<boolean> {
  const { db, clock, ids, random } = deps
  const isClaim = and(
    eq(webhookDeliveries.id, delivery.id),
    eq(webhookDeliveries.attempts, delivery.attempts),
    isNotNull(webhookDeliveries.nextAttemptAt),
  )
  const end = (reply: Reply, status: 'pending' | 'delivered' | 'failed', nextAttemptAt: Date | null) =>
    db
      .update(webhookDeliveries)
      .set({
        status,
        nextAttemptAt: nextAttemptAt && toStoredTimestamp(nextAttemptAt),
        durationMs: reply.durationMs,
        responseStatus: reply.status,
        responseBody: reply.body,
        error: reply.error,
      })
      .where(isClaim)
  const reply = await post(deps, webhook, delivery)
  if (reply === null) {
    const error = 'The entry of the activity log was deleted.'
    await end({ status: null, body: null, error, durationMs: 0 }, 'failed', null)
    return true
  }
  const now = clock.now()
  const isWebhook = eq(webhooks.id, webhook.id)
  if (reply.error === null) {
    const recovered = and(isWebhook, isNotNull(webhooks.failingSince))
    await runBatch(db, [
      end(reply, 'delivered', null),
      db.update(webhooks).set({ failingSince: null }).where(recovered),
    ])
    return true
  }
  const again = nextAttempt(delivery.attempts, now, random())
  await runBatch(db, [
    end(reply, again ? 'pending' : 'failed', again),
    db
      .update(webhooks)
      .set({ failingSince: sql`coalesce(failing_since, ${toStoredTimestamp(now)})` })
      .where(isWebhook),
    ...pauseIfDead({ db, ids }, webhook, reply.status === GONE, now),
  ])
  return false
}

/**
 * Returns when the next attempt is, or null after the last.
 * @param random from 0 up to 1
 */
function nextAttempt(attempts: number, now: Date, random: number): Date | null {
  if (attempts >= MAX_ATTEMPTS) return null
  const delayMs = FIRST_RETRY_MS * FACTOR ** (attempts - 1) * (1 + JITTER * (2 * random - 1))
  return new Date(now.getTime() + delayMs)
}
