// How long actors take from one step of a funnel to another, in bins of equal width.
import type { FunnelsQuery } from '../../query/query-types'
import type { TextContext } from '../text-parts'
import { addActors, stepsOf } from './attempts'
import { span } from './funnel-steps'
import { comparedSteps } from './requirements'

const MAX_BINS = 90
const MAX_AUTOMATIC_BINS = 60
const EMPTY_WIDTH = 60

/**
 * Returns HogQL with the columns bin and number of actors, then the same values in each row: start of the first bin, width, number of
 * bins, average of all actors.
 */
export function timeToConvertText(query: FunnelsQuery, context: TextContext): string {
  const { stages } = context
  const steps = stepsOf(query)
  const { from, to } = comparedSteps(query)
  const taken = span(from + 1, to + 1).filter((step) => !steps.isOptional(step))
  const times = stages.add(`SELECT (${taken.map((step) => `took_${step}`).join(' + ')}) / 1000 AS took
    FROM ${addActors(query, steps, context)} WHERE steps > ${to}`)
  const ends =
    stages.add(`SELECT took, floor(min(took) OVER ()) AS low, ceil(max(took) OVER ()) AS high, avg(took) OVER () AS average,
    ${binsOf(query)} AS bins FROM ${times}`)
  const widths = stages.add(
    `SELECT took, low, average, bins, if(high > low, ceil((high - low) / bins), ${EMPTY_WIDTH}) AS width FROM ${ends}`,
  )
  return `SELECT floor((took - low) / width) AS bin, count() AS number, min(low) AS first, min(width) AS size, min(bins) AS most, min(average) AS mean
      FROM ${widths} GROUP BY bin`
}

/** HogQL of the number of bins. The default is the cube root of the number of actors, rounded up. */
function binsOf({ funnelsFilter }: FunnelsQuery): string {
  const bins = funnelsFilter?.binCount ?? null
  if (bins !== null) return String(Math.min(Math.max(bins, 1), MAX_BINS))
  const root = 'round(pow(count() OVER (), 1 / 3))'
  // Rounding a float root up would be wrong where the float is slightly larger than a whole root.
  return `least(${MAX_AUTOMATIC_BINS}, if(${root} * ${root} * ${root} < count() OVER (), ${root} + 1, ${root}))`
}

/** The columns of the row that upstream returns without actors. */
const NO_ROW = [0, 0, 0, EMPTY_WIDTH, 1, null]

export function timeToConvertResult(
  { funnelsFilter }: FunnelsQuery,
  rows: readonly unknown[][],
): Record<string, unknown> {
  const [, , first, width, most, average] = rows[0] ?? NO_ROW
  const numbers = new Map(rows.map(([bin, number]) => [Number(bin), Number(number)]))
  const bins = rows.length > 0 ? Number(most) : Math.min(Math.max(funnelsFilter?.binCount ?? 1, 1), MAX_BINS)
  return {
    bins: span(0, bins + 1).map((bin) => [Number(first) + bin * Number(width), numbers.get(bin) ?? 0]),
    average_conversion_time: average ?? null,
  }
}
