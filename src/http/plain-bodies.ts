// Bodies of operations that say everything with their path: nothing to send, and nothing to tell but that it worked.
import * as z from 'zod'

/** A body that counts as one that holds nothing when it is no object (reference/account-api.md §3, §5.2). */
export const orEmpty = <Body extends z.ZodType>(schema: Body) =>
  z.preprocess((body) => (typeof body === 'object' && !Array.isArray(body) && body ? body : {}), schema)

export const EmptyBody = orEmpty(z.looseObject({})).meta({ id: 'EmptyBody' })

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
