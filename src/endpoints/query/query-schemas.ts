// Schemas of queries; parsing adds every default.
import * as z from 'zod'
import { ActionSteps } from '../../hogql/resolve/filters/action-steps'
import { MAX_RESULT_ROWS } from '../../analytics/engine/limits'
import { dictionary } from '../../http/fields'
import { PropertyFilter } from '../../hogql/resolve/filters/strict-filter'
import { MAX_PATH_EDGES, MAX_PATH_GROUPINGS, MAX_PATH_STEPS, MAX_TABLE_COLUMNS } from '../insights/limits'
import {
  CohortBreakdownFilter,
  commonKeys,
  CompareFilter,
  DateRange,
  display,
  FunnelExclusion,
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
  StickinessSeries,
  TrendsBreakdownFilter,
  supported,
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
    z.array(z.strictObject({ custom_name: z.string().nullish(), formula: z.string().nullish() })),
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
  shown_as: display(orNull(z.string())),
  showLegend: display(otherwise(z.boolean(), false)),
  showValuesOnSeries: display(orNull(z.boolean())),
  stacked: display(otherwise(z.boolean(), true)),
  toggledLifecycles: display(orNull(z.array(z.enum(['new', 'returning', 'resurrecting', 'dormant'])))),
})

const RetentionEntity = z.strictObject({
  custom_name: display(z.string().nullish()),
  id: z.union([z.string(), z.number()]).nullish(),
  kind: limited(z.string().nullish(), ['EventsNode', 'ActionsNode']),
  name: display(z.string().nullish()),
  order: display(z.int().nullish()),
  properties: Properties.nullish(),
  type: limited(z.string().nullish(), ['events', 'actions']),
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
  minimumOccurrences: orNull(z.int().min(1)),
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
  totalIntervals: otherwise(z.int().min(1).max(100), 8),
})

