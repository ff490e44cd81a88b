// What an insight computes, in words. Pure.
import { capitalized, type Condition, conditionWords, type Wording } from '../../grammar/conditions'
import { type FormKind, type InsightForm, isOfProperty, readInsight, type Series } from './insight-edit'
import { INTERVALS, MATHS, PERIODS, RANGES, UNITS } from './insight-options'

/** A part of an insight: what it is called, and what it is. */
export type Part = readonly [name: string, words: string]

/** @returns null for a text that the form of insights cannot read. */
export function insightParts(kind: FormKind, text: string, wording: Wording = {}): Part[] | null {
  const form = readInsight(text)
  if (!form) return null
  const { filters, breakdown, isCompared, interval } = form
  return [
    ...subjectOf(kind, form),
    ...(filters?.length
      ? [['Where', filters.map((each) => conditionWords(each as Condition, wording)).join(' and ')] as const]
      : []),
    ['Time range', rangeWords(form, kind)],
    ...(kind === 'TrendsQuery' || kind === 'LifecycleQuery'
      ? [['Interval', wordsOf(INTERVALS, interval)] as const]
      : []),
    ...(breakdown?.property ? [['Broken down by', breakdown.property] as const] : []),
    ...(isCompared ? [['Compared with', 'The period before'] as const] : []),
  ]
}

function subjectOf(kind: FormKind, form: InsightForm): Part[] {
  const { series, retention, windowLength, windowUnit } = form
  switch (kind) {
    case 'TrendsQuery':
      return [['Series', capitalized(series.map(seriesWords).join(', '))]]
    case 'FunnelsQuery':
      return [
        ['Steps', series.map(({ event }) => eventWords(event)).join(' → ')],
        ['Time to convert', counted(windowLength, wordsOf(UNITS, windowUnit))],
      ]
    case 'LifecycleQuery':
      return [['Event', eventWords(series[0]?.event ?? null)]]
    case 'RetentionQuery':
      return [
        ['People who did', eventWords(retention.target)],
        ['Return when they do', eventWords(retention.returning)],
        ['Periods', counted(retention.totalIntervals, wordsOf(PERIODS, retention.period).toLowerCase())],
      ]
  }
}

const eventWords = (event: string | null): string => event ?? 'any event'

function seriesWords({ event, math, property }: Series): string {
  if (math === 'total') return event === null ? 'number of events' : `number of ${event}`
  if (math === 'dau') return `people who did ${eventWords(event)}`
  const what = isOfProperty(math) ? `${wordsOf(MATHS, math)} ${property}` : wordsOf(MATHS, math)
  return `${what} of ${eventWords(event)}`
}

function rangeWords({ range: { from, to } }: InsightForm, kind: FormKind): string {
  const known = to === null ? RANGES.find(([each]) => each === from)?.[1] : undefined
  if (known) return known
  if (from === '' && to === null) return kind === 'RetentionQuery' ? 'The last periods' : 'Last 7 days'
  return capitalized(
    [...(from === '' ? [] : [`from ${from}`]), ...(to === null ? [] : [`to ${to}`])].join(' '),
  )
}

const wordsOf = (options: readonly (readonly [string, string])[], value: string): string =>
  options.find(([each]) => each === value)?.[1] ?? value

/** @param plural such as `days` */
const counted = (count: number, plural: string): string =>
  `${count} ${count === 1 ? plural.replace(/s$/, '') : plural}`
