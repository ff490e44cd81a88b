// What tests expect to be answered, in the words of the error envelope.
import type { Answer } from './harness'

/** Status and body of an answer: what most tests compare as a whole. */
export const seen = ({ status, body }: Answer) => ({ status, body })

/** The answer to a body that breaks a rule. */
export const refused = (attr: string | null, detail: string, code = 'invalid_input') => ({
  status: 400,
  body: { type: 'validation_error', code, detail, attr },
})
