// Result of a trends query.
import type { TrendsQuery } from '../../query/query-types'
import { invalid } from '../../../errors'
import { MAX_FORMULAS } from '../limits'
import { type Formula, parseFormula } from './formula'
import { breakdownsOf } from '../breakdown'
import { cohortLabel, cohortsOf, isByCohort, shownCohort } from '../cohort-breakdown'
import { comparedSpans, fromFirst, type ResultContext, type Span } from '../date-range'
import { type Axis, axisOf, floorWall, type Interval, periodsOf } from '../periods'
import { ResultBudget } from '../result-budget'
import { nameOf, targetOf } from '../series'
import type { SeriesNode } from '../../query/schema-parts'
import { writtenBreakdowns } from '../../query/written-breakdowns'
import { isCompared } from '../text-parts'
import { intervalOf, isCumulative, showsTotals } from './trends-text'
import { cumulated } from '../sums'

/** Maximum breakdown values with a series of their own. The others are summed up as Other. */
const MAX_VALUES = 10_000

type Value = string | null

/** The breakdown values of a series. It is null without breakdowns. */
type Group = readonly Value[] | 'other' | null

interface Line {
  series: number
  previous: boolean
  group: Group
  /** One number per period, or a single total. */
  data: number[]
}

// A total has no periods that its range would have to fill.
export const trendsSpans = (query: TrendsQuery, context: ResultContext) =>
  comparedSpans(query, showsTotals(query) ? 'day' : intervalOf(query), context)

/** Returns one object per series; `hasMore` is true where values are summed up or hidden. @param rows in the columns of `trendsText` */
export function trendsResult(query: TrendsQuery, rows: readonly unknown[][], context: ResultContext) {
  const spans = trendsSpans(query, context)
  const cohorts = cohortsOf(query.breakdownFilter)?.map(({ shown }) => shown) ?? null
  const breakdownCount = cohorts ? 1 : breakdownsOf(query.breakdownFilter).length
  const formulas = formulasOf(query)
  const budget = new ResultBudget()
  const { limit, hidesOther } = limitOf(query)
  let hasMore = false
  // For each span, the lines of each formula, or all in one list.
  const lists = [spans.current, ...(spans.previous ? [spans.previous] : [])].map((span, index) => {
    const previous = index === 1
    const own = rows.filter((row) => Boolean(row[1]) === previous)
    const frame = frameOf(query, span, own, context)
    const lines = linesOf(query, own, frame, { breakdownCount, cohorts, previous, budget })
    if (formulas.length === 0) {
      const series = [...Map.groupBy(lines, (line) => line.series).values()]
      hasMore ||= series.some((same) => same.length > limit)
      const shown = series.flatMap((same) => ranked(limited(byChoice(query, same), limit, hidesOther)))
      return [shown.map((line) => describe(query, line, frame, null))]
    }
    hasMore ||= groupsOf(lines).size > limit
    const groups = limitedTogether(query, lines, limit, hidesOther)
    budget.take(formulas.length * groups.size, frame.days.length)
    return formulas.map(({ formula, name }, order) =>
      formulaLines(formula, groups, query).map((line) =>
        describe(query, line, frame, { formula: name, order }),
      ),
    )
  })
  // As upstream, each formula is compared before the next.
  return { results: lists[0]!.flatMap((_, order) => lists.flatMap((list) => list[order]!)), hasMore }
}

/** Totals have no periods. */
interface Frame extends Axis {
  span: Span
  interval: Interval
}

function frameOf(
  query: TrendsQuery,
  whole: Span,
  rows: readonly unknown[][],
  { timezone }: ResultContext,
): Frame {
  const interval = intervalOf(query)
  const isTotal = showsTotals(query)
  const starts = rows.filter((row) => Number(row.at(-1) ?? 0) !== 0).map((row) => row[2])
  const span = isTotal ? whole : fromFirst(whole, query.dateRange, { starts, interval })
  const periods = isTotal ? [] : periodsOf(span, interval, timezone)
  return { span, interval, ...axisOf(periods, interval, span) }
}

const limitOf = ({ breakdownFilter: filter }: TrendsQuery) => ({
  limit: Math.min(filter?.breakdown_limit ?? MAX_VALUES, MAX_VALUES),
  hidesOther: filter?.breakdown_hide_other_aggregation === true,
})

interface LineContext {
  breakdownCount: number
  /** The values that rows have for cohorts. */
  cohorts: readonly string[] | null
  previous: boolean
  budget: ResultBudget
}

