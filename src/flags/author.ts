// Users in whose name the service changes flags later: who scheduled a change, and who requested one that is approved.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import { MEMBER } from '../auth/actor'
import { userColumns } from '../auth/user-columns'
import type { Database } from '../storage/database'

/** SQL of the level of a user's membership in the organization of a project. It is null for others, and for a deactivated user. */
const levelOf = (userId: SQL | number, projectId: SQL | number): SQL<number> =>
  sql<number>`(SELECT m.level FROM organization_memberships m JOIN users u ON u.id = m.user_id AND u.is_active
    WHERE m.user_id = ${userId} AND m.organization_id = (SELECT p.organization_id FROM projects p WHERE p.id = ${projectId}))`

/** SQL condition: the user may change flags of the project now. */
export const mayChangeFlags = (userId: SQL | number, projectId: SQL | number): SQL =>
  sql`${levelOf(userId, projectId)} >= ${sql.raw(String(MEMBER))}`

/** Selects a user, with the level of their membership, unless they may not change flags of the project any more. */
export const selectAuthor = (db: Database, userId: SQL | number, projectId: SQL | number) =>
  db
    .select({ ...userColumns, level: levelOf(sql`users.id`, projectId).as('author_level') })
    .from(users)
    .where(and(eq(users.id, userId), mayChangeFlags(sql`users.id`, projectId)))
