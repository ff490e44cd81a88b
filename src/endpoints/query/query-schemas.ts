// Schemas of queries; parsing adds every default.
import * as z from 'zod'
import { dictionary } from '../../http/fields'
import {
  BreakdownFilter,
  commonKeys,
  CompareFilter,
  DateRange,
  insightKeys,
  Interval,
  orNull,
  otherwise,
  Properties,
  Series,
} from './schema-parts'

const TrendsFilter = z.looseObject({
  aggregationAxisFormat: otherwise(z.string(), 'numeric'),
  aggregationAxisPostfix: orNull(z.string()),
  aggregationAxisPrefix: orNull(z.string()),
  breakdown_histogram_bin_count: orNull(z.number()),
  confidenceLevel: orNull(z.number()),
  decimalPlaces: orNull(z.number()),
  detailedResultsAggregationType: orNull(z.string()),
  display: otherwise(z.string(), 'ActionsLineGraph'),
  formula: orNull(z.string()),
  formulaNodes: orNull(z.array(z.looseObject({ formula: z.string().nullish() }))),
  formulas: orNull(z.array(z.string())),
  goalLines: orNull(z.array(dictionary())),
  hiddenLegendIndexes: orNull(z.array(z.int())),
  minDecimalPlaces: orNull(z.number()),
  movingAverageIntervals: orNull(z.number()),
  resultCustomizationBy: otherwise(z.string(), 'value'),
  resultCustomizations: orNull(dictionary()),
  showAlertThresholdLines: otherwise(z.boolean(), false),
  showConfidenceIntervals: orNull(z.boolean()),
  showLabelsOnSeries: orNull(z.boolean()),
  showLegend: otherwise(z.boolean(), false),
  showMovingAverage: orNull(z.boolean()),
  showMultipleYAxes: otherwise(z.boolean(), false),
  showPercentStackView: otherwise(z.boolean(), false),
  showTrendLines: orNull(z.boolean()),
  showValuesOnSeries: otherwise(z.boolean(), false),
  smoothingIntervals: otherwise(z.int(), 1),
  yAxisScaleType: orNull(z.string()),
})

const LifecycleFilter = z.looseObject({
  showLegend: otherwise(z.boolean(), false),
  showValuesOnSeries: orNull(z.boolean()),
  stacked: otherwise(z.boolean(), true),
  toggledLifecycles: orNull(z.array(z.enum(['new', 'returning', 'resurrecting', 'dormant']))),
})

const RetentionEntity = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().nullish(),
  properties: Properties.nullish(),
  type: z.string().nullish(),
})

const RetentionFilter = z.looseObject({
  aggregationProperty: orNull(z.string()),
  aggregationPropertyType: orNull(z.string()),
  aggregationType: otherwise(z.string(), 'count'),
  cumulative: orNull(z.boolean()),
  dashboardDisplay: orNull(z.string()),
  display: orNull(z.string()),
  goalLines: orNull(z.array(dictionary())),
  meanRetentionCalculation: otherwise(z.string(), 'simple'),
  minimumOccurrences: orNull(z.int()),
  period: otherwise(z.enum(['Hour', 'Day', 'Week', 'Month']), 'Day'),
  retentionCustomBrackets: orNull(z.array(z.number())),
  retentionReference: orNull(z.enum(['total', 'previous'])),
  retentionType: orNull(z.string()),
  returningEntity: orNull(RetentionEntity),
  selectedInterval: orNull(z.int()),
  showTrendLines: orNull(z.boolean()),
  targetEntity: orNull(RetentionEntity),
  timeWindowMode: orNull(z.string()),
  totalIntervals: otherwise(z.int(), 8),
})

const FunnelsFilter = z.looseObject({
  binCount: orNull(z.int()),
  breakdownAttributionType: otherwise(z.string(), 'first_touch'),
  breakdownAttributionValue: orNull(z.int()),
  breakdownSorting: orNull(z.string()),
  exclusions: otherwise(z.array(dictionary()), []),
  funnelAggregateByHogQL: orNull(z.string()),
  funnelFromStep: orNull(z.int()),
  funnelOrderType: otherwise(z.enum(['strict', 'unordered', 'ordered']), 'ordered'),
  funnelStepReference: otherwise(z.enum(['total', 'previous']), 'total'),
  funnelToStep: orNull(z.int()),
  funnelVizType: otherwise(z.string(), 'steps'),
  funnelWindowInterval: otherwise(z.int(), 14),
  funnelWindowIntervalUnit: otherwise(z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']), 'day'),
  goalLines: orNull(z.array(dictionary())),
  hiddenLegendBreakdowns: orNull(z.array(z.string())),
  layout: otherwise(z.string(), 'vertical'),
  resultCustomizations: orNull(dictionary()),
  showTrendLines: orNull(z.boolean()),
  showValuesOnSeries: otherwise(z.boolean(), false),
  useUdf: orNull(z.boolean()),
})

export const HogqlQuery = z.strictObject({
  ...commonKeys,
  connectionId: orNull(z.string()),
  explain: orNull(z.boolean()),
  filters: orNull(
    z.strictObject({
      dateRange: orNull(DateRange),
      filterTestAccounts: orNull(z.boolean()),
      properties: orNull(Properties),
    }),
  ),
  kind: z.literal('HogQLQuery'),
  name: orNull(z.string()),
  query: z.string(),
  sendRawQuery: orNull(z.boolean()),
  values: orNull(dictionary()),
  variables: orNull(
    z.record(
      z.string(),
      z.strictObject({
        code_name: z.string(),
        isNull: orNull(z.boolean()),
        value: z.unknown().default(null),
        variableId: z.string(),
      }),
    ),
  ),
})

export const TrendsQuery = z.strictObject({
  ...insightKeys,
  breakdownFilter: orNull(BreakdownFilter),
  compareFilter: orNull(CompareFilter),
  conversionGoal: orNull(dictionary()),
  interval: otherwise(Interval, 'day'),
  kind: z.literal('TrendsQuery'),
  series: Series,
  trendsFilter: orNull(TrendsFilter),
})

export const LifecycleQuery = z.strictObject({
  ...insightKeys,
  customAggregationTarget: orNull(z.boolean()),
  interval: otherwise(Interval, 'day'),
  kind: z.literal('LifecycleQuery'),
  lifecycleFilter: orNull(LifecycleFilter),
  series: Series,
})

export const RetentionQuery = z.strictObject({
  ...insightKeys,
  breakdownFilter: orNull(BreakdownFilter),
  kind: z.literal('RetentionQuery'),
  retentionFilter: RetentionFilter,
})

export const FunnelsQuery = z.strictObject({
  ...insightKeys,
  breakdownFilter: orNull(BreakdownFilter),
  funnelsFilter: orNull(FunnelsFilter),
  interval: orNull(Interval),
  kind: z.literal('FunnelsQuery'),
  series: Series,
})
