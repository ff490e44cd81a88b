// A remark about a position in a query.
import * as z from 'zod'

export const Notice = z.object({
  message: z.string(),
  start: z.int().nullable(),
  end: z.int().nullable(),
  fix: z.string().nullable(),
})
