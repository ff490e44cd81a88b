// Writes that depend on what was read: after a write conflict they are repeated on what is there now.
import { ApiError } from '../errors'
import { isGuardFailure } from './database'

/** How many writers may come first before one gives up. */
const ATTEMPTS = 50

/**
 * Runs `decideAndWrite` until its batch is not refused by its own guard.
 * @param isConflict which errors say that somebody else was first.
 * @throws what it throws otherwise; 503 when others keep coming first.
 */
export async function optimistically<T>(
  decideAndWrite: () => Promise<T>,
  isConflict: (error: unknown) => boolean = isGuardFailure,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await decideAndWrite()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  throw new ApiError({
    status: 503,
    type: 'server_error',
    code: 'too_many_writers',
    detail: 'This is being changed by many callers at once. Please retry.',
    headers: { 'Retry-After': '1' },
  })
}
