// What tests expect to be answered, in the words of the error envelope.
import type { Answer } from './harness'

/** Status and body of an answer: what most tests compare as a whole. */
export const seen = ({ status, body }: Answer) => ({ status, body })

/** The answer to a body that breaks a rule. */
export const refused = (attr: string | null, detail: string, code = 'invalid_input') => ({
  status: 400,
  body: { type: 'validation_error', code, detail, attr },
})

/** The answer to a caller who may not. */
export const forbidden = (detail: string) => ({
  status: 403,
  body: { type: 'authentication_error', code: 'permission_denied', detail, attr: null },
})

/** The answer where there is no such thing, or none that the caller may know of. */
export const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}
