// Describes in words what an insight computes. The functions are pure.
import { capitalized } from '../../grammar/words'
import { type Condition, conditionWords, type Wording } from '../../grammar/conditions'
import { type FormKind, type InsightForm, isOfProperty, readInsight, type Series } from './insight-edit'
import { timeRangeWords } from '../../design/fields/time-range'
import { INTERVALS, MATHS, PERIODS, STARTS, UNITS } from './insight-options'

/** A part of an insight: its name and its description. */
export type Part = readonly [name: string, words: string]

/** @returns null for a text that the form of insights cannot read */
export function insightParts(kind: FormKind, text: string, wording: Wording): Part[] | null {
  const form = readInsight(text)
  if (!form) return null
  const query = JSON.parse(text) as Json
  const { filters, breakdown, isCompared, interval } = form
  const unsaid = unsaidIn(query)
  return [
    ...subjectOf(kind, form),
    ...(filters === null
      ? [['Where', IN_JSON] as const]
      : filters.length > 0
        ? [
            [
              'Where',
              filters.map((each) => conditionWords(each as Condition, wording)).join(' and '),
            ] as const,
          ]
        : []),
    ['Time range', rangeWords(form, kind)],
    ...(kind === 'TrendsQuery' || kind === 'LifecycleQuery'
      ? [['Interval', wordsOf(INTERVALS, interval)] as const]
      : []),
    ...(breakdown === null
      ? [['Broken down by', IN_JSON] as const]
      : breakdown.property
        ? [['Broken down by', breakdown.property] as const]
        : []),
    ...(isCompared ? [['Compared with', 'The period before'] as const] : []),
    ...(unsaid.length > 0 ? [['In the JSON', unsaid.join(', ')] as const] : []),
  ]
}

type Json = Readonly<Record<string, unknown>>

/** The description of a part without words here. */
const IN_JSON = 'as the JSON says'

/** The options that the parts describe. Others are named, so that none of them seems absent. */
const SAID: ReadonlySet<string> = new Set([
  'kind',
  'series',
  'interval',
  'dateRange.date_from',
  'dateRange.date_to',
  'properties',
  'breakdownFilter.breakdown',
  'breakdownFilter.breakdown_type',
  'breakdownFilter.breakdowns',
  'compareFilter.compare',
  'trendsFilter.display',
  'funnelsFilter.funnelWindowInterval',
  'funnelsFilter.funnelWindowIntervalUnit',
  'retentionFilter.retentionType',
  'retentionFilter.targetEntity',
  'retentionFilter.returningEntity',
  'retentionFilter.period',
  'retentionFilter.totalIntervals',
])
/** The values that the service adds to a query that has none. */
const ADDED: Readonly<Record<string, unknown>> = {
  'trendsFilter.aggregationAxisFormat': 'numeric',
  'trendsFilter.resultCustomizationBy': 'value',
  'trendsFilter.smoothingIntervals': 1,
  'lifecycleFilter.stacked': true,
  'funnelsFilter.breakdownAttributionType': 'first_touch',
  'funnelsFilter.funnelOrderType': 'ordered',
  'funnelsFilter.funnelStepReference': 'total',
  'funnelsFilter.funnelVizType': 'steps',
  'funnelsFilter.layout': 'vertical',
  'retentionFilter.aggregationType': 'count',
  'retentionFilter.meanRetentionCalculation': 'simple',
}
const SAID_OF_SERIES: ReadonlySet<string> = new Set([
  'kind',
  'id',
  'event',
  'name',
  'custom_name',
  'math',
  'math_property',
])

function unsaidIn(query: Json): string[] {
  const paths = Object.entries(query).flatMap(([name, value]) =>
    isObject(value) && !SAID.has(name)
      ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each] as const)
      : [[name, value] as const],
  )
  const series = (Array.isArray(query.series) ? (query.series as unknown[]) : []).flatMap((node, index) =>
    Object.entries(isObject(node) ? node : {})
      .filter(([name, value]) => isSet(value) && !SAID_OF_SERIES.has(name))
      .map(([name]) => `series[${index}].${name}`),
  )
  return [
    ...paths.flatMap(([path, value]) =>
      isSet(value) && value !== ADDED[path] && !SAID.has(path) ? [path] : [],
    ),
    ...series,
  ]
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

function subjectOf(kind: FormKind, form: InsightForm): Part[] {
  const { series, retention, windowLength, windowUnit } = form
  switch (kind) {
    case 'TrendsQuery':
      return [['Series', capitalized(series.map(seriesWords).join(', '))]]
    case 'FunnelsQuery':
      return [
        ['Steps', series.map(({ other, event }) => eventWords(other ?? event)).join(' → ')],
        ['Time to convert', counted(windowLength, wordsOf(UNITS, windowUnit))],
      ]
    case 'LifecycleQuery':
      return [['Event', eventWords(series[0]?.other ?? series[0]?.event ?? null)]]
    case 'RetentionQuery':
      return [
        ['People who did', eventWords(retention.otherTarget ?? retention.target)],
        ['Start with', wordsOf(STARTS, retention.type)],
        ['Return when they do', eventWords(retention.otherReturning ?? retention.returning)],
        ['Periods', periodsWords(retention)],
      ]
  }
}

const eventWords = (event: string | null): string => event ?? 'any event'

function seriesWords({ other, event: single, math, property }: Series): string {
  const event = other ?? single
  if (math === 'total') return event === null ? 'number of events' : `number of ${event}`
  if (math === 'dau') return `people who did ${eventWords(event)}`
  const what = isOfProperty(math) ? `${wordsOf(MATHS, math)} ${property}` : wordsOf(MATHS, math)
  return `${what} of ${eventWords(event)}`
}

const rangeWords = (form: InsightForm, kind: FormKind): string =>
  timeRangeWords(form.range) ?? defaultRangeWords(form, kind)

/** Returns the range of an insight without one. */
export const defaultRangeWords = ({ retention }: InsightForm, kind: FormKind): string =>
  kind === 'RetentionQuery' ? `The last ${periodsWords(retention)}` : 'Last 7 days'

const periodsWords = ({ totalIntervals, period }: InsightForm['retention']): string =>
  counted(totalIntervals, wordsOf(PERIODS, period).toLowerCase())

const wordsOf = (options: readonly (readonly [string, string])[], value: string): string =>
  options.find(([each]) => each === value)?.[1] ?? value

/** @param plural such as `days` */
const counted = (count: number, plural: string): string =>
  `${count} ${count === 1 ? plural.replace(/s$/, '') : plural}`
