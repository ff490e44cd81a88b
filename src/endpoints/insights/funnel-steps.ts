// How many steps each actor reached, as HogQL: one row per possible first event.
// A later event never reaches further than an earlier one in less time, so the first event of the next step is always the right one. This
// makes it a matter of windows: from the last step to the first, each event takes over what the first event of the next step reached.
import { list } from './text-parts'

export type Order = 'ordered' | 'strict' | 'unordered'

export interface Steps {
  count: number
  order: Order
  /** HogQL for the end of a conversion window. */
  until(time: string): string
  /** Whether one event could match both steps: then the second needs a later event. */
  mayBeSame(one: number, other: number): boolean
  breakdowns: readonly string[]
}

/** `from` inclusive, `to` exclusive. */
export const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

/**
 * HogQL with the columns actor, breakdowns, steps (number reached) and seconds_1, seconds_2, … (since the previous step; NULL for a step
 * that was not reached, and for unordered steps).
 * @param events HogQL with the columns actor, at, t0, t1, … (time of the event if it matches that step, else NULL) and the breakdowns
 */
export const reachedText = (steps: Steps, events: string): string =>
  steps.order === 'unordered' ? unordered(steps, events) : chained(steps, events)

function chained(steps: Steps, events: string): string {
  const { count, breakdowns, until } = steps
  const isLater = (step: number) => span(0, step).some((earlier) => steps.mayBeSame(earlier, step))
  let source = events
  for (const level of span(0, count - 1).toReversed()) {
    const done = (step: number) => (step === level + 1 ? `t${step}` : `x${level + 1}_${step}`)
    const taken = span(level + 1, count).map(
      (step) =>
        `if(t${level} IS NULL, NULL, ${next(steps, isLater(level + 1), done(step))}) AS x${level}_${step}`,
    )
    source = `SELECT ${list(
      'actor',
      'at',
      breakdowns,
      span(0, level + 1).map((step) => `t${step}`),
      taken,
    )} FROM (${source})`
  }
  const at = (step: number) => (step === 0 ? 't0' : `x0_${step}`)
  const isInTime = (step: number) => `${at(step)} <= ${until('t0')}`
  const furthest = span(1, count)
    .toReversed()
    .flatMap((step) => [isInTime(step), String(step + 1)])
  return `SELECT ${list(
    'actor',
    breakdowns,
    `multiIf(${list(furthest, '1')}) AS steps`,
    span(1, count).map(
      (step) =>
        `if(${isInTime(step)}, dateDiff('second', ${at(step - 1)}, ${at(step)}), NULL) AS seconds_${step}`,
    ),
  )} FROM (${source}) WHERE t0 IS NOT NULL`
}

/** Any step can be the first; counts the others within its window. */
function unordered(steps: Steps, events: string): string {
  const { count, breakdowns, until } = steps
  const beginnings = span(0, count).map((first) => {
    const others = span(0, count).filter((step) => step !== first)
    const looked = `SELECT ${list(
      'actor',
      breakdowns,
      `t${first} AS began`,
      others.map((step) => `${next(steps, steps.mayBeSame(first, step), `t${step}`)} AS n${step}`),
    )} FROM (${events})`
    const inTime = others.map((step) => `if(n${step} <= ${until('began')}, 1, 0)`)
    return `SELECT ${list(
      'actor',
      breakdowns,
      `1 + ${inTime.join(' + ')} AS steps`,
      span(1, count).map((step) => `nullIf(0, 0) AS seconds_${step}`),
    )} FROM (${looked}) WHERE began IS NOT NULL`
  })
  return beginnings.join(' UNION ALL ')
}

/** Smallest `value` among the rows at or after this one in time. Rows are sorted descending, so that they precede it. */
function next({ order, breakdowns }: Steps, isLater: boolean, value: string): string {
  const rows =
    order === 'strict'
      ? 'ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING'
      : isLater
        ? 'ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING'
        : 'RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'
  return `min(${value}) OVER (PARTITION BY ${list('actor', breakdowns)} ORDER BY at DESC ${rows})`
}
