// Deletes a webhook with its deliveries.
import { webhooks } from '../../drizzle'
import { notFound } from '../errors'
import { runIf } from '../storage/run-batch'
import { getWebhook } from './read-webhooks'
import { entryOf, type WebhookContext } from './webhook-entry'
import { exists, own } from './webhook-record'

/** @throws 404 */
export async function deleteWebhook(context: WebhookContext, id: string): Promise<void> {
  const { deps, project } = context
  const { url } = await getWebhook(deps, project.id, id)
  await runIf(
    deps.db,
    exists(project.id, id),
    [deps.db.delete(webhooks).where(own(project.id, id)), entryOf(context, { id, url }, 'deleted')],
    notFound,
  )
}
