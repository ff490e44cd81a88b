import * as z from 'zod'

/**
 * Returns the schema of a body that rejects unknown fields, except the API key, which authentication reads.
 * @param ignored fields that may be sent and have no effect
 */
export const strictBody = <Shape extends z.ZodRawShape>(shape: Shape, ignored: readonly string[] = []) =>
  z.preprocess((body) => without(['personal_api_key', ...ignored], body), z.strictObject(shape))

function without(ignored: readonly string[], body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return ignored.some((field) => field in body)
    ? Object.fromEntries(Object.entries(body).filter(([field]) => !ignored.includes(field)))
    : body
}
