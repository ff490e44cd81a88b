// The bodies of errors, for the OpenAPI document. render-error.ts writes them.
import * as z from 'zod'
import type { SchemaDocs } from './docs/operation-docs'

export const ErrorBody = z
  .object({
    type: z.enum([
      'validation_error',
      'invalid_request',
      'authentication_error',
      'throttled_error',
      'quota_limited',
      'server_error',
    ]),
    code: z.string(),
    detail: z.string(),
    attr: z.string().nullable(),
  })
  .meta({ id: 'Error' })

export const ErrorBodyDocs = (): SchemaDocs => ({
  description: 'An error. It names the first invalid field.',
  fields: {
    type: 'Kind of error: the request, the caller, the rate, the quota or the service.',
    code: 'What went wrong, for programs: stable, in snake case.',
    detail: 'What went wrong, for people, in English.',
    attr: 'The field, its path joined with `__`; null for the request as a whole.',
  },
  example: { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'key' },
})

/** The body of an error for which the specification has no envelope. */
export const ErrorText = z.object({ error: z.string() }).meta({ id: 'ErrorText' })

export const ErrorTextDocs = (): SchemaDocs => ({
  description: 'An error without the envelope.',
  fields: { error: 'What went wrong, for people, in English.' },
  example: { error: 'Provide either filters or ids, not both' },
})
