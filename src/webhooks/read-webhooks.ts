// Reads webhooks of a project.
import { eq } from 'drizzle-orm'
import { webhooks } from '../../drizzle'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import type { Page } from '../http/pagination'
import { selectWebhooks, type WebhookRecord, webhookFrom } from './webhook-record'

export async function listWebhooks({ db }: Deps, projectId: number): Promise<Page<WebhookRecord>> {
  const rows = await selectWebhooks(db, projectId)
  return { count: rows.length, next: null, previous: null, results: rows.map((row) => webhookFrom(row)) }
}

/** @throws 404 */
export async function getWebhook({ db }: Deps, projectId: number, id: string): Promise<WebhookRecord> {
  const [row] = await selectWebhooks(db, projectId, eq(webhooks.id, id))
  if (!row) throw notFound()
  return webhookFrom(row)
}
