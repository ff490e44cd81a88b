// Webhooks as the API shows them.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { webhooks } from '../../drizzle'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'
import { UserSummary, userSummarySql } from '../http/user-summary'
import type { Database } from '../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../timestamps'

export const WebhookRecord = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.string()),
    active: z.boolean(),
    paused_at: dateTime().nullable(),
    failing_since: dateTime().nullable(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
    secret: z.string().nullable(),
  })
  .meta({ id: 'Webhook' })

export type WebhookRecord = z.output<typeof WebhookRecord>

export const WEBHOOK_ID = '019d4d6b-dbea-7391-a1d5-3f60c8be2d18'

export const webhookExample = () => ({
  id: WEBHOOK_ID,
  url: 'https://hooks.example.com/halyard',
  description: 'Posts changes of flags to the chat.',
  events: ['FeatureFlag.*'],
  active: true,
  created_at: '2026-04-02T09:00:00Z',
})

/** A secret for examples. It has the length of a real one. */
export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

export const WebhookRecordDocs = (): SchemaDocs => ({
  description: 'An address that gets a signed message about each change of the project.',
  fields: {
    id: 'Id of the webhook.',
    url: 'Address that messages are sent to.',
    description: 'Purpose; may be empty.',
    events:
      'Changes that it gets, as `scope.activity` of their entries in the activity log: `FeatureFlag.updated`, `Cohort.*`, or `*` for all.',
    active: 'Whether it gets messages. Changes while it is paused are not sent later.',
    paused_at:
      'When the service paused it: after 20 hours without a success, or with more than 10,000 messages that wait, or when the receiver responds with 410; null otherwise.',
    failing_since: 'The first failed attempt since the last success; null for none.',
    created_by: 'User who created it; null for none.',
    created_at: 'Time of creation (ISO 8601, UTC).',
    secret:
      'Secret of the signatures (`whsec_…`): only in the response to the creation and to a rotation, otherwise null.',
  },
  example: webhookExample(),
})

/** Selects webhooks, oldest first. */
export const selectWebhooks = (db: Database, projectId: number, condition?: SQL) =>
  db
    .select({
      id: webhooks.id,
      url: webhooks.url,
      description: webhooks.description,
      events: webhooks.events,
      active: webhooks.isActive,
      pausedAt: webhooks.pausedAt,
      failingSince: webhooks.failingSince,
      createdAt: webhooks.createdAt,
      createdBy: userSummarySql('webhooks.created_by_id').as('created_by'),
    })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), condition))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number]

export const webhookFrom = (
  { pausedAt, failingSince, createdAt, createdBy, ...row }: WebhookRow,
  secret: string | null = null,
): WebhookRecord => ({
  ...row,
  paused_at: toApiTimestampOrNull(pausedAt),
  failing_since: toApiTimestampOrNull(failingSince),
  created_by: createdBy,
  created_at: toApiTimestamp(createdAt),
  secret,
})

/** A condition: the webhook, if it is one of the project. */
export const own = (projectId: number, id: string) =>
  and(eq(webhooks.projectId, projectId), eq(webhooks.id, id))!

export const exists = (projectId: number, id: string) =>
  sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${own(projectId, id)})`
