// A property filter of a query, a run or an action. The schema has the keys of every type, and the compiler validates them by the type.
import * as z from 'zod'

export const PropertyFilter = z.strictObject({
  cohort_name: z.string().nullish(),
  group_key_names: z.record(z.string(), z.unknown()).nullish(),
  group_type_index: z.int().nullish(),
  key: z.union([z.string(), z.number()]),
  label: z.string().nullish(),
  operator: z.string().nullish(),
  type: z.string().nullish(),
  value: z.unknown().optional(),
})
