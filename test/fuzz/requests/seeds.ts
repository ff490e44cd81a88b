// Documents that are deep, one of each kind at least: what is spoiled somewhere inside gets further than what is made up.
import * as fc from 'fast-check'
import { Choices } from '../../hogql/fuzz/choices'
import { query } from '../../hogql/fuzz/selects'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { dependsOn, inCohort, open, property, variants, where } from '../../support/filters'

/** What a condition asks. */
export const PROPERTIES = [
  property(),
  property({ key: 'email', operator: 'icontains', value: '@example.com' }),
  property({ key: 'email', operator: 'regex', value: '^a.*z$' }),
  property({ key: 'version', operator: 'semver_gte', value: '1.2.0' }),
  property({ key: 'joined', operator: 'is_date_before', value: '-7d' }),
  property({ key: 'plan', operator: 'is_set', value: 'is_set' }),
  property({ key: 'amount', operator: 'gt', value: 10 }),
  property({ key: 'plan', operator: 'exact', value: ['pro', 'free'] }),
  property({ key: 'plan', operator: 'not_icontains', value: 'x' }),
  inCohort('{{cohort}}'),
  dependsOn('{{flag_text}}'),
  inCohort('{{other.cohort}}'),
  dependsOn('{{other.flag_text}}'),
]

/** Who gets a flag. */
export const FILTERS = [
  { groups: [] },
  open(),
  ...PROPERTIES.map((each) => where(each)),
  variants({ a: 50, b: 50 }),
  variants({ control: 33.3, test: 66.7 }, { payloads: { control: '{"a":1}' } }),
  open({ payloads: { true: '[1,2]' } }),
  open({ holdout: { id: 1, exclusion_percentage: 10 } }),
  open({ aggregation_group_type_index: 0 }),
  open({ early_exit: true, feature_enrollment: true }),
  { groups: [{ properties: [PROPERTIES[0], PROPERTIES[3]], rollout_percentage: 33.3, variant: null }] },
]

const ON_PLAN = { key: 'plan', type: 'event', operator: 'exact', value: ['pro', 'free'] }
const ON_EMAIL = { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }

const TAKEN = [
  hogql('SELECT count() FROM events'),
  hogql('SELECT event, distinct_id, properties.plan, person.properties.email FROM events LIMIT 5'),
  hogql('SELECT * FROM persons'),
  hogql('SELECT * FROM groups'),
  hogql(
    "SELECT toStartOfDay(timestamp) AS day, uniq(person_id) FROM events WHERE event = 'purchase' GROUP BY day",
  ),
]

const INSIGHTS = [
  trends(),
  trends({ breakdownFilter: { breakdown: 'plan' }, dateRange: { date_from: '-30d' }, interval: 'week' }),
  trends({
    series: [
      { event: '$pageview', math: 'dau', properties: [ON_PLAN] },
      { event: 'purchase', math: 'sum', math_property: 'amount', custom_name: 'Revenue' },
    ],
    properties: { type: 'AND', values: [{ type: 'OR', values: [ON_PLAN, ON_EMAIL] }] },
    trendsFilter: { formulaNodes: [{ formula: 'A / B', custom_name: 'Rate' }], display: 'ActionsLineGraph' },
    compareFilter: { compare: true },
    dateRange: { date_from: '2026-03-01', date_to: '2026-03-10' },
  }),
  trends({
    breakdownFilter: {
      breakdowns: [
        { property: 'plan', type: 'event' },
        { property: 'email', type: 'person' },
      ],
    },
    trendsFilter: { formula: 'A * 2', smoothingIntervals: 3 },
    interval: 'month',
  }),
  { kind: 'LifecycleQuery', series: [{ kind: 'EventsNode', event: 'purchase' }], properties: [ON_EMAIL] },
  {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      totalIntervals: 4,
      retentionType: 'retention_first_time',
      targetEntity: { id: '$pageview', type: 'events', properties: [ON_PLAN] },
      returningEntity: { id: 'purchase', name: 'purchase', type: 'events' },
    },
  },
  { kind: 'FunnelsQuery', series: [{ event: '$pageview' }, { event: 'purchase' }] },
  { kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'], startPoint: '/a', stepLimit: 4 } },
  {
    kind: 'FunnelsQuery',
    series: [{ event: '$pageview' }, { event: 'opened', optionalInFunnel: true }, { event: 'purchase' }],
    funnelsFilter: {
      funnelVizType: 'time_to_convert',
      exclusions: [{ event: 'closed', funnelFromStep: 0, funnelToStep: 2 }],
    },
  },
  {
    kind: 'DataTableNode',
    source: {
      kind: 'EventsQuery',
      select: ['*', 'person', 'count() AS total'],
      where: ["properties.plan = 'pro'"],
      orderBy: ['total DESC'],
      after: '-7d',
    },
  },
  {
    kind: 'ActorsQuery',
    select: ['person', 'properties.email'],
    search: 'ada',
    properties: [ON_EMAIL],
    limit: 5,
  },
  { kind: 'WebOverviewQuery', compareFilter: { compare: true }, properties: [ON_PLAN] },
  { kind: 'WebStatsTableQuery', breakdownBy: 'Page', includeBounceRate: true, orderBy: ['Views', 'ASC'] },
  { kind: 'InsightVizNode', full: true, source: trends({ interval: 'week' }) },
  { kind: 'DataVisualizationNode', source: hogql('SELECT event FROM events'), tableSettings: {} },
  {
    kind: 'StickinessQuery',
    series: [{ event: '$pageview', math: 'hogql', math_hogql: 'properties.plan' }],
    stickinessFilter: { computedAs: 'cumulative', stickinessCriteria: { operator: 'gte', value: 2 } },
    intervalCount: 2,
    compareFilter: { compare: true },
  },
  {
    kind: 'FunnelsQuery',
    series: [{ event: '$pageview', properties: [ON_PLAN] }, { event: 'opened' }, { event: 'purchase' }],
    funnelsFilter: {
      funnelOrderType: 'unordered',
      funnelWindowInterval: 2,
      funnelWindowIntervalUnit: 'hour',
      exclusions: [],
    },
    breakdownFilter: { breakdown: ['plan'], breakdown_type: 'event' },
  },
]

/** Some want a variable that may not be there, some are wrong. */
const DOUBTFUL = [
  hogql('SELECT {variables.plan}, count() FROM events'),
  hogql('SELECT event FROM events WHERE event = {variables.{{variable_code}}}'),
  hogql('SELECT event FROM events WHERE {filters}', { filters: { dateRange: { date_from: '-7d' } } }),
  hogql('SELECT evnt FROM events'),
  hogql('SELECT 1 FROM sqlite_master'),
  hogql('SELECT'),
  { kind: 'PathsQuery', pathsFilter: { pathsHogQLExpression: 'evnt' } },
  { kind: 'InsightVizNode', source: { kind: 'HogQLQuery' } },
]

/** What an endpoint runs or rejects. */
export const QUERIES = [...TAKEN, ...INSIGHTS, ...DOUBTFUL]

/** Queries of the grammar: some compile, and some of these run. */
const grammatical = fc
  .array(fc.nat(1_000_000), { minLength: 20, maxLength: 200 })
  .map((numbers) => hogql(query(new Choices(numbers))))
/** Queries most of which are taken. */
export const goodQuery = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...TAKEN, ...INSIGHTS) },
  { weight: 1, arbitrary: grammatical },
)
