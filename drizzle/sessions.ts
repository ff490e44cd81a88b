// How people sign in: cookie sessions, sign-ins that wait for a second factor, and second factors.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './accounts'
import { boolean, json, timestamp } from './columns'

/** A password, or the OpenID Connect provider of an organization. */
export type LoginMethod = 'password' | 'oidc'

/** A first factor that the provider of an organization confirmed. */
export interface SsoFactor {
  organizationId: string
  /** The provider, and the domain of the address that it confirmed. A challenge ends when the organization loses either. */
  issuer: string
  clientId: string
  domain: string
  /** Whether the user signs in to accept an invite. Others have to be members. */
  isInvited: boolean
  /** The identity that a complete sign-in links with the account, or null for one that is linked. */
  identity: { issuer: string; subject: string } | null
}

/**
 * One row a signed-in browser. Deleting it signs that browser out. While staff impersonates a user, that is a state of
 * their own row, so it never shows among the sessions of the other.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    /** What the API shows; says nothing about the token. */
    id: text('id').primaryKey(),
    /** SHA-256 of the cookie's value, in hex. The value itself is never stored. */
    tokenHash: text('token_hash').notNull().unique(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: timestamp('created_at').notNull(),
    /** When the user last proved who they are: recent authentication counts from here. */
    authenticatedAt: timestamp('authenticated_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    /** Refreshed at most every five minutes. */
    lastActivity: timestamp('last_activity').notNull(),
    userAgent: text('user_agent'),
    /** `City, Country`, as far as known. */
    location: text('location'),
    loginMethod: text('login_method').$type<LoginMethod>().notNull(),
    /** The organization whose provider confirmed the user. It may have been deleted. */
    ssoOrganizationId: text('sso_organization_id'),
    impersonatedUserId: integer('impersonated_user_id').references(() => users.id),
    impersonationReason: text('impersonation_reason'),
    impersonationReadOnly: boolean('impersonation_read_only'),
    impersonationStartedAt: timestamp('impersonation_started_at'),
    /** Exact, unlike `last_activity`: half an hour without a request ends it. */
    impersonationLastActivity: timestamp('impersonation_last_activity'),
    /** Encrypted; a second factor that is being set up. */
    pendingTotpSecret: text('pending_totp_secret'),
    pendingTotpExpiresAt: timestamp('pending_totp_expires_at'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
)

/** A first factor that was right, waiting for the second. Known by a cookie of its own. */
export const loginChallenges = sqliteTable(
  'login_challenges',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** What the first factor was. */
    loginMethod: text('login_method').$type<LoginMethod>().notNull().default('password'),
    sso: json<SsoFactor>('sso'),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (table) => [index('login_challenges_expires').on(table.expiresAt)],
)

/** A link that sets a new password, one a user. Its author must still be allowed to make it when it is used. */
export const passwordResets = sqliteTable(
  'password_resets',
  {
    /** SHA-256 of the token in the link, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** The admin who made it; null: the operator of the deployment. */
    createdById: integer('created_by_id').references(() => users.id),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (table) => [
    index('password_resets_user').on(table.userId),
    index('password_resets_expires').on(table.expiresAt),
  ],
)

export const totpDevices = sqliteTable('totp_devices', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Encrypted. */
  secret: text('secret').notNull(),
  /** The latest 30-second step whose code was used: neither it nor an earlier one opens anything again. */
  lastStep: integer('last_step').notNull(),
  createdAt: timestamp('created_at').notNull(),
})

/** A row goes when its code is used. */
export const backupCodes = sqliteTable(
  'backup_codes',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** HMAC of the code under a key of the deployment: codes are too short for a digest without a key. */
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)