const FunnelsFilter = z.strictObject({
  binCount: orNull(z.int()),
  breakdownAttributionType: limited(otherwise(z.string(), 'first_touch'), [
    'first_touch',
    'last_touch',
    'all_events',
    'step',
  ]),
  breakdownAttributionValue: orNull(z.int()),
  breakdownSorting: display(orNull(z.string())),
  exclusions: supported(otherwise(z.array(FunnelExclusion), [])),
  funnelAggregateByHogQL: orNull(z.string()),
  funnelFromStep: orNull(z.int()),
  funnelOrderType: otherwise(z.enum(['strict', 'unordered', 'ordered']), 'ordered'),
  funnelStepReference: display(otherwise(z.enum(['total', 'previous']), 'total')),
  funnelToStep: orNull(z.int()),
  funnelVizType: otherwise(z.enum(['steps', 'time_to_convert', 'trends']), 'steps'),
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

const StickinessFilter = z.strictObject({
  computedAs: orNull(z.enum(['cumulative', 'non_cumulative'])),
  display: display(orNull(z.string())),
  hiddenLegendIndexes: display(orNull(z.array(z.int()))),
  resultCustomizationBy: display(otherwise(z.string(), 'value')),
  resultCustomizations: display(orNull(dictionary())),
  showLegend: display(orNull(z.boolean())),
  showMultipleYAxes: display(orNull(z.boolean())),
  showValuesOnSeries: display(orNull(z.boolean())),
  stickinessCriteria: orNull(
    z.strictObject({ operator: z.enum(['gte', 'lte', 'exact']), value: z.int().min(0) }),
  ),
})

const PathsFilter = z.strictObject({
  edgeLimit: orNull(z.int().min(1).max(MAX_PATH_EDGES)),
  endPoint: orNull(z.string()),
  excludeEvents: orNull(z.array(z.string()).max(100)),
  includeEventTypes: orNull(z.array(z.enum(['$pageview', '$screen', 'custom_event', 'hogql']))),
  localPathCleaningFilters: rejected(orNull(z.array(dictionary()))),
  maxEdgeWeight: orNull(z.int().min(0)),
  minEdgeWeight: orNull(z.int().min(0)),
  pathDropoffKey: display(orNull(z.string())),
  pathEndKey: display(orNull(z.string())),
  pathGroupings: orNull(z.array(z.string()).max(MAX_PATH_GROUPINGS)),
  pathReplacements: rejected(orNull(z.boolean())),
  pathStartKey: display(orNull(z.string())),
  pathsHogQLExpression: orNull(z.string()),
  showFullUrls: display(orNull(z.boolean())),
  startPoint: orNull(z.string()),
  stepLimit: orNull(z.int().min(2).max(MAX_PATH_STEPS)),
})

export const HogqlQuery = z.strictObject({
  ...commonKeys,
  connectionId: orNull(z.string()),
  explain: orNull(z.boolean()),
  filters: orNull(
    z.strictObject({
      dateRange: orNull(DateRange),
      filterTestAccounts: orNull(z.boolean()),
      properties: orNull(z.array(PropertyFilter)),
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
  breakdownFilter: orNull(TrendsBreakdownFilter),
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
  breakdownFilter: orNull(CohortBreakdownFilter),
  dateRange: orNull(DateRange.extend({ explicitDate: ignored(DateRange.shape.explicitDate) })),
  kind: z.literal('RetentionQuery'),
  retentionFilter: RetentionFilter,
})

export const FunnelsQuery = z.strictObject({
  ...insightKeys,
  breakdownFilter: orNull(CohortBreakdownFilter),
  funnelsFilter: orNull(FunnelsFilter),
  interval: limitedInterval(orNull(Interval)),
  kind: z.literal('FunnelsQuery'),
  series: FunnelsSeries,
})

const { aggregation_group_type_index: _group, ...keysOfPeople } = insightKeys

export const StickinessQuery = z.strictObject({
  ...keysOfPeople,
  compareFilter: orNull(CompareFilter),
  interval: limitedInterval(otherwise(Interval, 'day')),
  intervalCount: orNull(z.int().min(1)),
  kind: z.literal('StickinessQuery'),
  series: StickinessSeries,
  stickinessFilter: orNull(StickinessFilter),
})

export const PathsQuery = z.strictObject({
  ...insightKeys,
  aggregation_group_type_index: rejected(insightKeys.aggregation_group_type_index),
  funnelPathsFilter: rejected(orNull(dictionary())),
  kind: z.literal('PathsQuery'),
  pathsFilter: orNull(PathsFilter),
})

const Expressions = z.array(z.string()).max(MAX_TABLE_COLUMNS)

const tableKeys = {
  ...commonKeys,
  limit: orNull(
    z
      .int()
      .min(1)
      .max(MAX_RESULT_ROWS - 1),
  ),
  offset: orNull(z.int().min(0)),
  orderBy: orNull(Expressions.min(1)),
}

export const EventsQuery = z.strictObject({
  ...tableKeys,
  actionId: orNull(z.int()),
  actionSteps: supported(orNull(ActionSteps)),
  after: orNull(z.string()),
  before: orNull(z.string()),
  event: orNull(z.string()),
  events: orNull(Expressions),
  filterTestAccounts: ignored(otherwise(z.boolean(), false)),
  fixedProperties: supported(orNull(Properties)),
  kind: z.literal('EventsQuery'),
  personId: orNull(z.string()),
  properties: supported(orNull(Properties)),
  select: Expressions,
  source: rejected(orNull(dictionary())),
  where: orNull(Expressions),
})

export const ActorsQuery = z.strictObject({
  ...tableKeys,
  fixedProperties: supported(orNull(Properties)),
  kind: z.literal('ActorsQuery'),
  properties: supported(orNull(Properties)),
  search: orNull(z.string().max(200)),
  select: orNull(Expressions),
  source: orNull(dictionary()),
})

const webKeys = {
  ...commonKeys,
  aggregation_group_type_index: rejected(orNull(z.int())),
  compareFilter: orNull(CompareFilter),
  conversionGoal: rejected(orNull(dictionary())),
  dataColorTheme: display(orNull(z.number())),
  dateRange: orNull(DateRange),
  doPathCleaning: rejected(orNull(z.boolean())),
  filterTestAccounts: ignored(otherwise(z.boolean(), false)),
  includeRevenue: rejected(orNull(z.boolean())),
  properties: otherwise(Properties, []),
  sampling: ignored(orNull(dictionary())),
  samplingFactor: ignored(orNull(z.number())),
  useSessionsTable: ignored(orNull(z.boolean())),
}

export const WebOverviewQuery = z.strictObject({ ...webKeys, kind: z.literal('WebOverviewQuery') })

const WEB_BREAKDOWNS = [
  'Page',
  'InitialPage',
  'ExitPage',
  'ExitClick',
  'ScreenName',
  'InitialReferringDomain',
  'InitialChannelType',
  'InitialUTMSource',
  'InitialUTMCampaign',
  'InitialUTMMedium',
  'InitialUTMTerm',
  'InitialUTMContent',
  'Browser',
  'OS',
  'DeviceType',
  'Country',
]

export const WebStatsTableQuery = z.strictObject({
  ...webKeys,
  breakdownBy: limited(z.string(), WEB_BREAKDOWNS),
  includeAvgTimeOnPage: rejected(orNull(z.boolean())),
  includeBounceRate: orNull(z.boolean()),
  includeScrollDepth: rejected(orNull(z.boolean())),
  kind: z.literal('WebStatsTableQuery'),
  limit: orNull(
    z
      .int()
      .min(1)
      .max(MAX_RESULT_ROWS - 1),
  ),
  offset: orNull(z.int().min(0)),
  orderBy: orNull(z.array(z.string()).min(1).max(2)),
})
