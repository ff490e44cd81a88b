// Parts of query schemas. Parsing adds every default, so that a stored query has all keys, as upstream.
import * as z from 'zod'
import { dictionary } from '../../http/fields'
import { INTERVALS } from '../insights/periods'
import { PropertyFilter } from '../../hogql/resolve/filters/strict-filter'

/** A schema whose default is null. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null as never)

/** A schema whose default is `value`, and which accepts null. */
export const otherwise = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullable().default(value as never)

/**
 * Support of an option. `supported` is the default, `display` options are for a user interface, `ignored` ones change no result here,
 * `rejected` ones may not be set, and a list has the values that are supported.
 */
export type Support = 'supported' | 'display' | 'ignored' | 'rejected' | readonly string[]

const withSupport = <Schema extends z.ZodType>(schema: Schema, support: Support): Schema =>
  schema.meta({ support })

/** Marks an option as supported whose parts are not listed. */
export const supported = <Schema extends z.ZodType>(schema: Schema) => withSupport(schema, 'supported')
export const display = <Schema extends z.ZodType>(schema: Schema) => withSupport(schema, 'display')
export const ignored = <Schema extends z.ZodType>(schema: Schema) => withSupport(schema, 'ignored')
export const rejected = <Schema extends z.ZodType>(schema: Schema) => withSupport(schema, 'rejected')

type Limited<Written, Value> = Extract<Written, null | undefined> | Value

/** Marks an option as supported with these values only. The type has no others, because `requireSupported` rejects them. */
export const limited = <Schema extends z.ZodType, const Value extends string>(
  schema: Schema,
  values: readonly Value[],
) =>
  withSupport(schema, values) as unknown as z.ZodType<
    Limited<z.output<Schema>, Value>,
    Limited<z.input<Schema>, Value>
  > & { _zod: Pick<Schema['_zod'], 'optin' | 'optout'> }

export const commonKeys = {
  modifiers: ignored(orNull(dictionary())),
  response: ignored(orNull(dictionary())),
  tags: ignored(orNull(dictionary())),
  version: ignored(orNull(z.number())),
}

export const DateRange = z.strictObject({
  date_from: orNull(z.string()),
  date_to: orNull(z.string()),
  explicitDate: otherwise(z.boolean(), false),
})
export type DateRange = z.input<typeof DateRange>

type PropertyNode = Readonly<Record<string, unknown>>

/** A list of filters that all hold, or groups of AND and OR. */
export type PropertyFilters = PropertyNode[] | { type: 'AND' | 'OR'; values: PropertyNode[] }

/**
 * Parses an object with `values` as a group, and any other as `other`. Unlike those of a union, errors are about the form that was sent.
 */
const groupOr = <Other>(other: z.ZodType<Other>) =>
  z.unknown().transform((value, context) => {
    const isGroup = typeof value === 'object' && value !== null && Object.hasOwn(value, 'values')
    const result = (isGroup ? PropertyGroup : other).safeParse(value)
    if (result.success) return result.data as Other | z.output<typeof PropertyGroup>
    context.issues.push(
      ...result.error.issues.map((issue) => ({ ...issue, input: value }) as z.core.$ZodRawIssue),
    )
    return z.NEVER
  })

const PropertyGroup: z.ZodType<{ type: 'AND' | 'OR'; values: PropertyNode[] }> = z.strictObject({
  type: z.enum(['AND', 'OR']),
  values: z.lazy(() => z.array(groupOr<PropertyNode>(PropertyFilter))),
})

export const Properties = groupOr(z.array(PropertyFilter)) as unknown as z.ZodType<
  PropertyFilters,
  PropertyFilters
>

const nodeKeys = {
  custom_name: orNull(z.string()),
  event: orNull(z.string()),
  fixedProperties: supported(orNull(z.array(PropertyFilter))),
  /** The id of an action. */
  id: supported(z.int().optional()),
  kind: z.enum(['EventsNode', 'ActionsNode']).default('EventsNode'),
  limit: ignored(orNull(z.int())),
  math: orNull(z.string()),
  math_group_type_index: orNull(z.int()),
  math_hogql: orNull(z.string()),
  math_multiplier: orNull(z.number()),
  math_property: orNull(z.string()),
  math_property_revenue_currency: rejected(orNull(dictionary())),
  math_property_type: orNull(z.string()),
  name: orNull(z.string()),
  optionalInFunnel: ignored(orNull(z.boolean())),
  orderBy: ignored(orNull(z.array(z.string()))),
  properties: supported(orNull(z.array(PropertyFilter))),
  response: ignored(orNull(dictionary())),
  version: ignored(orNull(z.number())),
}

