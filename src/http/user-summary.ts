// A user as other records show them, such as in created_by (docs/reference/accounts.md#user-record).
import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { users } from '../../drizzle'
import { fromJson } from '../storage/columns'
import type { Database } from '../storage/database'
import { ada } from './docs/examples'
import type { SchemaDocs } from './docs/operation-docs'

export const UserSummary = z
  .object({
    id: z.int(),
    uuid: z.uuid(),
    distinct_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_email_verified: z.boolean().nullable(),
    hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
    role_at_organization: z.string().nullable(),
  })
  .meta({ id: 'UserSummary' })

export type UserSummary = z.output<typeof UserSummary>

/** Fields that the summary and the full user record share. */
export const identityFields = () => ({
  id: 'Numeric id of the user; paths take `uuid`.',
  uuid: 'Id of the user in paths.',
  distinct_id: 'Random id of the user in events. It never changes.',
  first_name: 'Given name, at most 150 characters. May be empty.',
  last_name: 'Family name, at most 150 characters. May be empty.',
  is_email_verified:
    'Whether the address was confirmed. Null: not confirmed; signing in does not require it.',
  role_at_organization:
    '`engineering`, `data`, `product`, `founder`, `leadership`, `marketing`, `sales` or `other`. Null if not set.',
})

export const UserSummaryDocs = (): SchemaDocs => ({
  description: 'A user in the records of other objects.',
  fields: {
    ...identityFields(),
    email: 'Email address, in lower case.',
    hedgehog_config:
      'The avatar: `use_as_profile`, `color`, `accessories` and `skin`, each null if not set. Null without an avatar.',
  },
  example: ada,
})

/**
 * SQL of four fields of the avatar of a user `u`. It is null for an avatar that is empty or not an object. The other fields stay in the
 * database, because a list may have a summary in every row.
 */
const AVATAR = `CASE WHEN json_type(u.hedgehog_config) = 'object' AND u.hedgehog_config <> '{}' THEN (
    SELECT json_object('use_as_profile', u.hedgehog_config -> '$.use_as_profile', 'color', source.json -> '$.color',
      'accessories', source.json -> '$.accessories', 'skin', source.json -> '$.skin')
    FROM (SELECT iif(u.hedgehog_config ->> '$.version' = 2 AND json_type(u.hedgehog_config, '$.actor_options') = 'object',
      u.hedgehog_config -> '$.actor_options', u.hedgehog_config) AS json) source) END`

/**
 * Returns SQL of the summary of the user with the id in `column`. It is JSON text in SQL, or null without a user.
 * @param column a qualified column name, as text: Drizzle omits the table name inside single-table selects
 */
export const userSummarySql = (column: string): SQL<UserSummary | null> =>
  fromJson(sql`(SELECT json_object('id', u.id, 'uuid', u.uuid, 'distinct_id', u.distinct_id,
    'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
    'is_email_verified', iif(u.is_email_verified IS NULL, NULL, json(iif(u.is_email_verified, 'true', 'false'))),
    'hedgehog_config', json(${sql.raw(AVATAR)}), 'role_at_organization', u.role_at_organization)
    FROM users u WHERE u.id = ${sql.raw(column)})`)

/** @param uuid of an existing user */
export async function getUserSummary(db: Database, uuid: string): Promise<UserSummary> {
  const [row] = await db
    .select({ summary: userSummarySql('users.id').as('summary') })
    .from(users)
    .where(eq(users.uuid, uuid))
  return row!.summary!
}
