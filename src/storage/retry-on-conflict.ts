// Retries writes whose guard failed because the rows that they read have changed.
import { ApiError } from '../errors'
import { isGuardFailure } from './database'

/** Maximum conflicts, after which a write fails. */
const ATTEMPTS = 50

/**
 * Runs `readAndWrite` until its guard holds.
 * @param isConflict whether an error means that another write came first.
 * @throws other errors of `readAndWrite`; 503 after too many conflicts.
 */
export async function retryOnConflict<T>(
  readAndWrite: () => Promise<T>,
  isConflict: (error: unknown) => boolean = isGuardFailure,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await readAndWrite()
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