/** Returns one line for each series and breakdown value. */
function linesOf(
  query: TrendsQuery,
  rows: readonly unknown[][],
  frame: Frame,
  { breakdownCount, cohorts, previous, budget }: LineContext,
): Line[] {
  return query.series.flatMap((node, series) => {
    const own = rows.filter((row) => row[0] === series)
    const groups = Map.groupBy(own, (row) => JSON.stringify(row.slice(3, 3 + breakdownCount)))
    if (breakdownCount === 0 && groups.size === 0) groups.set('[]', [])
    for (const cohort of cohorts ?? []) {
      const key = JSON.stringify([cohort])
      if (!groups.has(key)) groups.set(key, [])
    }
    const names = JSON.stringify([actionOf(node, series), nameOf(node)]).length
    budget.take(Math.min(groups.size, MAX_VALUES + 1), frame.days.length, names)
    return [...groups].map(([key, each]): Line => ({
      series,
      previous,
      group: breakdownCount === 0 ? null : (JSON.parse(key) as Value[]),
      data: dataOf(each, frame, query),
    }))
  })
}

function dataOf(rows: readonly unknown[][], { days, placeOf }: Frame, query: TrendsQuery): number[] {
  if (showsTotals(query)) return [rows.reduce((sum, row) => sum + Number(row.at(-1) ?? 0), 0)]
  const data = days.map(() => 0)
  for (const row of rows) {
    const index = placeOf(row[2])
    if (index !== undefined) data[index]! += Number(row.at(-1) ?? 0)
  }
  return smoothed(isCumulative(query) ? cumulated(data) : data, query.trendsFilter?.smoothingIntervals ?? 1)
}

/** Averages each value with those before it, `length` values in all, rounded down. The first averages have fewer values. */
function smoothed(data: readonly number[], length: number): number[] {
  if (length <= 1) return [...data]
  let sum = 0
  return data.map((value, index) => {
    sum += value - (index >= length ? data[index - length]! : 0)
    return Math.floor(sum / Math.min(index + 1, length))
  })
}

const total = (data: readonly number[]) => data.reduce((sum, value) => sum + value, 0)

const bySize = (a: Line, b: Line): number =>
  total(b.data) - total(a.data) || (String(a.group) < String(b.group) ? -1 : 1)

/** Sorts lines by size, largest first, then those with NULL, and Other last. */
function ranked(lines: readonly Line[]): Line[] {
  const rank = ({ group }: Line) => (group === 'other' ? 2 : group?.some((value) => value === null) ? 1 : 0)
  return lines.toSorted((a, b) => rank(a) - rank(b) || bySize(a, b))
}

/** Sorts lines in the order in which a limit takes them. As upstream, NULL comes last over time, and counts as any value in totals. */
const byChoice = (query: TrendsQuery, lines: readonly Line[]): Line[] =>
  showsTotals(query) ? lines.toSorted(bySize) : ranked(lines)

/** Sums up the lines over the limit, or omits them. @param lines of one series */
function limited(lines: readonly Line[], limit: number, hidesOther: boolean): Line[] {
  const rest = lines.slice(limit)
  return [...lines.slice(0, limit), ...(hidesOther || rest.length === 0 ? [] : [summed(rest)])]
}

/** Sums up lines of one series. */
const summed = (lines: readonly Line[]): Line => ({
  ...lines[0]!,
  group: 'other',
  data: lines[0]!.data.map((_, index) => total(lines.map(({ data }) => data[index]!))),
})

/**
 * Returns the lines of each breakdown value, with the same values in every series: a formula combines the series of one value, and those
 * of all other values. The largest values are chosen by the sum of all series.
 */
function limitedTogether(
  query: TrendsQuery,
  lines: readonly Line[],
  limit: number,
  hidesOther: boolean,
): Map<string, Line[]> {
  const groups = groupsOf(lines)
  const whole = [...groups.values()].map((same): Line => ({
    ...same[0]!,
    data: [total(same.map(({ data }) => total(data)))],
  }))
  const keys = byChoice(query, whole).map(({ group }) => JSON.stringify(group))
  const shown = keys.slice(0, limit).map((key): [string, Line[]] => [key, groups.get(key)!])
  const rest = keys.slice(limit).flatMap((key) => groups.get(key)!)
  if (hidesOther || rest.length === 0) return new Map(shown)
  const others = [...Map.groupBy(rest, ({ series }) => series).values()].map(summed)
  return new Map([...shown, [JSON.stringify('other'), others]])
}

interface NamedFormula {
  formula: Formula
  name: string
}

