// Staff look somebody up by uuid.
import { and, eq } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { Subject } from '../auth/actor'
import { notFound } from '../errors'
import type { Database } from '../storage/database'

/** The id of the active user that a path names. @throws 404. */
export async function findSubject(db: Database, { uuid }: Subject): Promise<number> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.uuid, uuid), eq(users.isActive, true)))
  if (!user) throw notFound()
  return user.id
}
