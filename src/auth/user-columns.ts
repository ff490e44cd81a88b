// The columns of the user behind a caller, whichever credential they were found by.
import { sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { User } from './actor'

/** For a select that joins `users`. Named apart from what other tables call the same. */
export const userColumns = {
  userId: sql<number>`${users.id}`.as('the_user_id'),
  userUuid: sql<string>`${users.uuid}`.as('user_uuid'),
  email: users.email,
  firstName: users.firstName,
  isStaff: users.isStaff,
}

/** The user that `userColumns` read. */
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
