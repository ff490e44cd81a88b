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

/**
 * Replaces the secret. The previous one also signs, for a day.
 * @returns the webhook with its new secret
 * @throws 404
 */
export async function rotateSecret(context: WebhookContext, id: string): Promise<WebhookRecord> {
  const { deps, project } = context
  const { db, env, clock } = deps
  const secret = newSecret()
  const { url } = await getWebhook(deps, project.id, id)
  const [, , [row]] = await runIf(
    db,
    exists(project.id, id),
    [
      db
        .update(webhooks)
        .set({
          previousSecret: sql`secret`,
          previousSecretExpiresAt: toStoredTimestamp(new Date(clock.now().getTime() + ROTATION_MS)),
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
