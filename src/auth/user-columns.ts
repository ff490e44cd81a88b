import { eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { Database } from '../storage/database'

/** Columns of a nested `User`, for a select that joins `users`. Their aliases differ from names in the other tables. */
export const userColumns = {
  id: sql<number>`${users.id}`.as('the_user_id'),
  uuid: sql<string>`${users.uuid}`.as('user_uuid'),
  email: users.email,
  firstName: users.firstName,
  isStaff: users.isStaff,
}

/** Selects the distinct id of a user's own events. */
export const selectDistinctId = (db: Database, userId: number) =>
  db.select({ distinctId: users.distinctId }).from(users).where(eq(users.id, userId))
