import { eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { Database } from '../storage/database'

/** For a select that joins `users`, as a nested `User`; aliases avoid clashes with its other tables. */
export const userColumns = {
  id: sql<number>`${users.id}`.as('the_user_id'),
  uuid: sql<string>`${users.uuid}`.as('user_uuid'),
  email: users.email,
  firstName: users.firstName,
  isStaff: users.isStaff,
}

/** The distinct id of a user's own events. */
export const selectDistinctId = (db: Database, userId: number) =>
  db.select({ distinctId: users.distinctId }).from(users).where(eq(users.id, userId))
