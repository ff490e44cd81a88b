// Expected responses with the error envelope.
import type { TestResponse } from './harness'

/** Status and body of a response: what most tests compare as a whole. */
export const seen = ({ status, body }: TestResponse) => ({ status, body })

/** The response to a body that breaks a rule. */
export const refused = (attr: string | null, detail: string, code = 'invalid_input') => ({
  status: 400,
  body: { type: 'validation_error', code, detail, attr },
})

/** The response to a caller without permission. */
export const forbidden = (detail: string, code = 'permission_denied') => ({
  status: 403,
  body: { type: 'authentication_error', code, detail, attr: null },
})

/** The response for an object that does not exist, or that the caller cannot access. */
export const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}
