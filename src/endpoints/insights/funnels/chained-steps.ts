// Attempts at an ordered or strict funnel, as HogQL: one row per possible first event. A later event never reaches further than an
// earlier one in less time, so the first event of the next step is always the right one. Windows can therefore compute it: from the last
// step to the first, each event takes over what the first event of the next step reached.
import { list, type Stages } from '../text-parts'
import { nextOf, optionalSteps, requiredSteps, span, type Steps, tieBreakers } from './funnel-steps'

/** @param events name of the stage with the events */
export function chained(steps: Steps, events: string, stages: Stages): string {
  const required = requiredSteps(steps)
  let source = events
  for (const [index, step] of [...required.entries()].toReversed()) {
    if (step < steps.count - 1)
      source = addLevel(steps, { step, next: required[index + 1] ?? null }, { source, stages })
  }
  return attempts(steps, source)
}

/** Names of the columns with the time of a step as an event of step `from` takes it over, and of the first excluded event after it. */
const reached = (from: number, step: number) => `x${from}_${step}`
const excluded = (from: number, index: number) => `y${from}_${index}`

interface Level {
  step: number
  /** The index of the next required step. */
  next: number | null
}

function addLevel(
  steps: Steps,
  { step, next }: Level,
  { source, stages }: { source: string; stages: Stages },
): string {
  const { count, order, breakdowns, exclusions } = steps
  const whichOf = (other: number) =>
    span(0, step + 1).some((earlier) => steps.mayBeSame(earlier, other)) ? 'later' : 'same or later'
  const taken = (value: string, which: Parameters<typeof nextOf>[1]) =>
    `if(t${step} IS NULL, NULL, ${nextOf(steps, which, value)})`
  const isOwn = (other: number) => next === null || other <= next
  const here = exclusions.flatMap(({ from }, index) => (from === step ? [index] : []))
  const carried = exclusions.flatMap(({ from }, index) => (from > step ? [index] : []))
  // In a strict funnel, an exclusion matters after each step of its span, because only the next event counts.
  const after = exclusions.flatMap(({ from, to }, index) =>
    order === 'strict' && from < step && step < to ? [index] : [],
  )
  const seen = (index: number) =>
    order === 'strict' && step + 1 < exclusions[index]!.to
      ? `ifNull(e${index}, ${excluded(step + 1, index)})`
      : `e${index}`
  const columns = [
    'actor',
    'at',
    ...tieBreakers(steps),
    ...breakdowns,
    ...span(0, step + 1).map((earlier) => `t${earlier}`),
    ...exclusions.flatMap(({ from }, index) => (from < step ? [`e${index}`] : [])),
  ]
  // The end stands beside the windows, so that the database computes it once and does not repeat it in each comparison.
  const ends = step === 0 ? [`${steps.until('at')} AS ends`] : []
  const times = span(step + 1, count)
  const marked = stages.add(
    `SELECT ${list(
      columns,
      ends,
      times.map((other) =>
        isOwn(other)
          ? `${taken(`t${other}`, whichOf(other))} AS ${reached(step, other)}`
          : `${taken(reached(next!, other), whichOf(next!))} AS ${reached(step, other)}`,
      ),
      [...here, ...after].map((index) => `${taken(seen(index), 'excluded')} AS ${excluded(step, index)}`),
      carried.map((index) => `${taken(excluded(next!, index), whichOf(next!))} AS ${excluded(step, index)}`),
    )} FROM ${source}`,
  )
  // In a strict funnel, an event that follows an excluded one cannot be the next step anyway.
  if (here.length === 0 || order === 'strict') return marked
  return stages.add(
    `SELECT ${list(
      columns,
      ends.map(() => 'ends'),
      times.map((other) => {
        const isVoid = here.map((index) => isCut(step, other, { index, to: exclusions[index]!.to }))
        return `if(${isVoid.join(' OR ')}, NULL, m.${reached(step, other)}) AS ${reached(step, other)}`
      }),
      [...here, ...carried].map((index) => excluded(step, index)),
    )} FROM ${marked} AS m`,
  )
}

/** Whether an event was excluded before the step, and before the end of the span. */
const isCut = (step: number, other: number, { index, to }: { index: number; to: number }) => {
  const time = `m.${excluded(step, index)}`
  return `if(m.${reached(step, other)} > ${time}, if(m.${reached(step, to)} < ${time}, 0, 1), 0) = 1`
}

function attempts(steps: Steps, source: string): string {
  const { count, breakdowns, exclusions, isOptional } = steps
  const required = requiredSteps(steps)
  const at = (step: number) => (step === 0 ? 't0' : reached(0, step))
  const isInTime = (step: number) => `${at(step)} <= ends`
  const furthest = required
    .slice(1)
    .toReversed()
    .flatMap((step) => [isInTime(step), String(step + 1)])
  const done = (step: number) => {
    const next = required.find((other) => other > step)
    const isBefore =
      next === undefined ? '1' : `if(${isInTime(next)}, if(${at(step)} < ${at(next)}, 1, 0), 1)`
    return `if(${isInTime(step)}, ${isBefore}, 0) AS done_${step}`
  }
  const millis = (time: string) => `toUnixTimestamp64Milli(${time})`
  const took = (step: number) =>
    isOptional(step)
      ? `nullIf(0, 0) AS millis_${step}`
      : `if(${isInTime(step)}, ${millis(at(step))} - ${millis(at(required[required.indexOf(step) - 1]!))}, NULL) AS millis_${step}`
  const isCounted = exclusions.map(
    ({ to }, index) => `if(${excluded(0, index)} <= ends, if(${isInTime(to)}, 0, 1), 0) = 0`,
  )
  return `SELECT ${list(
    'actor',
    breakdowns,
    't0 AS began',
    furthest.length === 0 ? '1 AS steps' : `multiIf(${list(furthest, '1')}) AS steps`,
    optionalSteps(steps).map(done),
    span(1, count).map(took),
  )} FROM ${source} WHERE ${['t0 IS NOT NULL', ...isCounted].join(' AND ')}`
}
