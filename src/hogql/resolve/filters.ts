// The filters that are stored beside a query, and their shape.
import * as z from 'zod'

/** As they are stored: `HogqlQuery.filters`. */
export type StoredFilters = Readonly<Record<string, unknown>>

const PropertyFilter = z.object({
  type: z.string().nullish(),
  key: z.string(),
  operator: z.string().nullish(),
  value: z.unknown().optional(),
  group_type_index: z.number().int().nullish(),
})

const Filters = z.object({
  dateRange: z.object({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  properties: z.array(PropertyFilter).nullish(),
})

export type PropertyFilter = z.infer<typeof PropertyFilter>

export interface ReadFilters {
  /** Texts such as `2026-01-31` and `-7d`; null for no bound. */
  from: string | null
  to: string | null
  properties: PropertyFilter[]
}

export const NO_FILTERS: ReadFilters = { from: null, to: null, properties: [] }

/** Reads stored filters; undefined when they are none. */
export function readFilters(stored: StoredFilters | null | undefined): ReadFilters | undefined {
  if (!stored) return NO_FILTERS
  const parsed = Filters.safeParse(stored)
  if (!parsed.success) return undefined
  const { dateRange, properties } = parsed.data
  return {
    from: dateRange?.date_from && dateRange.date_from !== 'all' ? dateRange.date_from : null,
    to: dateRange?.date_to || null,
    properties: properties ?? [],
  }
}