export const TrendsSeries = z.array(z.strictObject(nodeKeys))

/** Keys of series in kinds that count actors by their actions, not by `math`. */
const withoutMeasures = {
  ...nodeKeys,
  math_group_type_index: ignored(nodeKeys.math_group_type_index),
  math_hogql: ignored(nodeKeys.math_hogql),
  math_multiplier: ignored(nodeKeys.math_multiplier),
  math_property: ignored(nodeKeys.math_property),
  math_property_revenue_currency: ignored(nodeKeys.math_property_revenue_currency),
  math_property_type: ignored(nodeKeys.math_property_type),
}

export const LifecycleSeries = z.array(z.strictObject({ ...withoutMeasures, math: ignored(nodeKeys.math) }))

export const FunnelsSeries = z.array(
  z.strictObject({
    ...withoutMeasures,
    math: limited(nodeKeys.math, ['total', 'first_time_for_user', 'first_time_for_user_with_filters']),
    optionalInFunnel: supported(nodeKeys.optionalInFunnel),
  }),
)

/** An event that must not happen between two steps. */
export const FunnelExclusion = z.strictObject({
  ...withoutMeasures,
  custom_name: display(nodeKeys.custom_name),
  funnelFromStep: z.int(),
  funnelToStep: z.int(),
  math: limited(nodeKeys.math, ['total']),
  name: display(nodeKeys.name),
  optionalInFunnel: rejected(nodeKeys.optionalInFunnel),
})

/** Series of stickiness, whose `math` says who is counted. */
export const StickinessSeries = z.array(
  z.strictObject({
    ...withoutMeasures,
    math: limited(nodeKeys.math, ['total', 'dau', 'unique_group', 'hogql']),
    math_group_type_index: nodeKeys.math_group_type_index,
    math_hogql: nodeKeys.math_hogql,
    math_multiplier: rejected(nodeKeys.math_multiplier),
    math_property: rejected(nodeKeys.math_property),
    math_property_type: rejected(nodeKeys.math_property_type),
  }),
)

export type SeriesNode = z.input<z.ZodObject<typeof nodeKeys>>

const BREAKDOWN_TYPES = ['event', 'event_metadata', 'group', 'hogql', 'person', 'session'] as const
export type BreakdownType = (typeof BREAKDOWN_TYPES)[number]

const Breakdown = z.strictObject({
  group_type_index: orNull(z.int()),
  histogram_bin_count: rejected(orNull(z.int())),
  normalize_url: orNull(z.boolean()),
  property: z.union([z.string(), z.int()]),
  type: limited(orNull(z.string()), BREAKDOWN_TYPES),
})

export const BreakdownFilter = z.strictObject({
  breakdown: orNull(z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))])),
  breakdown_group_type_index: orNull(z.int()),
  breakdown_hide_other_aggregation: ignored(orNull(z.boolean())),
  breakdown_histogram_bin_count: rejected(orNull(z.int())),
  breakdown_limit: ignored(orNull(z.int())),
  breakdown_normalize_url: orNull(z.boolean()),
  breakdown_path_cleaning: rejected(orNull(z.boolean())),
  breakdown_type: limited(otherwise(z.string(), 'event'), BREAKDOWN_TYPES),
  breakdowns: orNull(z.array(Breakdown)),
})

/** Breakdowns of kinds that can count the members of cohorts. */
export const CohortBreakdownFilter = BreakdownFilter.extend({
  breakdown_type: limited(otherwise(z.string(), 'event'), ['cohort', ...BREAKDOWN_TYPES]),
})

/** Breakdowns of trends, which combine the values after the largest ones. */
export const TrendsBreakdownFilter = CohortBreakdownFilter.extend({
  breakdown_hide_other_aggregation: orNull(z.boolean()),
  breakdown_limit: orNull(z.int().min(1)),
})

export type BreakdownFilter = z.input<typeof CohortBreakdownFilter>

export const CompareFilter = z.strictObject({
  compare: otherwise(z.boolean(), false),
  compare_to: orNull(z.string()),
})

export const Interval = z.enum(['second', ...INTERVALS])

export const limitedInterval = <Schema extends z.ZodType>(schema: Schema) => limited(schema, INTERVALS)

export const insightKeys = {
  ...commonKeys,
  aggregation_group_type_index: orNull(z.int()),
  dataColorTheme: display(orNull(z.number())),
  dateRange: orNull(DateRange),
  filterTestAccounts: ignored(otherwise(z.boolean(), false)),
  properties: otherwise(Properties, []),
  samplingFactor: ignored(orNull(z.number())),
}
