// Parts of query schemas. Parsing adds every default, so that a stored query has all keys (reference/endpoints-api.md §1.1).
import * as z from 'zod'
import { dictionary } from '../../http/fields'

/** Default null. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null as never)

/** Default `value`; null is accepted. */
export const otherwise = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullable().default(value as never)

export const commonKeys = {
  modifiers: orNull(dictionary()),
  response: orNull(dictionary()),
  tags: orNull(dictionary()),
  version: orNull(z.number()),
}

export const DateRange = z.strictObject({
  date_from: orNull(z.string()),
  date_to: orNull(z.string()),
  explicitDate: otherwise(z.boolean(), false),
})
export type DateRange = z.input<typeof DateRange>

/** The compiler validates filters by their type. */
const PropertyFilter = z.looseObject({})

/** A list of filters that all hold, or groups of AND and OR. */
export const Properties = z.union([
  z.array(PropertyFilter),
  z.looseObject({ type: z.enum(['AND', 'OR']), values: z.array(PropertyFilter) }),
])
export type PropertyFilters = z.input<typeof Properties>

const nodeKeys = {
  custom_name: orNull(z.string()),
  fixedProperties: orNull(z.array(PropertyFilter)),
  math: orNull(z.string()),
  math_group_type_index: orNull(z.int()),
  math_hogql: orNull(z.string()),
  math_multiplier: orNull(z.number()),
  math_property: orNull(z.string()),
  math_property_revenue_currency: orNull(dictionary()),
  math_property_type: orNull(z.string()),
  name: orNull(z.string()),
  optionalInFunnel: orNull(z.boolean()),
  properties: orNull(z.array(PropertyFilter)),
  response: orNull(dictionary()),
  version: orNull(z.number()),
}

const eventsNodeKeys = { ...nodeKeys, event: orNull(z.string()) }

const EventsNode = z.looseObject({
  ...eventsNodeKeys,
  kind: z.literal('EventsNode').default('EventsNode'),
  limit: orNull(z.int()),
  orderBy: orNull(z.array(z.string())),
})

const ActionsNode = z.looseObject({ ...nodeKeys, id: z.int(), kind: z.literal('ActionsNode') })

/** As the compiler reads a node: it rejects other kinds than EventsNode. */
export type SeriesNode = z.input<z.ZodObject<typeof eventsNodeKeys>> & { kind?: string }

export const Series: z.ZodType<SeriesNode[], SeriesNode[]> = z.array(
  z.union([EventsNode, ActionsNode, z.looseObject({ kind: z.enum(['DataWarehouseNode', 'GroupNode']) })]),
)

const Breakdown = z.looseObject({
  group_type_index: orNull(z.int()),
  histogram_bin_count: orNull(z.int()),
  normalize_url: orNull(z.boolean()),
  property: z.union([z.string(), z.int()]),
  type: orNull(z.string()),
})

export const BreakdownFilter = z.looseObject({
  breakdown: orNull(z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))])),
  breakdown_group_type_index: orNull(z.int()),
  breakdown_hide_other_aggregation: orNull(z.boolean()),
  breakdown_histogram_bin_count: orNull(z.int()),
  breakdown_limit: orNull(z.int()),
  breakdown_normalize_url: orNull(z.boolean()),
  breakdown_path_cleaning: orNull(z.boolean()),
  breakdown_type: otherwise(z.string(), 'event'),
  breakdowns: orNull(z.array(Breakdown)),
})

export type BreakdownFilter = z.input<typeof BreakdownFilter>

export const CompareFilter = z.looseObject({
  compare: otherwise(z.boolean(), false),
  compare_to: orNull(z.string()),
})

export const Interval = z.enum(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

export const insightKeys = {
  ...commonKeys,
  aggregation_group_type_index: orNull(z.int()),
  dataColorTheme: orNull(z.number()),
  dateRange: orNull(DateRange),
  filterTestAccounts: otherwise(z.boolean(), false),
  properties: otherwise(Properties, []),
  samplingFactor: orNull(z.number()),
}
