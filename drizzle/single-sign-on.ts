// Single sign-on: the OpenID Connect provider of an organization, its domains, and who is who at the provider.
import { isNotNull } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations, users } from './accounts'
import { boolean, json, timestamp } from './columns'

export const organizationSso = sqliteTable('organization_sso', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** Encrypted with ACCOUNT_KEYS. */
  clientSecret: text('client_secret').notNull(),
  /** The claim whose values give new members their level; null: all get the default. */
  levelClaim: text('level_claim'),
  /** Levels by value of the claim. */
  levels: json<Record<string, number>>('levels').notNull().default({}),
  defaultLevel: integer('default_level').notNull().default(1),
  isEnforced: boolean('is_enforced').notNull().default(false),
  createdAt: timestamp('created_at').notNull(),
  updatedAt: timestamp('updated_at').notNull(),
})

/** Domains of the addresses that sign in. Nothing applies to a domain before it is verified. */
export const ssoDomains = sqliteTable(
  'sso_domains',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizationSso.organizationId, { onDelete: 'cascade' }),
    /** Lower-cased. */
    domain: text('domain').notNull(),
    /** Null: not verified. */
    verifiedAt: timestamp('verified_at'),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.domain] }),
    uniqueIndex('sso_domains_verified').on(table.domain).where(isNotNull(table.verifiedAt)),
  ],
)

/** A user of an organization at its provider. The issuer and its id for the user are the key: addresses change hands. */
export const ssoIdentities = sqliteTable(
  'sso_identities',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizationSso.organizationId, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.issuer, table.subject] }),
    index('sso_identities_user').on(table.userId),
  ],
)
