// Reads webhooks of a project.
import { eq } from 'drizzle-orm'
import { webhooks } from '../../drizzle'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import { type Page, pageIn, type PageQuery } from '../http/pagination'
import { selectWebhooks, type WebhookRecord, webhookFrom } from './webhook-record'

/** Lists webhooks, oldest first. All are read, because a project has few. */
export async function listWebhooks(
  { db }: Deps,
  projectId: number,
  query: PageQuery,
  url: URL,
): Promise<Page<WebhookRecord>> {
  const rows = await selectWebhooks(db, projectId)
  return pageIn(
    url,
    query,
    rows.map((row) => webhookFrom(row)),
  )
}

/** @throws 404 */
export async function getWebhook({ db }: Deps, projectId: number, id: string): Promise<WebhookRecord> {
  const [row] = await selectWebhooks(db, projectId, eq(webhooks.id, id))
  if (!row) throw notFound()
  return webhookFrom(row)
}
