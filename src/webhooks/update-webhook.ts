// Changes, pauses and starts a webhook.
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { webhooks } from '../../drizzle'
import { diff } from '../activity/diff'
import type { Change } from '../activity/entry'
import { publicUrl } from '../http/public-url'
import { guard } from '../storage/database'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch } from '../storage/run-batch'
import { failPending } from './pause'
import { getWebhook } from './read-webhooks'
import type { WebhookUpdate } from './webhook-body'
import { changeOf, entryOf, hostOf, type WebhookContext } from './webhook-entry'
import { own, selectWebhooks, type WebhookRecord, webhookFrom } from './webhook-record'

/** @throws 404; 400 naming the field */
export function updateWebhook(
  { deps, actor, project, url }: WebhookContext & { url: URL },
  id: string,
  { url: receiver, events, description, active }: z.output<typeof WebhookUpdate>,
): Promise<WebhookRecord> {
  const { db } = deps
  return retryOnConflict(async () => {
    const before = await getWebhook(deps, project.id, id)
    const after = {
      url: receiver === undefined ? before.url : publicUrl(receiver, deps.env, url),
      events: events ?? before.events,
      description: description ?? before.description,
      active: active ?? before.active,
    }
    const changes = changesOf(before, after)
    const entries =
      changes.length > 0 ? [entryOf({ deps, actor, project }, { id, ...after }, 'updated', changes)] : []
    const update = db
      .update(webhooks)
      .set({
        url: after.url,
        events: after.events,
        description: after.description,
        ...(active === undefined ? {} : { isActive: active, pausedAt: null, failingSince: null }),
      })
      .where(own(project.id, id))
    const results = await runBatch(db, [
      guard(db, isUnchanged(project.id, before)),
      // A webhook does not receive its own pausing and starting.
      ...(after.active ? [...entries, update] : [update, ...entries]),
      failPending(deps, id),
      selectWebhooks(db, project.id, eq(webhooks.id, id)),
    ])
    const [row] = results.at(-1) as Awaited<ReturnType<typeof selectWebhooks>>
    return webhookFrom(row!)
  })
}

/** A write guard: the webhook is still as it was read. */
const isUnchanged = (projectId: number, { id, url, events, description, active }: WebhookRecord) =>
  sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${own(projectId, id)} AND ${webhooks.url} = ${url}
    AND ${webhooks.description} = ${description} AND ${webhooks.events} = ${JSON.stringify(events)}
    AND ${webhooks.isActive} = ${Number(active)})`

const urlChange = (before: string, after: string): Change =>
  changeOf('url', before, before === after ? `${after}, another path` : after)

type Terms = Pick<WebhookRecord, 'url' | 'events' | 'description' | 'active'>

const changesOf = (before: Terms, after: Terms): Change[] => [
  ...(before.url === after.url ? [] : [urlChange(hostOf(before.url), hostOf(after.url))]),
  ...diff('Webhook', ['events', 'description', 'active'], before, after),
]
