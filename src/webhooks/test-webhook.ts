// Sends a sample to a webhook at once.
import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { webhooks } from '../../drizzle'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { secretsOf } from './deliver'
import { messageId, testMessage } from './message'
import { postToWebhook } from './post'
import { signedHeaders } from './secret'

export const WebhookTest = z
  .object({
    delivered: z.boolean(),
    message_id: z.string(),
    duration_ms: z.int(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookTest' })

export const WebhookTestDocs = (): SchemaDocs => ({
  description: 'What the receiver responded to a sample.',
  fields: {
    delivered: 'Whether it responded with a status from 200 to 299.',
    message_id: 'The `webhook-id` of the sample.',
    duration_ms: 'Duration in milliseconds.',
    response_status: 'HTTP status of the response; null without one.',
    response_body: 'First 4 KiB of the response; null without one.',
    error: 'Why it does not count as delivered; null for none.',
  },
  example: {
    delivered: true,
    message_id: messageId('019d4d6b-dbea-7391-a1d5-3f60c8be2d19'),
    duration_ms: 112,
    response_status: 200,
    response_body: 'ok',
  },
})

/**
 * Sends a test message, also while the webhook is paused. The message is no delivery, and is not stored.
 * @throws 404
 */
export async function testWebhook(
  { db, env, clock, ids }: Deps,
  projectId: number,
  id: string,
): Promise<z.output<typeof WebhookTest>> {
  const [webhook] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), eq(webhooks.id, id)))
  if (!webhook) throw notFound()
  const now = clock.now()
  const message = messageId(ids.uuid(now))
  const body = testMessage(projectId, now)
  const headers = signedHeaders(await secretsOf({ env, clock }, webhook), message, now, body)
  const reply = await postToWebhook(env, webhook.url, headers, body)
  return {
    delivered: reply.error === null,
    message_id: message,
    duration_ms: reply.durationMs,
    response_status: reply.status,
    response_body: reply.body,
    error: reply.error,
  }
}
