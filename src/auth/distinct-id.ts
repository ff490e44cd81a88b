// Who a user is among the people of a project.
import { eq } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { Database } from '../storage/database'

/** The statement that reads the distinct id under which a user's own events come. */
export const selectDistinctId = (db: Database, userId: number) =>
  db.select({ distinctId: users.distinctId }).from(users).where(eq(users.id, userId))
