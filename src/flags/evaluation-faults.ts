// What can go wrong where a flag is evaluated for somebody whom a member of the project asks about, and what they are told (spec "Errors",
// reference §11).
import type { PersonReference } from '../analytics/subject'
import { ApiError, type ErrorShape } from '../errors'

/** The spec gives every failure of these operations the body `{error}`. */
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
 * @throws 503 with `away` when storage does not answer, whatever the fault; 500 with `unreadable` when it answers with a document that is
 * no JSON.
 */
export async function readStore<T>(
  read: () => Promise<T>,
  {
    unreadable = 'Failed to evaluate flag',
    away = 'Person lookup service temporarily unavailable. Please retry.',
  } = {},
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // Only parsing what was read throws one: an error of the database, "malformed JSON" among them, is another.
    if (error instanceof SyntaxError) throw failure(500, unreadable, 'error', error)
    throw failure(503, away, 'error', error)
  }
}

/** Runs a step on what was read. @throws 500 with `message` when it cannot be made sense of. */
export function attempt<T>(message: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw failure(500, message, 'error', error)
  }
}

/** 404. Both keys carry the text: the spec names one, existing clients read the other. */
export const personMissing = (person: PersonReference) =>
  failure(
    404,
    `Person not found for person_id: ${'personId' in person ? person.personId : ''}`,
    'error+detail',
  )
