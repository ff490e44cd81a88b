// What acts for a user beside the password and the sessions. It outlives a new password, unless the user removes it.
import { eq, type SQL, sql } from 'drizzle-orm'
import { chatLinks, personalApiKeys, pushTokens, ssoIdentities } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'

const CREDENTIALS = [
  { table: personalApiKeys, kind: 'Personal API key', label: sql`label` },
  { table: ssoIdentities, kind: 'Single sign-on', label: sql`issuer` },
  { table: chatLinks, kind: 'Chat identity', label: sql`coalesce(workspace_name, workspace_id)` },
  { table: pushTokens, kind: 'Device that gets notifications', label: sql`platform` },
] as const

export interface OtherCredential {
  kind: string
  label: string
  /** ISO 8601. */
  createdAt: string
}

/** Lists them, the oldest first. */
export async function listOtherCredentials(db: Database, userId: number): Promise<OtherCredential[]> {
  const selects = CREDENTIALS.map(
    ({ table, kind, label }) =>
      sql`SELECT ${kind} AS kind, ${label} AS label, created_at AS createdAt FROM ${table} WHERE user_id = ${userId}`,
  )
  const rows = await db.all<OtherCredential>(sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY createdAt`)
  return rows.map((row) => ({ ...row, createdAt: toApiTimestamp(row.createdAt) }))
}

/** SQL condition: the user has one. */
export const hasOtherCredentials = (userId: number): SQL =>
  sql`(${sql.join(
    CREDENTIALS.map(({ table }) => sql`EXISTS (SELECT 1 FROM ${table} WHERE user_id = ${userId})`),
    sql` OR `,
  )})`

/** The statements that remove them. The key cache has to forget the user, too. */
export const removeOtherCredentials = (db: Database, userId: number) =>
  CREDENTIALS.map(({ table }) => db.delete(table).where(eq(table.userId, userId)))
