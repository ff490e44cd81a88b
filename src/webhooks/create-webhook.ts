// Creates a webhook.
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { webhooks } from '../../drizzle'
import { userOf } from '../auth/actor'
import { invalid } from '../errors'
import { publicUrl } from '../http/public-url'
import { runIf } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { newSecret, sealSecret } from './secret'
import type { WebhookBody } from './webhook-body'
import { entryOf, type WebhookContext } from './webhook-entry'
import { selectWebhooks, type WebhookRecord, webhookFrom } from './webhook-record'

/** The most webhooks of one project. */
export const MAX_WEBHOOKS = 10

/**
 * @returns the webhook with its secret
 * @throws 400 naming the field
 */
export async function createWebhook(
  { deps, actor, project, url }: WebhookContext & { url: URL },
  body: z.output<typeof WebhookBody>,
): Promise<WebhookRecord> {
  const { db, env, ids, clock } = deps
  const now = clock.now()
  const id = ids.uuid(now)
  const secret = newSecret()
  const receiver = publicUrl(body.url, env, url)
  const insert = db.insert(webhooks).values({
    id,
    projectId: project.id,
    url: receiver,
    description: body.description ?? '',
    events: body.events,
    secret: await sealSecret(env, secret),
    isActive: body.active ?? true,
    createdById: userOf(actor)?.id ?? null,
    createdAt: toStoredTimestamp(now),
  })
  const [, , [row]] = await runIf(
    db,
    sql`(SELECT count(*) FROM webhooks WHERE project_id = ${project.id}) < ${MAX_WEBHOOKS}`,
    [
      // The entry is written before the webhook, so that the webhook does not receive it.
      entryOf({ deps, actor, project }, { id, url: receiver }, 'created'),
      insert,
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ],
    () => invalid(null, `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one to add another.`),
  )
  return webhookFrom(row!, secret)
}
