// Looking through what may act in one's name (reference/account-api.md §8.4).
import { eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle'
import type { Deps } from '../deps'
import { stored } from '../timestamps'

/** Notes that a user looked; a repeat keeps the moment. */
export async function completeCredentialReview(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
): Promise<void> {
  await db
    .update(users)
    .set({ credentialsReviewedAt: sql`coalesce(credentials_reviewed_at, ${stored(clock.now())})` })
    .where(eq(users.id, userId))
}
