// A user as other records show them: created_by, last_modified_by (reference/account-api.md §8.1).
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { users } from '../../drizzle'
import type { Database } from '../storage/database'

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

/**
 * What others see of the avatar of a user `u`: four fields, whatever else is in it, or null for one that is no object or empty. So the rest
 * does not leave the database: a list may show a summary in every row.
 */
const AVATAR = `CASE WHEN json_type(u.hedgehog_config) = 'object' AND u.hedgehog_config <> '{}' THEN (
    SELECT json_object('use_as_profile', u.hedgehog_config -> '$.use_as_profile', 'color', source.json -> '$.color',
      'accessories', source.json -> '$.accessories', 'skin', source.json -> '$.skin')
    FROM (SELECT iif(u.hedgehog_config ->> '$.version' = 2 AND json_type(u.hedgehog_config, '$.actor_options') = 'object',
      u.hedgehog_config -> '$.actor_options', u.hedgehog_config) AS json) source) END`

/**
 * SQL for the summary of the user whose id stands in `column`, as one JSON text; null when there is none.
 * @param column a qualified column name: Drizzle drops the table's name inside single-table selects, so it is given as text.
 */
export const userSummarySql = (column: string) =>
  sql<string | null>`(SELECT json_object('id', u.id, 'uuid', u.uuid, 'distinct_id', u.distinct_id,
    'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
    'is_email_verified', iif(u.is_email_verified IS NULL, NULL, json(iif(u.is_email_verified, 'true', 'false'))),
    'hedgehog_config', json(${sql.raw(AVATAR)}), 'role_at_organization', u.role_at_organization)
    FROM users u WHERE u.id = ${sql.raw(column)})`

/** The summary of a user who exists. */
export async function readUserSummary(db: Database, uuid: string): Promise<z.output<typeof UserSummary>> {
  const [row] = await db
    .select({ summary: userSummarySql('users.id').as('summary') })
    .from(users)
    .where(eq(users.uuid, uuid))
  return userSummaryFrom(row?.summary ?? null)!
}

/** Reads what `userSummarySql` gave. */
export const userSummaryFrom = (text: string | null): z.output<typeof UserSummary> | null =>
  text === null ? null : (JSON.parse(text) as z.output<typeof UserSummary>)