/**
 * Returns the formulas from any of the three forms that a query may have.
 * @throws 400 `query` for too many, and for one that cannot be parsed
 */
export function formulasOf({ trendsFilter, series }: TrendsQuery): NamedFormula[] {
  const { formulaNodes, formulas, formula } = trendsFilter ?? {}
  const texts = formulaNodes?.length
    ? formulaNodes.map(({ formula: text, custom_name: name }) => ({
        text: String(text ?? ''),
        name: typeof name === 'string' ? name : null,
      }))
    : (formulas?.length ? formulas : formula ? [formula] : []).map((text) => ({ text, name: null }))
  if (texts.length > MAX_FORMULAS)
    throw invalid('query', `A TrendsQuery has at most ${MAX_FORMULAS} formulas.`)
  return texts.map(({ text, name }) => ({
    formula: parseFormula(text, series.length),
    name: name ?? `Formula (${text})`,
  }))
}

const groupsOf = (lines: readonly Line[]): Map<string, Line[]> =>
  Map.groupBy(lines, ({ group }) => JSON.stringify(group))

/** Evaluates the formula for each combination of breakdown values. */
function formulaLines(formula: Formula, groups: ReadonlyMap<string, Line[]>, query: TrendsQuery): Line[] {
  return ranked(
    [...groups.values()].map((same) => {
      const bySeries = query.series.map(
        (_, series) => same.find((line) => line.series === series)?.data ?? [],
      )
      const data = same[0]!.data.map((_, index) => formula.evaluate(bySeries.map((each) => each[index] ?? 0)))
      return { ...same[0]!, data }
    }),
  )
}

function describe(
  query: TrendsQuery,
  line: Line,
  frame: Frame,
  formula: { formula: string; order: number } | null,
): Record<string, unknown> {
  const node = query.series[line.series]!
  const several = query.series.length > 1 && !formula
  const totals = showsTotals(query)
  return {
    action: formula ? { order: formula.order } : actionOf(node, line.series),
    label: labelFor(query, formula?.formula ?? nameOf(node), line.group, several),
    // As upstream, the count of a formula is the sum of its values also where they are cumulative.
    count: totals ? 0 : total(isCumulative(query) && !formula ? line.data.slice(-1) : line.data),
    ...(totals ? { aggregated_value: line.data[0] ?? 0 } : {}),
    data: totals ? [] : line.data,
    labels: frame.labels,
    days: frame.days,
    ...(line.group === null ? {} : { breakdown_value: shownGroup(query, line.group) }),
    ...(isCompared(query) ? { compare: true, compare_label: line.previous ? 'previous' : 'current' } : {}),
    filter: filterOf(query, frame),
  }
}

/** The values of a group. Other has the word in place of each. */
const valuesOf = (query: TrendsQuery, group: readonly Value[] | 'other'): readonly Value[] =>
  group === 'other' ? writtenBreakdowns(query.breakdownFilter).map(() => 'Other') : group

function shownGroup(query: TrendsQuery, group: readonly Value[] | 'other'): unknown {
  const filter = query.breakdownFilter
  if (isByCohort(filter)) return group === 'other' ? 'Other' : shownCohort(group[0])
  const values = valuesOf(query, group)
  // As upstream, only `breakdown` gives a single value.
  return values.length > 1 || filter?.breakdowns?.length ? values : values[0]!
}

function labelFor(query: TrendsQuery, name: string, group: Group, several: boolean): string {
  if (group === null) return name
  const values = !isByCohort(query.breakdownFilter)
    ? valuesOf(query, group)
        .map((value) => value ?? 'null')
        .join('::')
    : group === 'other'
      ? 'Other'
      : cohortLabel(group[0])
  return several ? `${name} - ${values}` : values
}

export const actionOf = (node: SeriesNode, order: number): Record<string, unknown> => ({
  ...targetOf(node),
  order,
  name: nameOf(node),
  custom_name: node.custom_name ?? null,
  math: node.math ?? 'total',
  math_property: node.math_property ?? null,
  math_hogql: node.math_hogql ?? null,
  math_group_type_index: node.math_group_type_index ?? null,
  properties: node.properties ?? [],
})

const filterOf = (query: TrendsQuery, { span, interval }: Frame) => ({
  insight: 'TRENDS',
  interval,
  date_from: new Date(floorWall(span.from, 'minute')).toISOString().slice(0, 19),
  date_to: new Date(span.to).toISOString().slice(0, 19),
  display: query.trendsFilter?.display ?? 'ActionsLineGraph',
})
