// Bodies of operations that say everything with their path: nothing to send, and nothing to tell but that it worked.
import * as z from 'zod'

export const EmptyBody = z.looseObject({}).meta({ id: 'EmptyBody' })

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
