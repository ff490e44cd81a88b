// Policies that hold changes of flags until others approve them, and the changes that are held.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type {
  ActionKey,
  Conditions,
  HeldChange,
  PolicySnapshot,
  Vote,
} from '../src/flags/approvals/approval-types'
import { boolean, json, timestamp } from './columns'
import { featureFlags } from './flags'

export const approvalPolicies = sqliteTable(
  'approval_policies',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    actionKey: text('action_key').$type<ActionKey>().notNull(),
    conditions: json<Conditions>('conditions').notNull(),
    quorum: integer('quorum').notNull(),
    /** Ids of the users who may approve. */
    approvers: json<number[]>('approvers').notNull(),
    allowSelfApprove: boolean('allow_self_approve').notNull().default(false),
    /** Levels of memberships whose changes are not held. */
    bypassLevels: json<number[]>('bypass_levels').notNull(),
    expiresAfterSeconds: integer('expires_after_seconds').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [uniqueIndex('approval_policies_action').on(table.projectId, table.actionKey)],
)

export const changeRequests = sqliteTable(
  'change_requests',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    flagId: integer('flag_id')
      .notNull()
      .references(() => featureFlags.id, { onDelete: 'cascade' }),
    actionKey: text('action_key').$type<ActionKey>().notNull(),
    /** Its encrypted payloads are encrypted with PAYLOAD_KEYS. */
    change: json<HeldChange>('change').notNull(),
    /** The policy as it was when the request was made. */
    policy: json<PolicySnapshot>('policy').notNull(),
    /** An expired request stays `pending`: its `ends_at` has passed. */
    state: text('state').$type<'pending' | 'applied' | 'rejected' | 'failed'>().notNull().default('pending'),
    votes: json<Vote[]>('votes').notNull(),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
    /** The last vote, or the end. */
    updatedAt: timestamp('updated_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    /** When it ended; while it waits, when it expires. */
    endsAt: timestamp('ends_at').notNull(),
    applyError: text('apply_error').notNull().default(''),
    /** The version of the flag that the change made. */
    appliedVersion: integer('applied_version'),
  },
  (table) => [
    index('change_requests_project').on(table.projectId, table.id),
    index('change_requests_flag').on(table.flagId, table.id),
    index('change_requests_pending')
      .on(table.projectId, table.endsAt)
      .where(sql`state = 'pending'`),
    index('change_requests_ends').on(table.endsAt),
  ],
)
