// Webhooks of a project, and their deliveries.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { boolean, json, timestamp } from './columns'

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** `*`, `Scope.*` or `Scope.verb`, in the words of the activity log. */
    events: json<string[]>('events').notNull(),
    /** Encrypted with ACCOUNT_KEYS. */
    secret: text('secret').notNull(),
    /** The secret before the last rotation, which signs too until it expires. */
    previousSecret: text('previous_secret'),
    previousSecretExpiresAt: timestamp('previous_secret_expires_at'),
    isActive: boolean('is_active').notNull().default(true),
    /** When the service paused it; null for active ones, and for those that a user paused. */
    pausedAt: timestamp('paused_at'),
    /** The first failed attempt since the last that succeeded. */
    failingSince: timestamp('failing_since'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('webhooks_project').on(table.projectId, table.createdAt)],
)

/**
 * One entry of the activity log for one webhook. A trigger of `activity_log` adds the row in the transaction of the change. It refers to
 * the entry, which is read when it is sent.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer('id').primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    entryId: text('entry_id').notNull(),
    /** `Scope.verb` of the entry. */
    event: text('event').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
    /** Attempts since it was added, or since it was requested again. */
    attempts: integer('attempts').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
    /** Null once it is delivered or has failed. During an attempt: when another may begin, if this one ends without a word. */
    nextAttemptAt: timestamp('next_attempt_at'),
    /** The last attempt. */
    attemptedAt: timestamp('attempted_at'),
    durationMs: integer('duration_ms'),
    /** Null without a response. */
    responseStatus: integer('response_status'),
    /** Its first 4 KiB. */
    responseBody: text('response_body'),
    error: text('error'),
  },
  (table) => [
    index('webhook_deliveries_page').on(table.webhookId, table.id),
    index('webhook_deliveries_due_of')
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
    index('webhook_deliveries_due')
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
)
