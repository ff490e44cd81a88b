import { eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { User } from './actor'
import type { Database } from '../storage/database'

/** For a select that joins `users`; aliases avoid clashes with its other tables. */
export const userColumns = {
  userId: sql<number>`${users.id}`.as('the_user_id'),
  userUuid: sql<string>`${users.uuid}`.as('user_uuid'),
  email: users.email,
  firstName: users.firstName,
  isStaff: users.isStaff,
}

export const userFrom = (row: {
  userId: number
  userUuid: string
  email: string
  firstName: string
  isStaff: boolean
}): User => ({
  id: row.userId,
  uuid: row.userUuid,
  email: row.email,
  firstName: row.firstName,
  isStaff: row.isStaff,
})

/** The distinct id of a user's own events. */
export const selectDistinctId = (db: Database, userId: number) =>
  db.select({ distinctId: users.distinctId }).from(users).where(eq(users.id, userId))
