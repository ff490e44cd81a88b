// Converts the result of an insight to rows of columns, for the table and the CSV. The functions are pure.
import { localTime } from '../../schedule/zoned-time'
import type { Result } from '../result/plot-choice'

export interface Series {
  label: string
  days: string[]
  data: number[]
  count: number
  /** The numbers of periods of a stickiness. */
  labels?: string[]
  status?: string
  aggregated_value?: number
  action?: { name?: string; custom_name?: string | null }
  breakdown_value?: unknown
  compare_label?: string
}

export interface Step {
  name: string
  custom_name: string | null
  count: number
  average_conversion_time: number | null
  breakdown_value?: unknown
}

export interface Start {
  label: string
  date: string
  values: { count: number; label: string }[]
  breakdown_value?: unknown
}

/** Returns the starts of a retention on the clocks of the project: days, or times if the periods are hours. */
export function startsIn(starts: readonly Start[], timeZone: string): string[] {
  const times = starts.map(({ date }) => localTime(Date.parse(date), timeZone))
  const areDays = times.every((time) => time.endsWith('T00:00'))
  return times.map((time) => (areDays ? time.slice(0, 10) : time.replace('T', ' ')))
}

export interface Edge {
  source: string
  target: string
  value: number
}

export type Bin = [seconds: number, people: number]

export const isSeries = (results: unknown): results is readonly Series[] =>
  Array.isArray(results) && typeof results[0] === 'object' && results[0] !== null && 'data' in results[0]

export const words = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

export function nameOf(series: Series): string {
  const { breakdown_value: value, compare_label: compared } = series
  const label = ownLabel(series)
  return [
    value === undefined || value === null || label.includes(words(value))
      ? label
      : `${label} ${words(value)}`,
    ...(compared ? [`(${compared})`] : []),
  ].join(' ')
}

/** Returns the label with the name that a user gave the series in place of the event. */
function ownLabel({ label, action: { name = '', custom_name: own } = {} }: Series): string {
  return own && (label === name || label.startsWith(`${name} - `)) ? own + label.slice(name.length) : label
}

/** Returns null for a kind that has only a plot. */
export function rowsOfInsight(kind: string, results: unknown, timeZone: string): Result | null {
  switch (kind) {
    case 'FunnelsQuery':
      if (isSeries(results)) return rowsOfSeries('period', results)
      return Array.isArray(results)
        ? rowsOfFunnels((Array.isArray(results[0]) ? results : [results]) as Step[][])
        : tableOf(['from_seconds', 'people'], 'Int64', (results as { bins: Bin[] }).bins)
    case 'TrendsQuery':
      return rowsOfSeries('period', results as readonly Series[])
    case 'StickinessQuery':
      return rowsOfSeries('periods', results as readonly Series[])
    case 'LifecycleQuery':
      return rowsOfSeries('period', results as readonly Series[], ({ status }) => status ?? '')
    case 'RetentionQuery':
      return rowsOfRetention(results as readonly Start[], timeZone)
    case 'PathsQuery':
      return tableOf(
        ['source', 'target', 'value'],
        'String',
        (results as Edge[]).map(({ source, target, value }) => [source, target, value]),
      )
    default:
      return null
  }
}

/** @param first the type of the first column; columns of texts have it, too, and the others are numbers */
function tableOf(columns: string[], first: string, rows: readonly (readonly unknown[])[]): Result {
  const isText = (at: number) => rows.some((row) => typeof row[at] === 'string')
  const types = columns.map((name, at) => [name, at === 0 ? first : isText(at) ? 'String' : 'Float64'])
  return { columns, types, rows }
}

/** Returns a row for each period with a column for each series, or for totals a row for each series. */
function rowsOfSeries(
  axis: 'period' | 'periods',
  series: readonly Series[],
  name: (each: Series) => string = nameOf,
): Result {
  if (series.length > 0 && series.every(({ aggregated_value: total }) => total !== undefined))
    return tableOf(
      ['series', 'value'],
      'String',
      series.map((each) => [name(each), each.aggregated_value]),
    )
  // A period of comparison has its own dates.
  const [longest] = series.toSorted((one, other) => other.data.length - one.data.length)
  const periods = (axis === 'period' ? longest?.days : longest?.labels) ?? []
  return tableOf(
    [axis, ...series.map(name)],
    axis === 'period' ? 'DateTime' : 'String',
    periods.map((period, at) => [period, ...series.map(({ data }) => data[at] ?? null)]),
  )
}

function rowsOfFunnels(funnels: readonly (readonly Step[])[]): Result {
  const hasBreakdown = funnels.some((steps) => steps[0]?.breakdown_value !== undefined)
  return tableOf(
    [...(hasBreakdown ? ['value'] : []), 'step', 'event', 'people', 'percent', 'average_seconds'],
    hasBreakdown ? 'String' : 'Int64',
    funnels.flatMap((steps) =>
      steps.map(({ name, custom_name: custom, count, average_conversion_time: seconds, ...step }, at) => [
        ...(hasBreakdown ? [words(step.breakdown_value)] : []),
        at + 1,
        custom ?? name,
        count,
        percent(count, steps[0]!.count),
        at === 0 ? null : seconds,
      ]),
    ),
  )
}

const percent = (count: number, of: number): number => (of === 0 ? 0 : Math.round((count / of) * 1_000) / 10)

function rowsOfRetention(starts: readonly Start[], timeZone: string): Result {
  const times = startsIn(starts, timeZone)
  const longest = starts.reduce<Start['values']>(
    (found, { values }) => (values.length > found.length ? values : found),
    [],
  )
  const hasBreakdown = starts.some(({ breakdown_value: value }) => value !== undefined)
  return tableOf(
    [...(hasBreakdown ? ['value'] : []), 'start', 'people', ...longest.map(({ label }) => label)],
    hasBreakdown ? 'String' : 'DateTime',
    starts.map(({ values, breakdown_value: value }, index) => [
      ...(hasBreakdown ? [words(value)] : []),
      times[index],
      values[0]?.count ?? 0,
      ...longest.map((_, at) => values[at]?.count ?? null),
    ]),
  )
}
