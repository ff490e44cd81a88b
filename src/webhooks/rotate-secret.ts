// Replaces the secret of a webhook.
import { eq, sql } from 'drizzle-orm'
import { webhooks } from '../../drizzle'
import { notFound } from '../errors'
import { runIf } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { getWebhook } from './read-webhooks'
import { newSecret, sealSecret } from './secret'
import { changeOf, entryOf, type WebhookContext } from './webhook-entry'
import { exists, own, selectWebhooks, type WebhookRecord, webhookFrom } from './webhook-record'

/** The time for which the previous secret still signs after a rotation. */
const ROTATION_MS = 24 * 3_600_000

/** A rotation within this time after another one repeats it: its response may have been lost, so that nobody has its secret. */
const REPEAT_MS = 10 * 60_000

/**
 * Replaces the secret. The previous one also signs, for a day. A repeated rotation keeps the previous secret, which the receiver has.
 * @returns the webhook with its new secret
 * @throws 404
 */
export async function rotateSecret(context: WebhookContext, id: string): Promise<WebhookRecord> {
  const { deps, project } = context
  const { db, env, clock } = deps
  const secret = newSecret()
  const after = (ms: number) => toStoredTimestamp(new Date(clock.now().getTime() + ms))
  const isRepeat = sql`coalesce(previous_secret_expires_at > ${after(ROTATION_MS - REPEAT_MS)}, 0)`
  const { url } = await getWebhook(deps, project.id, id)
  const [, , [row]] = await runIf(
    db,
    exists(project.id, id),
    [
      db
        .update(webhooks)
        .set({
          previousSecret: sql`iif(${isRepeat}, previous_secret, secret)`,
          previousSecretExpiresAt: sql`iif(${isRepeat}, previous_secret_expires_at, ${after(ROTATION_MS)})`,
          secret: await sealSecret(env, secret),
        })
        .where(own(project.id, id)),
      entryOf(context, { id, url }, 'updated', [changeOf('secret', null, 'replaced')]),
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ],
    notFound,
  )
  return webhookFrom(row!, secret)
}
