// What the settings page shows of a user: names, address, and whether there is a password.
import { eq, sql } from 'drizzle-orm'
import { users } from '../../../drizzle'
import type { Database } from '../../storage/database'

export interface Profile {
  firstName: string
  lastName: string
  email: string
  hasPassword: boolean
}

/** Reads it of a user who exists. */
export async function getProfile(db: Database, userId: number): Promise<Profile> {
  const [row] = await db
    .select({
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      hasPassword: sql<number>`${users.passwordHash} IS NOT NULL`.as('has_password'),
    })
    .from(users)
    .where(eq(users.id, userId))
  return { ...row!, hasPassword: Boolean(row!.hasPassword) }
}
