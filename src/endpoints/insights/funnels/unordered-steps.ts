// Attempts at a funnel without order, as HogQL: any step can be the first; counts the others within its window.
import { list, type Stages } from '../text-parts'
import { nextOf, span, type Steps } from './funnel-steps'

/** @param events name of the stage with the events */
export function unordered(steps: Steps, events: string, stages: Stages): string {
  const { count, breakdowns, until, exclusions } = steps
  const beginnings = span(0, count).map((first) => {
    const others = span(0, count).filter((step) => step !== first)
    const looked = stages.add(
      `SELECT ${list(
        'actor',
        breakdowns,
        `t${first} AS began`,
        others.map(
          (step) =>
            `${nextOf(steps, steps.mayBeSame(first, step) ? 'later' : 'same or later', `t${step}`)} AS n${step}`,
        ),
        exclusions.map((_, index) => `${nextOf(steps, 'excluded', `e${index}`)} AS y${index}`),
      )} FROM ${events}`,
    )
    const inTime = others.map((step) => `if(n${step} <= ${until('began')}, 1, 0)`)
    const number = inTime.join(' + ')
    // An excluded event matters until the last step.
    const isCounted = exclusions.map((_, index) => {
      const isBefore = others.map((step) => `y${index} < n${step}`).join(' OR ')
      const isExcluded = `if(${number} = ${others.length}, if(${isBefore}, 1, 0), 1)`
      return `if(y${index} <= ${until('began')}, ${isExcluded}, 0) = 0`
    })
    return `SELECT ${list(
      'actor',
      breakdowns,
      'began',
      `1 + ${number} AS steps`,
      span(1, count).map((step) => `nullIf(0, 0) AS seconds_${step}`),
    )} FROM ${looked} WHERE ${['began IS NOT NULL', ...isCounted].join(' AND ')}`
  })
  return beginnings.join(' UNION ALL ')
}
