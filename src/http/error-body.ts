// The bodies of errors, for the OpenAPI document. render-error.ts writes them.
import * as z from 'zod'

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

/** Some operations answer a refusal with this instead: where the spec says so. */
export const ErrorText = z.object({ error: z.string() }).meta({ id: 'ErrorText' })
