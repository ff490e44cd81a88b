// Errors of operations that evaluate flags for a person, with upstream's texts.
import type { PersonReference } from '../../analytics/evaluation-subject'
import { ApiError, type ErrorShape } from '../../errors'

/** An error whose body is `{error}`. */
export const failure = (status: number, detail: string, shape: ErrorShape = 'error', cause?: unknown) =>
  new ApiError({
    status,
    type: status < 500 ? 'validation_error' : 'server_error',
    code: status < 500 ? 'invalid_input' : 'evaluation_failed',
    detail,
    shape,
    headers: status === 503 ? { 'Retry-After': '1' } : {},
    cause,
  })

/**
 * Runs a read of people and flags.
 * @throws 503 with `away` when storage fails; 500 with `malformed` for a stored document that is not JSON
 */
export async function readStore<T>(
  read: () => Promise<T>,
  {
    malformed = 'Failed to evaluate flag',
    away = 'Person lookup service temporarily unavailable. Please retry.',
  } = {},
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // A SyntaxError comes only from parsing rows that were read. Errors of the database, such as "malformed JSON", are of other types.
    if (error instanceof SyntaxError) throw failure(500, malformed, 'error', error)
    throw failure(503, away, 'error', error)
  }
}

/** Runs a step on the rows that were read. @throws 500 with `message` when it fails */
export function attempt<T>(message: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw failure(500, message, 'error', error)
  }
}

/** The 404 error. Both keys have the text, because upstream documents one and existing clients read the other. */
export const personMissing = (person: PersonReference) =>
  failure(
    404,
    `Person not found for person_id: ${'personId' in person ? person.personId : ''}`,
    'error+detail',
  )
