// Attempts at a funnel, and how far each actor came, as HogQL.
import type { FunnelsQuery } from '../../query/query-types'
import { breakdownsOf } from '../breakdown'
import { cohortsOf } from '../cohort-breakdown'
import { list, type TextContext } from '../text-parts'
import { chained } from './chained-steps'
import { addEvents } from './funnel-events'
import { optionalSteps, span, type Steps } from './funnel-steps'
import { attributionStep, mayBeSame, windowSeconds } from './requirements'
import { unordered } from './unordered-steps'

export function stepsOf({ series, breakdownFilter, funnelsFilter: filter }: FunnelsQuery): Steps {
  const seconds = windowSeconds(filter)
  const names = cohortsOf(breakdownFilter)
    ? ['b0']
    : breakdownsOf(breakdownFilter).map((_, index) => `b${index}`)
  return {
    count: series.length,
    order: filter?.funnelOrderType ?? 'ordered',
    until: (time) => `${time} + INTERVAL ${seconds} SECOND`,
    mayBeSame: (one, other) => mayBeSame(series[one]!, series[other]!),
    isOptional: (step) => series[step]!.optionalInFunnel === true,
    exclusions: (filter?.exclusions ?? []).map(({ funnelFromStep: from, funnelToStep: to }) => ({
      from,
      to,
    })),
    breakdowns: names,
    shared: attributionStep({ funnelsFilter: filter, breakdownFilter }) === 0 ? [] : names,
  }
}

/**
 * Adds the stage of attempts and returns its name. Its columns are actor, breakdowns, began, steps (number reached), done_1, … (1 if an
 * optional step was taken, else 0) and, unless the funnel is unordered, millis_1, millis_2, … (milliseconds since the required step before;
 * NULL for a step that was not reached, and for optional steps).
 */
export function addAttempts(query: FunnelsQuery, steps: Steps, context: TextContext): string {
  const { stages } = context
  const events = addEvents(query, steps, context)
  return stages.add(
    steps.order === 'unordered' ? unordered(steps, events, stages) : chained(steps, events, stages),
  )
}

/**
 * Adds the stage of each actor's best attempt and returns its name. Its columns are actor, breakdowns, steps, done_1, …, took_1, took_2,
 * … (milliseconds). The best attempt reached most steps first. When several reached them at the same time, it is the one that began last.
 */
export function addActors(query: FunnelsQuery, steps: Steps, context: TextContext): string {
  const { stages } = context
  const later = span(1, steps.count)
  const done = optionalSteps(steps).map((step) => `done_${step}`)
  // The end is a whole number, because sums of floats would differ between attempts that end at the same time.
  const timed = steps.order === 'unordered' ? [] : later
  const ended = ['toUnixTimestamp64Milli(began)', ...timed.map((step) => `ifNull(millis_${step}, 0)`)].join(
    ' + ',
  )
  // One window for both, so that the rows are sorted once.
  const ranking = `OVER (PARTITION BY ${list('actor', steps.breakdowns)} ORDER BY steps DESC, ${ended}, began DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`
  const furthest = stages.add(
    `SELECT ${list(
      'actor',
      steps.breakdowns,
      'steps',
      done,
      timed.map((step) => `millis_${step}`),
      `first_value(steps) ${ranking} AS most`,
      `row_number() ${ranking} AS place`,
    )} FROM ${addAttempts(query, steps, context)}`,
  )
  return stages.add(
    `SELECT ${list(
      'actor',
      steps.breakdowns,
      'max(best.most) AS steps',
      done.map((name) => `max(${name}) AS ${name}`),
      later.map((step) =>
        timed.includes(step)
          ? `max(if(place = 1, millis_${step}, NULL)) AS took_${step}`
          : `nullIf(0, 0) AS took_${step}`,
      ),
    )} FROM ${furthest} AS best WHERE best.steps = best.most GROUP BY ${list('actor', steps.breakdowns)}`,
  )
}
