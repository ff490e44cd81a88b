import * as z from 'zod'

export const BuildCost = z.object({
  rows_read: z.int().nullable(),
  seconds: z.number().nullable(),
  builds_per_day: z.number(),
  rows_left: z.int(),
  bytes_left: z.int(),
  last_build: z.object({ rows: z.int(), bytes: z.int(), seconds: z.number() }).nullable(),
})
export type BuildCost = z.output<typeof BuildCost>
