// Conversion per period: of the actors that begin in it and reach one step, how many reach another.
import type { FunnelsQuery } from '../../query/query-types'
import { fromFirst, type ResultContext, spanOf } from '../date-range'
import { axisOf, periodsOf, startOf } from '../periods'
import { ResultBudget } from '../result-budget'
import { roundEven } from '../sums'
import { list, type TextContext } from '../text-parts'
import { intervalOf } from '../trends/trends-text'
import { addAttempts, stepsOf } from './attempts'
import { shownBreakdown } from './funnels-result'
import { attributionStep, comparedSteps } from './requirements'

/** Returns HogQL with the columns breakdowns, period, and the numbers of actors that reached the first step and the second. */
export function funnelTrendsText(query: FunnelsQuery, context: TextContext): string {
  const { from, to } = comparedSteps(query)
  const shown = untilStep(query, Math.max(to, attributionStep(query) ?? 0))
  const steps = stepsOf(shown)
  const most = context.stages.add(
    `SELECT ${list(
      'actor',
      steps.breakdowns,
      `${startOf(intervalOf(query), 'began')} AS period`,
      'max(steps) AS most',
    )} FROM ${addAttempts(shown, steps, context)} GROUP BY ${list('actor', steps.breakdowns, 'period')}`,
  )
  return `SELECT ${list(
    steps.breakdowns,
    'period',
    `countIf(most > ${from}) AS entered`,
    `countIf(most > ${to}) AS converted`,
  )} FROM ${most} GROUP BY ${list(steps.breakdowns, 'period')}`
}

/** Returns the funnel without the steps after this one, as upstream: in an unordered funnel, they would count as steps before it. */
function untilStep(query: FunnelsQuery, last: number): FunnelsQuery {
  const exclusions = query.funnelsFilter?.exclusions
    ?.filter(({ funnelFromStep: from }) => from < last)
    .map((exclusion) => ({ ...exclusion, funnelToStep: Math.min(exclusion.funnelToStep, last) }))
  return {
    ...query,
    series: query.series.slice(0, last + 1),
    funnelsFilter: query.funnelsFilter && { ...query.funnelsFilter, exclusions },
  }
}

/** Returns one line, or one per combination of breakdown values, largest first. */
export function funnelTrendsResult(
  query: FunnelsQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): Record<string, unknown>[] {
  const interval = intervalOf(query)
  const breakdowns = stepsOf(query).breakdowns.length
  const starts = rows.map((row) => row[breakdowns])
  const span = fromFirst(spanOf(query.dateRange, interval, context), query.dateRange, { starts, interval })
  const { days, labels, placeOf } = axisOf(periodsOf(span, interval, context.timezone), interval)
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row.slice(0, breakdowns)))
  if (breakdowns === 0 && groups.size === 0) groups.set('[]', [])
  new ResultBudget().take(groups.size, days.length)
  const size = (own: readonly unknown[][]) => own.reduce((sum, row) => sum + Number(row[breakdowns + 1]), 0)
  return [...groups]
    .sort(([a, first], [b, second]) => size(second) - size(first) || (a < b ? -1 : 1))
    .map(([key, own]) => {
      const rates = new Map(
        own.map((row) => [
          placeOf(row[breakdowns]),
          rateOf(Number(row[breakdowns + 1]), Number(row[breakdowns + 2])),
        ]),
      )
      return {
        count: days.length,
        data: days.map((_, place) => rates.get(place) ?? 0),
        days,
        labels,
        ...(breakdowns === 0 ? {} : { breakdown_value: shownBreakdown(query, JSON.parse(key) as unknown[]) }),
      }
    })
}

/** The conversion rate in percent, with two decimals. */
const rateOf = (entered: number, converted: number) =>
  entered === 0 ? 0 : roundEven((converted / entered) * 10_000) / 100
