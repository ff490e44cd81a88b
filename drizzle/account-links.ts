// What a user is linked to elsewhere: devices that take pushes, and identities in chat workspaces.
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { projects, users } from './accounts'
import { json, timestamp } from './columns'

export const pushTokens = sqliteTable(
  'push_tokens',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    token: text('token').notNull(),
    /** `ios`, `android` or `web`. */
    platform: text('platform').notNull(),
    createdAt: timestamp('created_at').notNull(),
    lastSeenAt: timestamp('last_seen_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_tokens_user_token').on(table.userId, table.token),
    index('push_tokens_user_seen').on(table.userId, table.lastSeenAt, table.createdAt),
  ],
)

/** A chat workspace that a project is connected to. Holds no token: nothing here calls the provider for the workspace. */
export const workspaceIntegrations = sqliteTable(
  'workspace_integrations',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id),
    workspaceId: text('workspace_id').notNull(),
    workspaceName: text('workspace_name'),
    /** What the installation was granted; null for a provider that has no such thing. */
    scopes: json<string[] | null>('scopes'),
    createdById: integer('created_by_id').references(() => users.id),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [uniqueIndex('workspace_integrations_workspace').on(table.projectId, table.workspaceId)],
)

/** Who a user is in a chat workspace, as the provider said when they signed in there. Holds no token. */
export const chatLinks = sqliteTable(
  'chat_links',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    chatUserId: text('chat_user_id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    workspaceName: text('workspace_name'),
    emailAtLink: text('email_at_link'),
    /** What the provider granted, separated by spaces. */
    scope: text('scope').notNull(),
    createdAt: timestamp('created_at').notNull(),
    linkedAt: timestamp('linked_at').notNull(),
  },
  (table) => [
    uniqueIndex('chat_links_identity').on(table.userId, table.chatUserId),
    index('chat_links_workspace').on(table.userId, table.workspaceId),
  ],
)

/** Sign-ins at a provider, for a chat link or single sign-on, that have come back: each counts once. A row outlives its token; the daily trigger deletes it. */
export const usedChatStates = sqliteTable(
  'used_chat_states',
  { id: text('id').primaryKey(), expiresAt: timestamp('expires_at').notNull() },
  (table) => [index('used_chat_states_expiry').on(table.expiresAt)],
)
