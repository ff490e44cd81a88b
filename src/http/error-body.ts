// The bodies of errors, for the OpenAPI document. render-error.ts writes them.
import * as z from 'zod'

export const ErrorBody = z
  .object({
    type: z.enum([
      'validation_error',
      'invalid_request',
      'authentication_error',
      'throttled_error',
      'server_error',
    ]),
    code: z.string().describe('What went wrong, for programs.'),
    detail: z.string().describe('What went wrong, for people.'),
    attr: z
      .string()
      .nullable()
      .describe('The field, its path joined with `__`; null for the request as a whole.'),
  })
  .meta({
    id: 'Error',
    examples: [
      { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'key' },
    ],
  })

/** Some operations answer a refusal with this instead: where the spec says so. */
export const ErrorText = z
  .object({ error: z.string().describe('What went wrong, for people.') })
  .meta({ id: 'ErrorText', examples: [{ error: 'Provide either filters or ids, not both' }] })
