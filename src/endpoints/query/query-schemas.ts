// Schemas of queries; parsing adds every default.
import * as z from 'zod'
import { dictionary } from '../../http/fields'
import {
  BreakdownFilter,
  commonKeys,
  CompareFilter,
  DateRange,
  display,
  FunnelsSeries,
  ignored,
  insightKeys,
  Interval,
  LifecycleSeries,
  limited,
  limitedInterval,
  orNull,
  otherwise,
  Properties,
  rejected,
  TrendsSeries,
} from './schema-parts'

/** Displays with one number per period, or one per series. */
const DISPLAYS = [
  'ActionsLineGraph',
  'ActionsLineGraphCumulative',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
  'ActionsUnstackedBar',
  'ActionsBarValue',
  'ActionsPie',
  'ActionsTable',
  'BoldNumber',
  'WorldMap',
] as const

const OTHER_DISPLAYS = ['Auto', 'BoxPlot', 'CalendarHeatmap', 'SlopeGraph', 'TwoDimensionalHeatmap'] as const

const TrendsFilter = z.strictObject({
  aggregationAxisFormat: display(otherwise(z.string(), 'numeric')),
  aggregationAxisPostfix: display(orNull(z.string())),
  aggregationAxisPrefix: display(orNull(z.string())),
  breakdown_histogram_bin_count: rejected(orNull(z.number())),
  confidenceLevel: display(orNull(z.number())),
  decimalPlaces: display(orNull(z.number())),
  detailedResultsAggregationType: display(orNull(z.string())),
  display: limited(otherwise(z.enum([...DISPLAYS, ...OTHER_DISPLAYS]), 'ActionsLineGraph'), DISPLAYS),
  formula: orNull(z.string()),
  formulaNodes: orNull(
    z.array(z.strictObject({ custom_name: display(z.string().nullish()), formula: z.string().nullish() })),
  ),
  formulas: orNull(z.array(z.string())),
  goalLines: display(orNull(z.array(dictionary()))),
  hiddenLegendIndexes: display(orNull(z.array(z.int()))),
  hideWeekends: rejected(orNull(z.boolean())),
  minDecimalPlaces: display(orNull(z.number())),
  movingAverageIntervals: display(orNull(z.number())),
  resultCustomizationBy: display(otherwise(z.string(), 'value')),
  resultCustomizations: display(orNull(dictionary())),
  showAlertThresholdLines: display(otherwise(z.boolean(), false)),
  showConfidenceIntervals: display(orNull(z.boolean())),
  showLabelsOnSeries: display(orNull(z.boolean())),
  showLegend: display(otherwise(z.boolean(), false)),
  showMovingAverage: display(orNull(z.boolean())),
  showMultipleYAxes: display(otherwise(z.boolean(), false)),
  showPercentStackView: display(otherwise(z.boolean(), false)),
  showTrendLines: display(orNull(z.boolean())),
  showValuesOnSeries: display(otherwise(z.boolean(), false)),
  smoothingIntervals: otherwise(z.int().min(1), 1),
  yAxisScaleType: display(orNull(z.string())),
})

const LifecycleFilter = z.strictObject({
  showLegend: display(otherwise(z.boolean(), false)),
  showValuesOnSeries: display(orNull(z.boolean())),
  stacked: display(otherwise(z.boolean(), true)),
  toggledLifecycles: display(orNull(z.array(z.enum(['new', 'returning', 'resurrecting', 'dormant'])))),
})

const RetentionEntity = z.strictObject({
  custom_name: display(z.string().nullish()),
  id: z.union([z.string(), z.number()]).nullish(),
  kind: limited(z.string().nullish(), ['EventsNode']),
  name: z.string().nullish(),
  order: display(z.int().nullish()),
  properties: Properties.nullish(),
  type: limited(z.string().nullish(), ['events']),
  uuid: display(z.string().nullish()),
})

const RetentionFilter = z.strictObject({
  aggregationProperty: ignored(orNull(z.string())),
  aggregationPropertyType: ignored(orNull(z.string())),
  aggregationType: limited(otherwise(z.string(), 'count'), ['count']),
  cumulative: orNull(z.boolean()),
  dashboardDisplay: display(orNull(z.string())),
  display: display(orNull(z.string())),
  goalLines: display(orNull(z.array(dictionary()))),
  meanRetentionCalculation: display(otherwise(z.string(), 'simple')),
  minimumOccurrences: orNull(z.int()),
  period: otherwise(z.enum(['Hour', 'Day', 'Week', 'Month']), 'Day'),
  retentionCustomBrackets: rejected(orNull(z.array(z.number()))),
  retentionReference: display(orNull(z.enum(['total', 'previous']))),
  retentionType: orNull(
    z.enum(['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence']),
  ),
  returningEntity: orNull(RetentionEntity),
  selectedInterval: display(orNull(z.int())),
  showTrendLines: display(orNull(z.boolean())),
  targetEntity: orNull(RetentionEntity),
  timeWindowMode: limited(orNull(z.string()), ['strict_calendar_dates']),
  totalIntervals: otherwise(z.int(), 8),
})

const FunnelsFilter = z.strictObject({
  binCount: ignored(orNull(z.int())),
  breakdownAttributionType: limited(otherwise(z.string(), 'first_touch'), [
    'first_touch',
    'last_touch',
    'all_events',
  ]),
  breakdownAttributionValue: ignored(orNull(z.int())),
  breakdownSorting: display(orNull(z.string())),
  exclusions: rejected(otherwise(z.array(dictionary()), [])),
  funnelAggregateByHogQL: orNull(z.string()),
  funnelFromStep: ignored(orNull(z.int())),
  funnelOrderType: otherwise(z.enum(['strict', 'unordered', 'ordered']), 'ordered'),
  funnelStepReference: display(otherwise(z.enum(['total', 'previous']), 'total')),
  funnelToStep: ignored(orNull(z.int())),
  funnelVizType: limited(otherwise(z.string(), 'steps'), ['steps']),
  funnelWindowInterval: otherwise(z.int(), 14),
  funnelWindowIntervalUnit: otherwise(z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']), 'day'),
  goalLines: display(orNull(z.array(dictionary()))),
  hiddenLegendBreakdowns: display(orNull(z.array(z.string()))),
  layout: display(otherwise(z.string(), 'vertical')),
  resultCustomizations: display(orNull(dictionary())),
  showTrendLines: display(orNull(z.boolean())),
  showValuesOnSeries: display(otherwise(z.boolean(), false)),
  useUdf: ignored(orNull(z.boolean())),
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
  conversionGoal: rejected(orNull(dictionary())),
  interval: limitedInterval(otherwise(Interval, 'day')),
  kind: z.literal('TrendsQuery'),
  series: TrendsSeries,
  trendsFilter: orNull(TrendsFilter),
})

export const LifecycleQuery = z.strictObject({
  ...insightKeys,
  customAggregationTarget: rejected(orNull(z.boolean())),
  interval: limitedInterval(otherwise(Interval, 'day')),
  kind: z.literal('LifecycleQuery'),
  lifecycleFilter: orNull(LifecycleFilter),
  series: LifecycleSeries,
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
  interval: limitedInterval(orNull(Interval)),
  kind: z.literal('FunnelsQuery'),
  series: FunnelsSeries,
})
