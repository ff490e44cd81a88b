// States of sign-ins at a provider, each of which is valid once.
import { usedChatStates } from '../../../drizzle'
import { type Database, isUniqueViolation } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

/**
 * Marks a state as used. The unique id rejects a second use, in any isolate.
 * @param expiresAt the time after which the state itself is invalid
 * @throws the error of `rejection` for a used state
 */
export async function consumeState(
  db: Database,
  id: string,
  expiresAt: Date,
  rejection: () => Error,
): Promise<void> {
  try {
    await db.insert(usedChatStates).values({ id, expiresAt: toStoredTimestamp(expiresAt) })
  } catch (error) {
    throw isUniqueViolation(error) ? rejection() : error
  }
}
