// A user as other records show them: created_by, last_modified_by (reference/account-api.md §8.1).
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { users } from '../../drizzle'
import { isObject } from '../json'
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
 * SQL for the summary of the user whose id stands in `column`, as one JSON text; null when there is none.
 * @param column a qualified column name: Drizzle drops the table's name inside single-table selects, so it is given as text.
 */
export const userSummarySql = (column: string) =>
  sql<string | null>`(SELECT json_object('id', u.id, 'uuid', u.uuid, 'distinct_id', u.distinct_id,
    'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
    'is_email_verified', iif(u.is_email_verified IS NULL, NULL, json(iif(u.is_email_verified, 'true', 'false'))),
    'hedgehog_config', json(u.hedgehog_config), 'role_at_organization', u.role_at_organization)
    FROM users u WHERE u.id = ${sql.raw(column)})`

/** The summary of a user who exists. */
export async function readUserSummary(db: Database, uuid: string): Promise<z.output<typeof UserSummary>> {
  const [row] = await db
    .select({ summary: userSummarySql('users.id').as('summary') })
    .from(users)
    .where(eq(users.uuid, uuid))
  return userSummaryFrom(row?.summary ?? null)!
}

const AVATAR_FIELDS = ['use_as_profile', 'color', 'accessories', 'skin']

/** Reads what `userSummarySql` gave; of the avatar it keeps the four fields that others may see. */
export function userSummaryFrom(text: string | null): z.output<typeof UserSummary> | null {
  if (text === null) return null
  const user = JSON.parse(text) as z.output<typeof UserSummary>
  return { ...user, hedgehog_config: avatarOf(user.hedgehog_config) }
}

/** A user may have stored any JSON as their avatar. */
function avatarOf(config: unknown): Record<string, unknown> | null {
  if (!isObject(config) || Object.keys(config).length === 0) return null
  const { version, actor_options: options } = config
  const source = version === 2 && isObject(options) ? options : config
  return Object.fromEntries(
    AVATAR_FIELDS.filter((field) => field in source).map((field) => [field, source[field]]),
  )
}
