// Bodies that several operations have.
import * as z from 'zod'
import type { SchemaDocs } from './docs/operation-docs'

/** Parses a body that is not an object as `{}`, as upstream. */
export const orEmpty = <Body extends z.ZodType>(schema: Body) =>
  z.preprocess((body) => (typeof body === 'object' && !Array.isArray(body) && body ? body : {}), schema)

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

export const SuccessDocs = (): SchemaDocs => ({
  description: 'The operation succeeded.',
  fields: { success: 'Always true: a failure is an error response.' },
  example: { success: true },
})
