// Attempts at a funnel without order, as HogQL: any step can be the first, and the others count within its window.
import { list, type Stages } from '../text-parts'
import { nextOf, span, type Steps } from './funnel-steps'

/** @param events name of the stage with the events */
export function unordered(steps: Steps, events: string, stages: Stages): string {
  const { count, breakdowns, until, exclusions, mayBeSame } = steps
  const all = span(0, count)
  const othersOf = (first: number) => all.filter((step) => step !== first)
  const mayRepeat = (step: number) => othersOf(step).some((other) => mayBeSame(other, step))
  const looked = stages.add(
    `SELECT ${list(
      'actor',
      breakdowns,
      all.map((step) => `t${step}`),
      `${until('at')} AS ends`,
      all.map((step) => `${nextOf(steps, 'same or later', `t${step}`)} AS n${step}`),
      all.filter(mayRepeat).map((step) => `${nextOf(steps, 'later', `t${step}`)} AS m${step}`),
      exclusions.map((_, index) => `${nextOf(steps, 'excluded', `e${index}`)} AS y${index}`),
    )} FROM ${events}`,
  )
  const beginnings = all.map((first) => {
    const next = othersOf(first).map((step) => (mayBeSame(first, step) ? `m${step}` : `n${step}`))
    return `SELECT ${list(
      'actor',
      breakdowns,
      `t${first} AS began`,
      `1 + ${sumOf(next.map((time) => `(${time} <= ends)`))} AS steps`,
      exclusions.map((_, index) => `(y${index} <= ends) AS is_excluded_${index}`),
      exclusions.map((_, index) => `${sumOf(next.map((time) => `(${time} > y${index})`))} AS later_${index}`),
    )} FROM ${looked} WHERE began IS NOT NULL`
  })
  const attempts = stages.add(beginnings.join(' UNION ALL '))
  // An excluded event counts until the last step is reached.
  const isCounted = exclusions.map(
    (_, index) => `if(is_excluded_${index}, if(steps = ${count}, later_${index} = 0, 0), 1) = 1`,
  )
  return `SELECT ${list('actor', breakdowns, 'began', 'steps')} FROM ${attempts}${isCounted.length > 0 ? ` WHERE ${isCounted.join(' AND ')}` : ''}`
}

/** Adds the terms in pairs, because a plain sum would nest as deep as it is long. */
function sumOf(terms: readonly string[]): string {
  const [first = '0', ...others] = terms
  if (others.length === 0) return first
  const half = Math.ceil(terms.length / 2)
  return `(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`
}
