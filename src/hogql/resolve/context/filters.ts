// Filters that are stored with a query.
import * as z from 'zod'

/** The value of `HogqlQuery.filters` before parsing. */
export type StoredFilters = Readonly<Record<string, unknown>>

const PropertyFilter = z.object({
  type: z.string().nullish(),
  key: z.union([z.string(), z.number().transform(String)]),
  operator: z.string().nullish(),
  value: z.unknown().optional(),
  group_type_index: z.number().int().nullish(),
})

const Filters = z.object({
  dateRange: z.object({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  properties: z.array(PropertyFilter).nullish(),
})

export type PropertyFilter = z.infer<typeof PropertyFilter>

/** Filters as a tree. A list is a conjunction; a group is joined by its type. */
export type FilterTree =
  | readonly (Readonly<Record<string, unknown>> | FilterTree)[]
  | {
      readonly type: 'AND' | 'OR'
      readonly values: readonly (Readonly<Record<string, unknown>> | FilterTree)[]
    }

export type ParsedTree = PropertyFilter | { join: 'and' | 'or'; members: ParsedTree[] }

const MAX_DEPTH = 20

/** Parses a tree of filters. Returns undefined for an invalid filter or too many levels. */
export function parseFilterTree(tree: unknown, depth = 0): ParsedTree | undefined {
  if (depth > MAX_DEPTH) return undefined
  const group = Array.isArray(tree) ? { type: 'AND', values: tree as unknown[] } : groupOf(tree)
  if (group === undefined) return PropertyFilter.safeParse(tree).data
  const members = group.values.map((value) => parseFilterTree(value, depth + 1))
  if (members.some((member) => member === undefined)) return undefined
  return { join: group.type === 'OR' ? 'or' : 'and', members: members as ParsedTree[] }
}

function groupOf(value: unknown): { type: string; values: unknown[] } | undefined {
  if (typeof value !== 'object' || value === null || !('values' in value) || !('type' in value))
    return undefined
  const { type, values } = value
  return (type === 'AND' || type === 'OR') && Array.isArray(values) ? { type, values } : undefined
}

export const filtersIn = (tree: ParsedTree): PropertyFilter[] =>
  'members' in tree ? tree.members.flatMap(filtersIn) : [tree]

export interface ParsedFilters {
  /** Bounds such as `2026-01-31` and `-7d`; null means no bound. */
  from: string | null
  to: string | null
  properties: PropertyFilter[]
}

const NO_FILTERS: ParsedFilters = { from: null, to: null, properties: [] }

/** Returns undefined when the filters are invalid. */
export function parseFilters(stored: StoredFilters | null | undefined): ParsedFilters | undefined {
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
